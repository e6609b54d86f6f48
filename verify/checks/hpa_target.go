package checks

import (
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// targetPods are the pods that an HPA counts, and how they were found. Where the target
// cannot be read, those that are called after it are taken.
func (s *hpaState) targetPods(h autoscalingv2.HorizontalPodAutoscaler) (pods []corev1.Pod, selector string) {
	matches := func(p corev1.Pod) bool { return calledAfter(p, h.Spec.ScaleTargetRef.Name) }
	if found := s.selector(h); found != nil {
		if chosen, err := metav1.LabelSelectorAsSelector(found); err == nil {
			selector = metav1.FormatLabelSelector(found)
			matches = func(p corev1.Pod) bool { return chosen.Matches(labels.Set(p.Labels)) }
		}
	}
	for _, p := range s.pods.value {
		if p.Namespace == h.Namespace && matches(p) {
			pods = append(pods, p)
		}
	}
	return pods, selector
}

// selector is that of an HPA's target, nil where it is not known.
func (s *hpaState) selector(h autoscalingv2.HorizontalPodAutoscaler) *metav1.LabelSelector {
	is := func(o metav1.Object) bool {
		return o.GetNamespace() == h.Namespace && o.GetName() == h.Spec.ScaleTargetRef.Name
	}
	switch h.Spec.ScaleTargetRef.Kind {
	case "Deployment":
		for i := range s.deployments.value {
			if o := &s.deployments.value[i]; is(o) {
				return o.Spec.Selector
			}
		}
	case "StatefulSet":
		for i := range s.statefulSets.value {
			if o := &s.statefulSets.value[i]; is(o) {
				return o.Spec.Selector
			}
		}
	case "ReplicaSet":
		for i := range s.replicaSets.value {
			if o := &s.replicaSets.value[i]; is(o) {
				return o.Spec.Selector
			}
		}
	}
	return nil
}

func calledAfter(p corev1.Pod, name string) bool {
	for _, label := range []string{"app.kubernetes.io/name", "app.kubernetes.io/instance", "app", "k8s-app", "name"} {
		if p.Labels[label] == name {
			return true
		}
	}
	for _, owner := range p.OwnerReferences {
		if owner.Name == name || strings.HasPrefix(owner.Name, name+"-") {
			return true
		}
	}
	return false
}

func finished(p corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}
