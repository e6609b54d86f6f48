package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// request is for an HPA that aims at a share of a request which is not there.
func (s *hpaState) request(h autoscalingv2.HorizontalPodAutoscaler, message string) verify.Finding {
	resource, container := missingRequest(message)
	pods, selector := s.targetPods(h)
	live, done := lacking(pods, resource, container)
	if container != "" && len(pods) == 0 {
		live = []string{container} // only the message tells
	}
	if len(live) == 0 && len(done) > 0 {
		return finishedPods(h, done, selector)
	}
	name, kind := h.Namespace+"/"+h.Name, strings.ToLower(h.Spec.ScaleTargetRef.Kind)
	if len(live) == 0 && len(pods) > 0 {
		return again(verify.Warn("hpa-outdated", "HPA %s could not scale for want of a %s request, and all pods of %s have one now: the controller has not looked again yet", name, resource, target(h))).
			Mend(fmt.Sprintf("kubectl -n %s describe hpa %s", h.Namespace, h.Name))
	}
	which, flag := "a container of "+target(h)+" has", ""
	if len(live) > 0 {
		which, flag = fmt.Sprintf("container %s of %s has", strings.Join(live, ", "), target(h)), " --containers="+strings.Join(live, ",")
		if len(live) > 1 {
			which = fmt.Sprintf("containers %s of %s have", strings.Join(live, ", "), target(h))
		}
	}
	amount := "100m"
	if resource == "memory" {
		amount = "128Mi"
	}
	f := verify.Warn("workload-missing-request", "HPA %s cannot scale: %s no %s request, so the share in use cannot be computed", name, which, resource)
	if len(done) > 0 {
		f = f.Seen("the selector also matches finished pods: " + some(podNames(done), 4))
	}
	if slices.Contains([]string{"deployment", "statefulset", "replicaset"}, kind) {
		f = f.Mend(fmt.Sprintf("kubectl -n %s set resources %s %s%s --requests=%s=%s", h.Namespace, kind, h.Spec.ScaleTargetRef.Name, flag, resource, amount))
	} else {
		f = f.Mend(fmt.Sprintf("give every container of %s a %s request", target(h), resource))
	}
	return f.Mend("let the HPA look at one container only (a metric of type ContainerResource), or at AverageValue")
}

// missingRequest reads the controller's sentence, the whole of it since Kubernetes 1.26.
func missingRequest(message string) (resource, container string) {
	m := regexp.MustCompile(`missing (?:pod-level )?request for ([\w./-]+)(?: in container (\S+))?`).FindStringSubmatch(message)
	if m == nil {
		return "cpu", ""
	}
	return m[1], m[2]
}

// lacking returns the containers of pods at work that have no request, and the finished
// pods that have one without. only: a container that the controller named counts first,
// and all others that lack it with it, so that one round of mending is enough.
func lacking(pods []corev1.Pod, resource, only string) (containers []string, done []corev1.Pod) {
	for _, p := range pods {
		if p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodFailed || podLevel(p, resource) {
			continue // the controller leaves these out, or needs no container's request
		}
		for _, c := range longRunning(p) {
			if _, ok := c.Resources.Requests[corev1.ResourceName(resource)]; ok {
				continue
			}
			if finished(p) {
				done = append(done, p)
				break
			}
			if !slices.Contains(containers, c.Name) {
				containers = append(containers, c.Name)
			}
		}
	}
	slices.SortStableFunc(containers, func(a, b string) int { return rankOf(b == only) - rankOf(a == only) })
	return containers, done
}

func rankOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func podLevel(p corev1.Pod, resource string) bool {
	if p.Spec.Resources == nil {
		return false
	}
	_, ok := p.Spec.Resources.Requests[corev1.ResourceName(resource)]
	return ok
}

// longRunning are a pod's containers, with those sidecars that are init containers.
func longRunning(p corev1.Pod) []corev1.Container {
	out := slices.Clone(p.Spec.Containers)
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			out = append(out, c)
		}
	}
	return out
}

func podNames(pods []corev1.Pod) []string {
	names := make([]string, len(pods))
	for i, p := range pods {
		names[i] = p.Name
	}
	return names
}
