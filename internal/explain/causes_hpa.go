package explain

const (
	linkHPA      = "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/"
	linkHPAWalk  = "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale-walkthrough/"
	linkScale    = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#scale-subresource"
	linkMetrics  = "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#support-for-metrics-apis"
	linkLeftover = "https://github.com/kubernetes-sigs/kubespray/issues/7034"
)

// hpaCauses are those of workloads that do not scale.
func hpaCauses() []Entry {
	return []Entry{
		{"workload-missing-request", "An HPA aims at a share of a request, and a container has no request.", "One container without it, a sidecar too, is enough.", "Give it one: kubectl set resources, or a metric of type ContainerResource.", linkHPA},
		{"selector-matches-finished-pod", "The selector of an HPA's target also matches pods that have finished.", "Pods of a Job or of a test carry the workload's labels; they have no metrics and often no requests.", "Delete them, and give them other labels.", "https://github.com/kubernetes/kubernetes/issues/79365"},
		{"no-metrics-api", "An HPA needs CPU or memory numbers, and metrics-server is not installed.", "Kubespray does not install it by default.", "Install it: surespray addon apply metrics-server -e metrics_server_enabled=true.", linkMetrics},
		{"no-ready-pods", "None of the pods that an HPA counts is ready.", "Without a ready pod there is nothing to measure.", "Mend the pods; kubectl describe says what keeps them.", linkHPA},
		{"pods-new", "Pods of an HPA have started lately.", "Their first metrics take two scrapes.", "Wait two minutes.", linkHPA},
		{"pod-metrics-missing", "metrics-server works, and has nothing about the pods of an HPA.", "The kubelet of their node does not tell about them, or they were moved.", "Look: kubectl top pods, and the log of metrics-server.", linkMetrics},
		{"metric-api-missing", "Nothing serves the API that a custom or external metric should come from.", "metrics-server has CPU and memory only; an adapter must serve the rest, and Kubespray has none.", "Install an adapter such as prometheus-adapter or KEDA.", linkMetrics},
		{"metric-api-unavailable", "The API of custom or external metrics is registered and does not work.", "The pods of the adapter behind it are down or not reached.", "Look: kubectl describe apiservice, and the adapter's pods.", linkMetrics},
		{"metric-missing", "The API of an HPA's metric works and does not have the metric.", "The adapter has no rule for it, or the name is another.", "List what there is with kubectl get --raw.", linkMetrics},
		{"metric-invalid", "An HPA names a kind of metric that does not exist.", "A typing error, or a manifest for another version.", "Mend it: kubectl edit hpa.", linkHPA},
		{"at-max", "An HPA is at its maximum and would go higher.", "maxReplicas is reached while the metric is above its target.", "Raise maxReplicas, or give the pods more.", linkHPAWalk},
		{"target-missing", "The target of an HPA is not there.", "It was renamed or removed.", "Mend spec.scaleTargetRef.", linkHPA},
		{"target-unreadable", "The scale of an HPA's target cannot be read.", "Its kind is not served, or has no subresource scale.", "Check apiVersion and kind.", linkScale},
		{"scale-refused", "Somebody refuses to let an HPA change its target.", "A webhook, a policy or a quota.", "The message names who.", linkHPA},
		{"selector-missing", "The scale of an HPA's target names no selector.", "A custom resource needs labelSelectorPath.", "Mend the definition and its controller.", linkScale},
		{"selector-overlaps", "Two HPAs count the same pods.", "Their targets' selectors overlap, or both have one target.", "Delete one, or narrow a selector.", linkHPA},
		{"container-missing", "An HPA names a container that its pods do not have.", "The container was renamed.", "Mend containerResource.container.", linkHPA},
		{"hpa-missing", "There is no HPA of the name that was asked for.", "It has another name or namespace, or was removed.", "Look: kubectl get hpa -A.", linkHPA},
		{"hpa-new", "An HPA is new.", "The controller looks every 15 seconds.", "Wait.", linkHPA},
		{"hpa-not-seen", "An HPA has no condition.", "The HPA controller, a part of kube-controller-manager, does not look at it.", "Look at the controller manager's log.", linkHPA},
		{"hpa-outdated", "What an HPA complains about is mended, and its controller has not looked again.", "It looks every 15 seconds.", "Wait.", linkHPA},
		{"hpa-unable", "An HPA cannot scale, for a reason that we do not know.", "The message of its condition AbleToScale says more.", "Look: kubectl describe hpa.", linkHPA},
		{"hpa-inactive", "An HPA cannot scale, for a reason that we do not know.", "The message of its condition ScalingActive says more.", "Look: kubectl describe hpa.", linkHPA},
		{"leftover-after-disable", "An addon is switched off and still in the cluster.", "Kubespray skips the role of an addon that is off, and removes nothing.", "Review the manifests below addons/ on the first control plane, then kubectl delete -f them.", linkLeftover},
	}
}
