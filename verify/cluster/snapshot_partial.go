package cluster

import (
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// fillIn completes the status of workloads and pods in a folder without snapshot.yaml, which people
// write by hand: a number that a controller would have told and nobody wrote down is the
// same as the one next to it, not zero. A status with observedGeneration is a
// controller's own, and is left alone.
func (s store) fillIn() {
	for kind, same := range map[string][][2]string{
		"Deployment":  {{"updatedReplicas", "replicas"}, {"availableReplicas", "readyReplicas"}},
		"StatefulSet": {{"updatedReplicas", "replicas"}, {"currentReplicas", "replicas"}, {"availableReplicas", "readyReplicas"}},
		"DaemonSet": {
			{"updatedNumberScheduled", "desiredNumberScheduled"},
			{"currentNumberScheduled", "desiredNumberScheduled"},
			{"numberAvailable", "numberReady"},
		},
	} {
		sh := s[resourceOf(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: kind})]
		if sh == nil {
			continue
		}
		for key, o := range sh.objects {
			sh.objects[key] = filled(o, same)
		}
	}
	if pods := s[podsResource()]; pods != nil {
		for key, o := range pods.objects {
			pods.objects[key] = withReady(o)
		}
	}
}

// withReady is a pod with the condition Ready: where nobody wrote one, it follows from the
// containers.
func withReady(pod map[string]any) map[string]any {
	status, _, _ := unstructured.NestedMap(pod, "status")
	containers, _ := status["containerStatuses"].([]any)
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		if m, _ := c.(map[string]any); m["type"] == "Ready" {
			return pod
		}
	}
	if len(containers) == 0 {
		return pod
	}
	ready := "True"
	for _, c := range containers {
		if m, _ := c.(map[string]any); m["ready"] != true {
			ready = "False"
		}
	}
	status["conditions"] = append(conditions, map[string]any{"type": "Ready", "status": ready})
	pod = maps.Clone(pod)
	pod["status"] = status
	return pod
}

// filled is an object whose status has the numbers that follow from others.
func filled(o map[string]any, same [][2]string) map[string]any {
	status, _, _ := unstructured.NestedMap(o, "status")
	if status == nil || status["observedGeneration"] != nil {
		return o
	}
	for _, pair := range same {
		if n, known := status[pair[1]]; known && status[pair[0]] == nil {
			status[pair[0]] = n
		}
	}
	if generation, ok, _ := unstructured.NestedInt64(o, "metadata", "generation"); ok {
		status["observedGeneration"] = generation
	}
	o = maps.Clone(o)
	o["status"] = status
	return o
}
