package checks

import (
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// finishedPods is for a selector that counts pods which have ended: of a Job, or of a
// test made by hand.
func finishedPods(h autoscalingv2.HorizontalPodAutoscaler, pods []corev1.Pod, selector string) verify.Finding {
	f := verify.Warn("selector-matches-finished-pod", "HPA %s/%s cannot scale: the selector of %s also matches finished pods (%s)",
		h.Namespace, h.Name, target(h), some(podNames(pods), 4))
	if selector != "" {
		f = f.Seen("selector: " + selector)
	} else {
		f = f.Seen("the target's selector could not be read: pods called after " + h.Spec.ScaleTargetRef.Name + " were looked at")
	}
	return f.Mend(fmt.Sprintf("kubectl -n %s delete pod %s", h.Namespace, strings.Join(podNames(pods[:min(len(pods), 4)]), " ")),
		"for good: give the Job or test other labels, or the workload a narrower selector (a selector cannot be changed, the workload must be made anew)")
}

// withoutMetrics is for an HPA whose metrics API answers, and has nothing about its pods.
func (s *hpaState) withoutMetrics(h autoscalingv2.HorizontalPodAutoscaler) verify.Finding {
	name := h.Namespace + "/" + h.Name
	describe := fmt.Sprintf("kubectl -n %s get pods -o wide; kubectl -n %s describe hpa %s", h.Namespace, h.Namespace, h.Name)
	if s.pods.err != nil {
		return unseen(s.pods.err)
	}
	pods, selector := s.targetPods(h)
	var live, ready, done []corev1.Pod
	young := false
	for _, p := range pods {
		switch {
		case finished(p):
			done = append(done, p)
			continue
		case p.DeletionTimestamp != nil:
			continue
		}
		live = append(live, p)
		if podReady(p) {
			ready = append(ready, p)
		}
		young = young || s.now.Sub(startOf(p)) < podMetricsDelay
	}
	switch {
	case len(live) == 0 && len(done) > 0:
		return finishedPods(h, done, selector)
	case len(live) == 0:
		return verify.Warn("no-pods", "HPA %s cannot scale: %s has no pod", name, target(h)).Mend(describe)
	case len(ready) == 0:
		why := judgePod(live[0], nil, s.now, false)
		f := verify.Warn("no-ready-pods", "HPA %s cannot scale: none of the %d pods of %s is ready (%s)", name, len(live), target(h), why.Summary)
		return f.Seen(why.Evidence...).Mend(describe).Mend(why.Fix...)
	case young:
		return again(verify.Warn("pods-new", "HPA %s has no numbers yet: pods of %s have started lately", name, target(h))).Mend(describe)
	}
	for _, id := range []string{msAPIService, msCoverage} {
		if trouble(s.ladder[id]) {
			return verify.Because(id, "HPA %s cannot scale: there are no metrics of the pods of %s", name, target(h))
		}
	}
	return verify.Warn("pod-metrics-missing", "HPA %s cannot scale: metrics-server works, and has no metrics of the pods of %s", name, target(h)).
		Mend(fmt.Sprintf("kubectl -n %s top pods", h.Namespace), describe)
}
