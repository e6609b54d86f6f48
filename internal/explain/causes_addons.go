package explain

const linkServices = "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/"

// addonCauses are those of any addon: whether it is there, and what leads to it.
func addonCauses() []Entry {
	return []Entry{
		{"addon-absent", "An addon is asked for and not in the cluster.", "The run stopped before it, its tag was left out, or somebody removed it.", "surespray addon apply NAME, with its switch on.", ""},
		{"deployment-missing", "The Deployment of an addon is not there, while other objects of it are.", "Somebody deleted it, or its manifest was not applied.", "surespray addon apply NAME.", ""},
		{"scaled-to-zero", "A Deployment is scaled to 0.", "Somebody stopped it by hand; what it serves does not answer.", "kubectl scale deployment NAME --replicas=1 (CoreDNS: 2), or apply the addon again.", linkDeployment},
		{"endpoints-missing", "A Service has no ready endpoint.", "None of the pods that it selects is ready, or it selects none.", "Compare the selector of the Service with the labels of the pods, and look why they are not ready: kubectl get pods,endpointslices -o wide.", linkServices},
		{"service-missing", "The Service of an addon is not there.", "Somebody deleted it, or its manifest was not applied; what is registered with its name leads nowhere.", "surespray addon apply NAME.", linkServices},
		{"service-selects-nothing", "A Service selects none of the addon's pods.", "The selector or the labels were changed by hand, or are of two different releases.", "surespray addon apply NAME.", linkServices},
		{"service-port-mismatch", "The port that is asked for is not one of the Service, or leads to no port of its endpoints.", "The APIService, the Service and the pods are of different releases, or were changed by hand.", "surespray addon apply NAME.", linkServices},
	}
}
