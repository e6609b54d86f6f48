package checks

import (
	"fmt"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/surespray/surespray/verify"
)

// podMetricsDelay is how long a pod's first metrics may take after its start.
const podMetricsDelay = 2 * time.Minute

// resource is for an HPA that gets no CPU or memory numbers: the API behind them, the
// requests that a share is computed of, or the pods.
func (s *hpaState) resource(h autoscalingv2.HorizontalPodAutoscaler, c autoscalingv2.HorizontalPodAutoscalerCondition) verify.Finding {
	if contains(c.Message, "missing request", "missing pod-level request") {
		return s.request(h, c.Message)
	}
	if contains(c.Message, "unable to fetch metrics from resource metrics API", "unable to get metrics for resource") && !strings.Contains(c.Message, "no metrics returned") {
		return s.noAPI(h)
	}
	if strings.Contains(c.Message, "not found in Pod") {
		return verify.Warn("container-missing", "HPA %s/%s cannot scale: the container whose metric it names is not in the pods of %s", h.Namespace, h.Name, target(h)).
			Mend(fmt.Sprintf("mend containerResource.container: kubectl -n %s edit hpa %s", h.Namespace, h.Name))
	}
	return s.withoutMetrics(h)
}

// noAPI is for an HPA whose metrics API did not answer: what metrics-server's ladder says
// about it is the root.
func (s *hpaState) noAPI(h autoscalingv2.HorizontalPodAutoscaler) verify.Finding {
	name := h.Namespace + "/" + h.Name
	switch verdict(s.ladder[msAPIService]) {
	case verify.VerdictFail, verify.VerdictWarn, verify.VerdictUnknown:
		f := verify.Because(msAPIService, "HPA %s cannot scale: the metrics API does not answer", name)
		f.Retry = trouble(s.ladder[msAPIService])
		return f
	case verify.VerdictPass:
		return again(verify.Warn("hpa-outdated", "HPA %s could not scale, and the metrics API answers now: the controller has not looked again yet", name)).
			Mend(fmt.Sprintf("kubectl -n %s describe hpa %s", h.Namespace, h.Name))
	}
	return verify.Warn("no-metrics-api", "HPA %s cannot scale: there is no metrics API, because metrics-server is not installed", name).
		Mend("surespray addon apply metrics-server -e metrics_server_enabled=true")
}

func verdict(findings []verify.Finding) verify.Verdict {
	worst := verify.VerdictSkip
	for i, f := range findings {
		if i == 0 || f.Verdict.Weight() > worst.Weight() {
			worst = f.Verdict
		}
	}
	return worst
}
