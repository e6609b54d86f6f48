package explain

const (
	linkDebugPods  = "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/"
	linkDeployment = "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status"
	linkNodeStatus = "https://kubernetes.io/docs/reference/node/node-status/"
)

// podCauses are those of nodes that are not Ready, and of pods and workloads of any kind.
func podCauses() []Entry {
	return []Entry{
		{"no-nodes", "The cluster has no nodes.", "The control plane is up and nothing has joined; nodes join during the run.", "surespray run cluster.yml.", ""},
		{"node-no-status", "A node has never told its status.", "Its kubelet made the Node object and got no further, or somebody else made it.", "On the node: systemctl status kubelet and journalctl -u kubelet -n 50.", linkNodeStatus},
		{"kubelet-stopped", "The kubelet of a node does not report.", "The kubelet is stopped, the host is down, or it is off the network. The node controller sets the status to Unknown then.", "On the node: systemctl status kubelet and journalctl -u kubelet -n 50.", linkNodeStatus},
		{"node-not-ready", "A node is not Ready.", "Its kubelet says why in the condition: the container runtime is down, for instance. Nothing that runs only there can be expected to work, its metrics included.", "Look at the node with kubectl describe node; on it read journalctl -u kubelet -n 50.", linkNodeStatus},
		{"cni-not-ready", "A node is not Ready because it has no working network plugin.", "The plugin's pod has not started there yet, or fails; until it writes its file to /etc/cni/net.d, no other pod gets a network.", "Look at the plugin's pod on that node; if it is missing: surespray run cluster.yml --tags network,download.", "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/network-plugins/"},
		{"unschedulable", "No node takes a pod.", "Taints, selectors, a cordon or requests that nothing has room for keep it out. Of a probe's pod it says only that nothing was tried there.", "Read the event of kubectl describe pod; make room, add a toleration or mend the selector.", "https://kubernetes.io/docs/concepts/scheduling-eviction/"},
		{"image-pull", "A pod cannot pull its image.", "The name or tag is wrong, the registry cannot be reached or trusted from the node, it wants credentials, or it limits the rate.", "Check the variables …_image_repo, …_image_tag and containerd_registries_mirrors; on the node try crictl pull IMAGE.", "https://kubernetes.io/docs/concepts/containers/images/"},
		{"crash-loop", "A container ends by itself again and again.", "A wrong argument, a missing file or right, or something that it cannot reach; its last log says which.", "Read kubectl logs --previous of the pod.", linkDebugPods},
		{"container-start", "A container cannot be started.", "A ConfigMap or Secret that it names is not there, or its command, user or mount does not fit.", "Read the message of kubectl describe pod.", linkDebugPods},
		{"pod-sandbox", "A pod cannot be set up on its node.", "Mostly the network plugin there does not give it a network, or the container runtime fails.", "Read the event of kubectl describe pod, and look at the network plugin's pod on that node.", linkDebugPods},
		{"volume-mount", "A pod waits for a volume that cannot be attached or mounted.", "The volume, ConfigMap or Secret is not there, the directory on the node is missing or may not be read, or the volume is attached somewhere else.", "Read the event of kubectl describe pod; on the node look at the path with ls -ldZ.", linkDebugPods},
		{"not-ready", "A pod runs and is not ready.", "Its readiness probe fails, or has not been asked often enough yet.", "Read the Unhealthy event of kubectl describe pod, and the pod's log.", "https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/"},
		{"pod-starting", "A pod is being started.", "It pulls its image or is being set up; it has been waited for.", "Wait; if it stays, read kubectl describe pod.", linkDebugPods},
		{"not-available", "A workload has fewer ready pods than it wants, and no pod says why.", "Pods are starting, or are ready for too short a time.", "Read kubectl describe of the workload, and look at its pods.", linkDeployment},
		{"rollout", "A workload is being rolled out.", "It was changed, and old pods are still being exchanged for new ones.", "Wait; if it stays, read kubectl rollout status and kubectl describe of the workload.", linkDeployment},
		{"rollout-stuck", "The rollout of a Deployment has exceeded its deadline.", "Its new pods do not become ready within progressDeadlineSeconds. Old pods may still serve.", "Read kubectl describe deployment, and look at the newest pods.", linkDeployment},
		{"pod-create-failed", "No pod of a Deployment can be created.", "A quota, PodSecurity or an admission webhook refuses it; the condition ReplicaFailure says which.", "Look at the namespace's resourcequota and events, and at the policies.", linkDeployment},
		{"no-pods", "A workload has no pod.", "Its pods were not created, or were deleted and are not made again.", "Look at its ReplicaSets and at the events of the namespace.", linkDebugPods},
	}
}
