package explain

const (
	linkAggregation = "https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/"
	linkKnown       = "https://github.com/kubernetes-sigs/metrics-server/blob/master/KNOWN_ISSUES.md"
	linkFAQ         = "https://github.com/kubernetes-sigs/metrics-server/blob/master/FAQ.md"
	linkNeeds       = "https://github.com/kubernetes-sigs/metrics-server#requirements"
)

// metricsCauses are those of metrics-server from the metrics API down to its own log.
func metricsCauses() []Entry {
	return []Entry{
		{"apiservice-missing", "The metrics API is not registered: the APIService v1beta1.metrics.k8s.io is not there.", "Somebody deleted it, or its manifest was not applied. kubectl top and HPAs are not led to metrics-server.", "surespray addon apply metrics-server.", linkAggregation},
		{"apiservice-new", "The APIService of the metrics API has no condition yet.", "It has just been made, and the API server has not looked at it.", "Wait and verify again.", linkAggregation},
		{"apiservice-outdated", "What the APIService complains about is mended, and the API server has not noticed yet.", "It looks again every few seconds.", "Wait and verify again; if it stays, read kubectl describe apiservice v1beta1.metrics.k8s.io.", linkAggregation},
		{"apiservice-unavailable", "The metrics API is registered and not available.", "The condition of the APIService has a reason that is none of the usual ones.", "Read kubectl describe apiservice v1beta1.metrics.k8s.io.", linkAggregation},
		{"apiservice-ca-mismatch", "The API server does not accept the certificate of metrics-server.", "The APIService says that it is to be verified, and has no CA for it. Kubespray takes insecureSkipTLSVerify of the APIService from metrics_server_kubelet_insecure_tls as well.", "Set metrics_server_kubelet_insecure_tls: true and apply the addon, or give the APIService the caBundle of the certificate that metrics-server serves.", linkKnown},
		{"endpoint-refused", "Nothing listens where the Service of metrics-server leads to.", "The pod has ended or not begun to listen, or the Service names a wrong port.", "Look at its pods, endpoints and log; if the ports do not agree: surespray addon apply metrics-server.", linkAggregation},
		{"endpoint-timeout", "The API server gets no answer from metrics-server.", "The pods are starting or not ready, or the way from the control plane to them is closed.", "Read kubectl describe apiservice v1beta1.metrics.k8s.io, and look at the pods.", linkAggregation},
		{"service-name-unresolved", "The API server cannot resolve the name of the Service.", "The Service is of type ExternalName, or the control plane's DNS does not work.", "Check the ExternalName, and DNS on the control plane.", linkAggregation},
		{"metrics-api-denied", "metrics-server does not let the API server in.", "It cannot read the CA of the aggregation layer, or may not ask whether a user is allowed: a RoleBinding or ClusterRoleBinding is missing.", "surespray addon apply metrics-server; it needs metrics-server-auth-reader and metrics-server:system:auth-delegator.", linkAggregation},
		{"metrics-api-silent", "The metrics API is registered and does not answer.", "The pods behind it are not ready, or cannot be reached. The condition of the APIService follows with some seconds of delay.", "Look at the pods and the log of metrics-server, and try kubectl get --raw /apis/metrics.k8s.io/v1beta1/nodes.", linkAggregation},
		{"apiserver-proxy-no-proxy", "The API server sends its calls to metrics-server through a proxy.", "HTTPS_PROXY is set for the API server, and its NO_PROXY does not cover the pods. A hand-written no_proxy replaces the list that Kubespray makes.", "Remove no_proxy, put your own entries into additional_no_proxy, then surespray run cluster.yml --tags control-plane.", "https://github.com/kubernetes-sigs/kubespray/blob/master/docs/operations/proxy.md"},
		{"apiserver-cannot-reach-pods", "The pods of metrics-server are ready, and the API server does not reach them.", "The control plane has no working way into the pod network: the network plugin there, or a firewall that drops the tunnel between the nodes.", "Check the network plugin's pod on the control plane and the ports between the nodes; from a control plane try curl -k https://POD:PORT/readyz.", linkAggregation},
		{"no-ready-node", "No node is Ready, so that there is nothing to measure.", "The nodes have a trouble of their own.", "surespray verify nodes.", linkNodeStatus},
		{"warming-up", "metrics-server has started lately and has no numbers yet.", "It needs two scrapes, and its readiness probe has a delay.", "Wait and verify again.", linkFAQ},
		{"node-joined-lately", "A node became Ready lately and has no metrics yet.", "metrics-server needs two scrapes of it.", "Wait and verify again.", linkFAQ},
		{"no-metrics", "There are no metrics of any node, and no log line tells why.", "metrics-server answers with an empty list, or nothing proves that it reaches a kubelet.", "Read kubectl -n kube-system logs deployment/metrics-server.", linkFAQ},
		{"node-metrics-missing", "A Ready node has no metrics, and no log line tells why.", "Its kubelet answers without numbers, or the log has been cut off.", "Look for the node in the log of metrics-server.", linkFAQ},
		{"metrics-stale", "The metrics of a node are older than they should be.", "Its kubelet no longer answers, or the clock of the node is wrong.", "On the node: timedatectl and systemctl status kubelet; look for the node in the log of metrics-server.", linkFAQ},
		{"no-log", "There is no log of metrics-server to read.", "None of its containers has run, or its log could not be read; without metrics nothing tells whether kubelets can be reached.", "Look at the pods of metrics-server first.", linkDebugPods},
		{"log-unreadable", "The API server does not get a pod's log from the kubelet.", "The kubelet's port 10250 is closed for the control plane, its certificate is not accepted, or the kubelet is down.", "Try kubectl logs of the pod, and open TCP 10250 of the nodes for the control plane.", "https://kubernetes.io/docs/reference/networking/ports-and-protocols/"},
		{"rbac-missing", "metrics-server may not read what it needs.", "A ClusterRole or a binding of it is missing or was changed.", "surespray addon apply metrics-server.", linkRBAC},
		{"port-in-use", "The port of metrics-server is taken on its node.", "In the host's network it shares the ports with all else there; 10250 is the kubelet's.", "Set metrics_server_container_port to a free port, such as 4443, and apply the addon.", linkKnown},
		{"bad-argument", "metrics-server does not take one of its arguments.", "The argument is of another version of it, or misspelt, or its value does not fit.", "Look at the args of the Deployment metrics-server, then apply the addon.", linkKnown},
		{"pod-cannot-reach-api", "The pod of metrics-server does not reach the API server.", "The network plugin or kube-proxy on the pod's node does not work.", "Look at the pods of both on that node: kubectl -n kube-system get pods -o wide.", linkServices},
	}
}
