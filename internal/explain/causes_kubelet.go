package explain

// kubeletCauses are those of the way from metrics-server to one kubelet.
func kubeletCauses() []Entry {
	const (
		secure   = "Set kubelet_rotate_server_certificates: true and run cluster.yml, so that the cluster's CA signs the kubelets' certificates; or metrics_server_kubelet_insecure_tls: true, which is less secure, and apply the addon."
		firewall = "https://kubernetes.io/docs/reference/networking/ports-and-protocols/"
	)
	return []Entry{
		{"kubelet-cert-no-san", "A kubelet shows a certificate that does not name the node's address.", "Without kubelet_rotate_server_certificates kubelets sign their certificates themselves, for a name only; metrics-server asks by address.", secure, linkKnown},
		{"kubelet-cert-unknown-ca", "A kubelet shows a certificate of a CA that metrics-server does not know.", "The kubelet signed it itself, or it has not got one of the cluster's CA yet.", secure, linkKnown},
		{"kubelet-cert-missing", "A kubelet has no serving certificate yet, and ends every connection.", "With kubelet_rotate_server_certificates it asks the cluster's CA for one, and nobody has approved its request.", "kubectl get csr, and approve the node's request after a look at it; or let kubelet_csr_approver_enabled: true do it.", linkCSR},
		{"kubelet-cert-expired", "A kubelet shows a certificate that is not valid now.", "It was not renewed, or the clock of the node or of metrics-server's node is wrong.", "Check timedatectl on both nodes and restart the kubelet; for certificates that are renewed set kubelet_rotate_server_certificates: true and approve the requests.", linkCSR},
		{"kubelet-refused", "A node refuses the connection to the kubelet's port.", "The kubelet is down or listens elsewhere, or a firewall rejects.", "On the node: systemctl status kubelet and ss -lntp | grep 10250.", linkNeeds},
		{"kubelet-no-route", "A node cannot be reached from metrics-server: no route.", "Routes between the pod network and the node are missing, or the address that it asks is not of that network.", "Check kubectl get nodes -o wide, and the routes on the node of the pod.", linkNeeds},
		{"kubelet-timeout", "A node gives no answer on the kubelet's port.", "A firewall or security group drops the packets on the way, or the node is overloaded.", "Open TCP 10250 of the nodes for the pod network and the other nodes.", firewall},
		{"pod-to-own-node-blocked", "A node gives no answer to the pod of metrics-server that runs on it.", "The way from the pod network to its own host is closed: the packets come from a pod's address and never leave the node.", "Allow the pod network to reach TCP 10250 on its own host; or use the host network with another port: metrics_server_host_network: true and metrics_server_container_port: 4443, and apply the addon.", firewall},
		{"kubelet-unauthorized", "A kubelet does not let metrics-server read its metrics.", "The ClusterRole of metrics-server lacks nodes/metrics, or the kubelet does not ask the API server who may read.", "Apply the addon; kubelet_authentication_token_webhook and kubelet_authorization_mode_webhook must be true.", "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/"},
		{"kubelet-scrape-failed", "A kubelet could not be scraped.", "What the log says is none of the usual reasons.", "Look for the node in the log of metrics-server.", linkKnown},
		{"node-address-missing", "A node has no address of the types that metrics-server prefers.", "The node's list of addresses lacks those named in --kubelet-preferred-address-types.", "Set metrics_server_kubelet_preferred_address_types to a type that the nodes have (kubectl get nodes -o wide), and apply the addon.", linkNeeds},
		{"node-name-unresolved", "A node has a name that metrics-server cannot resolve.", "It asks by Hostname, and the cluster's DNS does not know the names of nodes.", "Set metrics_server_kubelet_preferred_address_types to InternalIP, and apply the addon.", linkKnown},
	}
}
