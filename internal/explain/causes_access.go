package explain

const (
	linkKubeconfig = "https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/"
	linkRBAC       = "https://kubernetes.io/docs/reference/access-authn-authz/rbac/"
	linkHealth     = "https://kubernetes.io/docs/reference/using-api/health-checks/"
)

// accessCauses are those of the way to the cluster: why nothing, or little, could be seen.
func accessCauses() []Entry {
	return []Entry{
		{"no-kubeconfig", "No kubeconfig was found, so that nothing was looked at.", "None was given, the inventory's artifacts/admin.conf is not there, and neither is KUBECONFIG set.", "Give --kubeconfig FILE, or have Kubespray fetch it: surespray run cluster.yml --tags client -e kubeconfig_localhost=true.", linkKubeconfig},
		{"bad-kubeconfig", "The kubeconfig cannot be used.", "It cannot be read, is damaged, or does not have the context that was asked for.", "Check --kubeconfig, KUBECONFIG and --context; kubectl config get-contexts lists what there is.", linkKubeconfig},
		{"api-unreachable", "The API server cannot be reached: it refuses the connection, does not answer in time, or there is no route.", "It is down or starting, or a firewall, a VPN or a proxy is in the way. What could not be seen is neither good nor bad.", "Check the way to the address in the kubeconfig; on a control plane: systemctl status kubelet and crictl ps -a --name kube-apiserver.", linkHealth},
		{"api-dns", "The name of the API server cannot be resolved.", "The kubeconfig has a name that the DNS of this machine does not know.", "Mend DNS or /etc/hosts, or give a kubeconfig with an address that can be reached from here.", linkKubeconfig},
		{"api-tls", "The certificate of the API server is not what the kubeconfig trusts.", "The kubeconfig is of another cluster or of one before it was built anew, the certificate has no entry for the address, it has expired, or a proxy stands in between.", "Use the kubeconfig of this cluster; a fresh one is /etc/kubernetes/admin.conf on a control plane. For another address set supplementary_addresses_in_ssl_keys and run cluster.yml.", linkKubeconfig},
		{"api-unauthorized", "The API server does not accept the kubeconfig's user.", "The credentials have expired or are of another cluster.", "Use a fresh kubeconfig; one is /etc/kubernetes/admin.conf on a control plane.", "https://kubernetes.io/docs/reference/access-authn-authz/authentication/"},
		{"api-unavailable", "The answer was 503, service unavailable.", "The API server, a load balancer before it, or the server behind an aggregated API is not ready.", "Wait and verify again; if it stays, look at the API server's and etcd's logs, and at kubectl get apiservices.", linkHealth},
		{"api-not-found", "The API server does not have what was asked for.", "The kind is not served by this version of Kubernetes, or its CustomResourceDefinition is not installed.", "Look at kubectl api-resources for the kind that the finding names.", "https://kubernetes.io/docs/concepts/overview/kubernetes-api/"},
		{"api-cancelled", "A request was given up before it was answered.", "The command was interrupted.", "Verify again.", ""},
		{"api-error", "A request to the API server failed in a way of its own.", "The finding has the words of the client or of the server.", "Try the same with kubectl -v=6, and read the API server's log.", ""},
		{"api-not-ready", "The API server answers and says that it is not ready.", "It has just started, or something that it needs, often etcd, does not work; the finding names what.", "Run kubectl get --raw '/readyz?verbose'; on the control plane read the logs of kube-apiserver and etcd.", linkHealth},
		{"rbac-denied", "The kubeconfig's user may not read what the check needs.", "A role is missing. It says nothing about what was to be looked at.", "surespray checks rbac prints the roles that are needed; apply them for the user, or use another --kubeconfig.", linkRBAC},
		{"wrong-cluster", "No host of the inventory is a node of the cluster: it looks like another one.", "The kubeconfig or the inventory is of another cluster. Nothing more is looked at, since it would mislead.", "Give the kubeconfig of this inventory's cluster with --kubeconfig, or its inventory with -i.", ""},
		{"partial-match", "Hosts of the inventory and nodes of the cluster are not the same.", "New hosts have not joined, nodes that were taken out of the inventory have not been removed, or a run stopped early.", "New hosts: surespray run scale.yml; left-over nodes: surespray run remove-node.yml -e node=NAME.", "https://github.com/kubernetes-sigs/kubespray/blob/master/docs/operations/nodes.md"},
		{"hosts-unseen", "The hosts could not be looked at over Ansible.", "The connection or the rights that a run needs were not given, or the inventory has no such host.", "Verify again with -i and the connection flags that a run needs.", ""},
		{"host-unreachable", "One host could not be looked at over Ansible.", "It is down, or the connection to it or the rights on it fail.", "Try it alone: surespray verify helm.binary -i INVENTORY -l HOST.", ""},
		{"no-answer", "A check got no answer at all within its limit.", "A plugin of the kubeconfig that asks for credentials, or a proxy on the way, may hang.", "Try kubectl get nodes with the same kubeconfig.", ""},
		{"deadline", "There was no time left to look.", "The time that was allowed ended before there was an answer.", "Verify again, and allow more time.", ""},
		{"cancelled", "The verification was cancelled before there was an answer.", "It was interrupted, by Ctrl-C or a signal.", "Verify again.", ""},
		{"internal", "surespray itself made a mistake.", "A check failed in a way that is not foreseen; the cluster may be well.", "Report it with the finding's text.", ""},
	}
}
