package checks

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// podReady reports whether the pod's condition Ready is true.
func podReady(p corev1.Pod) bool {
	c := podCondition(p, corev1.PodReady)
	return c != nil && c.Status == corev1.ConditionTrue
}

func podCondition(p corev1.Pod, t corev1.PodConditionType) *corev1.PodCondition {
	i := slices.IndexFunc(p.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == t })
	if i < 0 {
		return nil
	}
	return &p.Status.Conditions[i]
}

// mainContainer is the name of the pod's first container.
func mainContainer(p corev1.Pod) string {
	if len(p.Spec.Containers) > 0 {
		return p.Spec.Containers[0].Name
	}
	if len(p.Status.ContainerStatuses) > 0 {
		return p.Status.ContainerStatuses[0].Name
	}
	return ""
}

func containerStatus(p corev1.Pod, name string) *corev1.ContainerStatus {
	i := slices.IndexFunc(p.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Status.ContainerStatuses[i]
}

// startOf is when the pod's main container started, else when the pod was made.
func startOf(p corev1.Pod) time.Time {
	if c := containerStatus(p, mainContainer(p)); c != nil && c.State.Running != nil && !c.State.Running.StartedAt.IsZero() {
		return c.State.Running.StartedAt.Time
	}
	return p.CreationTimestamp.Time
}

// probeDelay is how long the pod's readiness may take to be noticed.
func probeDelay(p corev1.Pod) time.Duration {
	if len(p.Spec.Containers) == 0 || p.Spec.Containers[0].ReadinessProbe == nil {
		return 0
	}
	probe := p.Spec.Containers[0].ReadinessProbe
	return time.Duration(probe.InitialDelaySeconds+probe.PeriodSeconds) * time.Second
}
