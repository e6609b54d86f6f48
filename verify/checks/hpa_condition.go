package checks

import (
	"fmt"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/surespray/surespray/verify"
)

// hpaGrace is how long the HPA controller, which looks every 15 seconds, may take.
const hpaGrace = time.Minute

// again is a warning that goes away by itself: the HPA controller looks every 15 seconds,
// and a pod's first metrics take two scrapes. Nothing else is worth the wait of those who
// did not come for the HPA.
func again(f verify.Finding) verify.Finding {
	f.Retry = true
	return f
}

// unnoticed is for an HPA that no controller has looked at.
func (s *hpaState) unnoticed(h autoscalingv2.HorizontalPodAutoscaler) verify.Finding {
	name := h.Namespace + "/" + h.Name
	if s.now.Sub(h.CreationTimestamp.Time) < hpaGrace {
		return again(verify.Warn("hpa-new", "HPA %s is new: the controller has not looked at it yet", name))
	}
	return verify.Warn("hpa-not-seen", "HPA %s has no condition: the HPA controller does not look at it", name).
		Mend("kubectl -n kube-system logs -l component=kube-controller-manager --tail=50",
			fmt.Sprintf("kubectl -n %s describe hpa %s", h.Namespace, h.Name))
}

// unable is for an HPA that cannot read or change how many pods its target has.
func (s *hpaState) unable(h autoscalingv2.HorizontalPodAutoscaler, c autoscalingv2.HorizontalPodAutoscalerCondition) verify.Finding {
	name := h.Namespace + "/" + h.Name
	look := fmt.Sprintf("kubectl -n %s get %s %s", h.Namespace, strings.ToLower(h.Spec.ScaleTargetRef.Kind), h.Spec.ScaleTargetRef.Name)
	switch {
	case c.Reason == "FailedGetScale" && strings.Contains(c.Message, "not found"):
		return verify.Warn("target-missing", "HPA %s cannot scale: its target %s is not there", name, target(h)).
			Mend(look, fmt.Sprintf("mend spec.scaleTargetRef: kubectl -n %s edit hpa %s", h.Namespace, h.Name))
	case c.Reason == "FailedGetScale":
		return verify.Warn("target-unreadable", "HPA %s cannot scale: the scale of %s cannot be read", name, target(h)).
			Mend(look, "check apiVersion and kind of spec.scaleTargetRef; a custom resource needs the subresource scale")
	case c.Reason == "FailedUpdateScale":
		return verify.Warn("scale-refused", "HPA %s cannot scale: changing %s is refused", name, target(h)).
			Mend("the message names who refuses (a webhook, a policy, a quota); " + look)
	}
	return verify.Warn("hpa-unable", "HPA %s cannot scale: %s", name, c.Reason).Mend(look)
}

// inactive is for an HPA that cannot compute how many pods there should be.
func (s *hpaState) inactive(h autoscalingv2.HorizontalPodAutoscaler, c autoscalingv2.HorizontalPodAutoscalerCondition) verify.Finding {
	name := h.Namespace + "/" + h.Name
	edit := fmt.Sprintf("kubectl -n %s edit hpa %s", h.Namespace, h.Name)
	switch c.Reason {
	case "ScalingDisabled":
		return verify.Skip("HPA %s rests: its target %s is scaled to 0", name, target(h)).
			Mend(fmt.Sprintf("kubectl -n %s scale %s/%s --replicas=1 wakes it", h.Namespace, strings.ToLower(h.Spec.ScaleTargetRef.Kind), h.Spec.ScaleTargetRef.Name))
	case "InvalidSelector":
		return verify.Warn("selector-missing", "HPA %s cannot scale: the scale of %s names no selector for its pods", name, target(h)).
			Mend("a custom resource needs labelSelectorPath in its subresource scale, and a controller that fills it in")
	case "AmbiguousSelector":
		return verify.Warn("selector-overlaps", "HPA %s cannot scale: another HPA counts the same pods", name).
			Mend("give the workloads selectors that do not overlap, or delete one HPA: kubectl -n " + h.Namespace + " get hpa")
	case "InvalidMetricSourceType":
		return verify.Warn("metric-invalid", "HPA %s cannot scale: it names a kind of metric that does not exist", name).Mend(edit)
	case "FailedGetResourceMetric", "FailedGetContainerResourceMetric":
		return s.resource(h, c)
	}
	if len(metricAPIs(c.Reason)) > 0 {
		return s.otherMetric(h, c)
	}
	return verify.Warn("hpa-inactive", "HPA %s cannot scale: %s", name, c.Reason).Mend(fmt.Sprintf("kubectl -n %s describe hpa %s", h.Namespace, h.Name))
}

// atMax is for an HPA that would scale further and may not.
func atMax(h autoscalingv2.HorizontalPodAutoscaler) verify.Finding {
	return verify.Warn("at-max", "HPA %s/%s is at its maximum of %d replicas and wants more", h.Namespace, h.Name, h.Spec.MaxReplicas).
		Seen(currentMetrics(h)).
		Mend(fmt.Sprintf(`kubectl -n %s patch hpa %s --type merge -p '{"spec":{"maxReplicas":%d}}'`, h.Namespace, h.Name, 2*h.Spec.MaxReplicas),
			"give each pod more (requests), or a target that is less strict")
}

// currentMetrics is what the HPA measured beside what it aims at, for metrics of pods.
func currentMetrics(h autoscalingv2.HorizontalPodAutoscaler) string {
	var out []string
	for _, m := range h.Status.CurrentMetrics {
		if m.Resource == nil || m.Resource.Current.AverageUtilization == nil {
			continue
		}
		for _, want := range h.Spec.Metrics {
			if want.Resource != nil && want.Resource.Name == m.Resource.Name && want.Resource.Target.AverageUtilization != nil {
				out = append(out, fmt.Sprintf("%s: %d %% of the request in use, the target is %d %%",
					m.Resource.Name, *m.Resource.Current.AverageUtilization, *want.Resource.Target.AverageUtilization))
			}
		}
	}
	return strings.Join(out, "; ")
}
