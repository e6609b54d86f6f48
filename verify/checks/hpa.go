package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const msHPA = "metrics-server.hpa"

// hpaNamed is up to how many HPAs that are fine are told one by one.
const hpaNamed = 20

// hpas asks why HPAs do not scale. It stands behind the ladder of metrics-server: an HPA
// without numbers is its consequence as long as the API is in trouble, and its own
// workload's otherwise.
func hpas(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	return []verify.Check{{
		ID: msHPA, Title: "Every HPA gets its numbers and can scale", Area: metricsServerAddon, Also: []string{"hpa"},
		Needs: []string{apiHealth, apiIdentity, msAPIService},
		Access: []verify.Access{
			right("autoscaling", "horizontalpodautoscalers", "list"), right("", "pods", "list"),
			right("apps", "deployments", "list"), right("apps", "statefulsets", "list"), right("apps", "replicasets", "list"),
			right("apiregistration.k8s.io", "apiservices", "get"),
		},
		Help: "Reads the conditions of HorizontalPodAutoscalers, and for those in trouble their targets and pods: requests, finished pods, the API behind a metric, the maximum. " +
			"What the workload has to mend is a warning; verify hpa NAMESPACE/NAME asks about one. https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
		Run: func(ctx context.Context) []verify.Finding {
			return judgeHPAs(collectHPAs(ctx, c, f, o))
		},
	}}
}

// judgeHPAs returns one finding for each HPA; where many are fine, one for all of them.
func judgeHPAs(s *hpaState) []verify.Finding {
	if !s.list.ok() {
		return []verify.Finding{unseen(s.list.err)}
	}
	var out, fine []verify.Finding
	for _, h := range s.wanted() {
		f := s.judge(h)
		f.Subject, f.Of = h.Namespace+"/"+h.Name, len(s.list.value)
		if f.Verdict == verify.VerdictPass {
			fine = append(fine, f)
		} else {
			out = append(out, f)
		}
	}
	for _, name := range s.missing() {
		f := verify.Fail("hpa-missing", "there is no HPA %s", name).Mend("kubectl get hpa -A")
		f.Subject = name
		out = append(out, f)
	}
	switch {
	case len(fine) > hpaNamed:
		fine = []verify.Finding{verify.Pass("%d of %d HPAs get their numbers", len(fine), len(s.list.value))}
	case len(fine)+len(out) == 0:
		fine = []verify.Finding{verify.Skip("there is no HorizontalPodAutoscaler")}
	}
	return append(out, fine...)
}

// wanted are the HPAs to look at.
func (s *hpaState) wanted() []autoscalingv2.HorizontalPodAutoscaler {
	if len(s.only) == 0 {
		return s.list.value
	}
	var out []autoscalingv2.HorizontalPodAutoscaler
	for _, h := range s.list.value {
		if slices.Contains(s.only, h.Namespace+"/"+h.Name) {
			out = append(out, h)
		}
	}
	return out
}

// missing are the names asked for that no HPA has.
func (s *hpaState) missing() []string {
	return slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(s.only))), func(name string) bool {
		return slices.ContainsFunc(s.list.value, func(h autoscalingv2.HorizontalPodAutoscaler) bool { return h.Namespace+"/"+h.Name == name })
	})
}

// judge tells about one HPA what its conditions say, and why.
func (s *hpaState) judge(h autoscalingv2.HorizontalPodAutoscaler) verify.Finding {
	name := h.Namespace + "/" + h.Name
	able, active := hpaCondition(h, autoscalingv2.AbleToScale), hpaCondition(h, autoscalingv2.ScalingActive)
	limited := hpaCondition(h, autoscalingv2.ScalingLimited)
	switch {
	case able == nil && active == nil:
		return s.unnoticed(h)
	case able != nil && able.Status == corev1.ConditionFalse:
		return s.unable(h, *able).Seen(hpaLine(name, *able))
	case active != nil && active.Status == corev1.ConditionFalse:
		return s.inactive(h, *active).Seen(hpaLine(name, *active))
	case limited != nil && limited.Status == corev1.ConditionTrue && limited.Reason == "TooManyReplicas":
		return atMax(h).Seen(hpaLine(name, *limited))
	}
	f := verify.Pass("HPA %s gets its numbers: %d replicas now, %d to %d allowed", name, h.Status.CurrentReplicas, minReplicas(h), h.Spec.MaxReplicas)
	if limited != nil && limited.Status == corev1.ConditionTrue {
		f = f.Seen(hpaLine(name, *limited))
	}
	return f
}

func hpaCondition(h autoscalingv2.HorizontalPodAutoscaler, t autoscalingv2.HorizontalPodAutoscalerConditionType) *autoscalingv2.HorizontalPodAutoscalerCondition {
	i := slices.IndexFunc(h.Status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool { return c.Type == t })
	if i < 0 {
		return nil
	}
	return &h.Status.Conditions[i]
}

func hpaLine(name string, c autoscalingv2.HorizontalPodAutoscalerCondition) string {
	return fmt.Sprintf("HPA %s: %s=%s %s: %s", name, c.Type, c.Status, c.Reason, c.Message)
}

func minReplicas(h autoscalingv2.HorizontalPodAutoscaler) int32 {
	if h.Spec.MinReplicas != nil {
		return *h.Spec.MinReplicas
	}
	return 1
}

// target names what an HPA scales, such as "Deployment web".
func target(h autoscalingv2.HorizontalPodAutoscaler) string {
	return strings.TrimSpace(h.Spec.ScaleTargetRef.Kind + " " + h.Spec.ScaleTargetRef.Name)
}
