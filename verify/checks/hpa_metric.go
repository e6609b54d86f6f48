package checks

import (
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"

	"github.com/surespray/surespray/verify"
)

// metricAPIs are the APIServices behind a reason of ScalingActive=False; none for those
// that metrics-server serves.
func metricAPIs(reason string) []string {
	switch reason {
	case "FailedGetPodsMetric", "FailedGetObjectMetric":
		return []string{"v1beta2.custom.metrics.k8s.io", "v1beta1.custom.metrics.k8s.io"}
	case "FailedGetExternalMetric":
		return []string{"v1beta1.external.metrics.k8s.io"}
	}
	return nil
}

// otherMetric is for an HPA that aims at a metric which metrics-server does not have: an
// adapter must serve it, and Kubespray installs none.
func (s *hpaState) otherMetric(h autoscalingv2.HorizontalPodAutoscaler, c autoscalingv2.HorizontalPodAutoscalerCondition) verify.Finding {
	name, names := h.Namespace+"/"+h.Name, metricAPIs(c.Reason)
	group := strings.SplitN(names[0], ".", 2)[1]
	metric := strings.Join(otherMetrics(h, c.Reason), ", ")
	registered, absent := "", 0
	for _, api := range names {
		a := s.apis[api]
		switch {
		case a.absent():
			absent++
		case a.blind():
			return unseen(a.err)
		case a.value != nil:
			registered = api
			if why := notAvailable(a.value); why != "" {
				return verify.Warn("metric-api-unavailable", "HPA %s cannot scale: the API %s, which should have the metric %s, is registered and does not work", name, group, metric).
					Seen(why).Mend("kubectl describe apiservice " + api + "; look at the pods of the adapter behind it (prometheus-adapter, KEDA …)")
			}
		}
	}
	if absent == len(names) {
		return verify.Warn("metric-api-missing", "HPA %s cannot scale: nothing serves the API %s, where its metric %s should come from", name, group, metric).
			Seen("no APIService "+strings.Join(names, ", ")).
			Mend("install an adapter that serves "+group+" (prometheus-adapter, KEDA …): neither metrics-server nor Kubespray has one", "kubectl get apiservices | grep metrics")
	}
	return verify.Warn("metric-missing", "HPA %s cannot scale: the API %s works, and does not have its metric %s", name, group, metric).
		Mend(fmt.Sprintf("kubectl get --raw /apis/%s/%s lists what there is; mend the adapter's rules or the metric's name", group, strings.SplitN(registered, ".", 2)[0]))
}

func notAvailable(a *apiregistrationv1.APIService) string {
	for _, c := range a.Status.Conditions {
		if c.Type == apiregistrationv1.Available && c.Status != apiregistrationv1.ConditionTrue {
			return fmt.Sprintf("APIService %s: Available=%s %s: %s", a.Name, c.Status, c.Reason, c.Message)
		}
	}
	return ""
}

// otherMetrics are the names of the metrics that the reason is about.
func otherMetrics(h autoscalingv2.HorizontalPodAutoscaler, reason string) []string {
	var out []string
	for _, m := range h.Spec.Metrics {
		switch {
		case reason == "FailedGetPodsMetric" && m.Pods != nil:
			out = append(out, m.Pods.Metric.Name)
		case reason == "FailedGetObjectMetric" && m.Object != nil:
			out = append(out, m.Object.Metric.Name)
		case reason == "FailedGetExternalMetric" && m.External != nil:
			out = append(out, m.External.Metric.Name)
		}
	}
	return out
}
