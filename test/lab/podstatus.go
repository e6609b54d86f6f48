package lab

import (
	"context"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// setStatus writes what a kubelet would write of the pod, if it changed.
func (r *podRunner) setStatus(ctx context.Context, pod *corev1.Pod, p *runningPod, waiting *corev1.ContainerStateWaiting) {
	status := corev1.ContainerStatus{
		Name: pod.Spec.Containers[0].Name, Image: pod.Spec.Containers[0].Image, RestartCount: p.restarts, Ready: p.ready,
	}
	phase := corev1.PodPending
	if p.last != nil {
		phase = corev1.PodRunning
		status.LastTerminationState.Terminated = p.last
	}
	switch {
	case waiting != nil:
		status.State.Waiting = waiting
	case p.proc != nil:
		phase = corev1.PodRunning
		started := true
		status.Started = &started
		status.State.Running = &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(p.started)}
	case p.restarts > 0:
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: fmt.Sprintf(
			"back-off 5m0s restarting failed container=%s pod=%s_%s(%s)", status.Name, pod.Name, pod.Namespace, pod.UID)}
	default:
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}
	}
	next := pod.DeepCopy()
	next.Status.Phase, next.Status.PodIP, next.Status.PodIPs = phase, p.ip, []corev1.PodIP{{IP: p.ip}}
	next.Status.HostIP = "127.0.0.1"
	next.Status.ContainerStatuses = []corev1.ContainerStatus{status}
	setCondition(next, corev1.PodInitialized, true, "")
	setCondition(next, corev1.ContainersReady, p.ready, "ContainersNotReady")
	setCondition(next, corev1.PodReady, p.ready, "ContainersNotReady")
	if same(pod.Status, next.Status) {
		return
	}
	_, _ = r.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, next, metav1.UpdateOptions{}) // a conflict: next time
}

// same compares at the precision that the API keeps: seconds.
func same(have, want corev1.PodStatus) bool {
	a, b := have.DeepCopy(), want.DeepCopy()
	for _, s := range []*corev1.PodStatus{a, b} {
		for i := range s.ContainerStatuses {
			c := &s.ContainerStatuses[i]
			if c.State.Running != nil {
				c.State.Running.StartedAt = metav1.Unix(c.State.Running.StartedAt.Unix(), 0)
			}
			if t := c.LastTerminationState.Terminated; t != nil {
				t.StartedAt, t.FinishedAt = metav1.Unix(t.StartedAt.Unix(), 0), metav1.Unix(t.FinishedAt.Unix(), 0)
			}
		}
	}
	return reflect.DeepEqual(a, b)
}

func setCondition(pod *corev1.Pod, kind corev1.PodConditionType, is bool, reason string) {
	want := corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}
	if !is {
		want.Status, want.Reason = corev1.ConditionFalse, reason
		want.Message = "containers with unready status: [" + pod.Spec.Containers[0].Name + "]"
	}
	for i, c := range pod.Status.Conditions {
		if c.Type == kind {
			if c.Status != want.Status {
				pod.Status.Conditions[i] = want
			}
			return
		}
	}
	pod.Status.Conditions = append(pod.Status.Conditions, want)
}
