package kubespray

// madeElsewhere are the main objects of addons whose role has no template of them: they
// come from a chart or from a file that the role downloads.
func madeElsewhere(role string) []Object {
	workload := func(kind, namespace, name string) []Object {
		return []Object{{APIVersion: "apps/v1", Kind: kind, Namespace: namespace, Name: name}}
	}
	crd := func(name string) []Object {
		return []Object{{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: name}}
	}
	switch role {
	case "network_plugin/cilium":
		return workload("DaemonSet", "kube-system", "cilium")
	case "kubernetes-apps/argocd":
		return workload("Deployment", "{{ argocd_namespace }}", "argocd-server")
	case "kubernetes-apps/kubelet-csr-approver":
		return workload("Deployment", "{{ kubelet_csr_approver_namespace }}", "kubelet-csr-approver")
	case "kubernetes-apps/gateway_api", "kubernetes-apps/common_crds/gateway_api":
		return crd("gatewayclasses.gateway.networking.k8s.io")
	case "kubernetes-apps/common_crds/prometheus_operator_crds":
		return crd("servicemonitors.monitoring.coreos.com")
	}
	return nil
}
