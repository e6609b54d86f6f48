package checks

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// available is the condition of the APIService that says whether the API can be used.
func (s *metricsState) available() *apiregistrationv1.APIServiceCondition {
	if !s.api.ok() {
		return nil
	}
	for i, c := range s.api.value.Status.Conditions {
		if c.Type == apiregistrationv1.Available {
			return &s.api.value.Status.Conditions[i]
		}
	}
	return nil
}

// judgeAPIService judges the metrics API as its users see it: the registration, its
// condition, and whether it answers now. The condition follows with up to 18 seconds of
// delay, and it is no proof of an answer. Why it is not available is looked for below.
func judgeAPIService(s *metricsState) verify.Finding {
	if s.api.absent() {
		return s.notRegistered()
	}
	if s.api.blind() {
		if s.silent() {
			return s.rooted(unavailable(s.metrics.err)).Seen(s.api.err.Error())
		}
		return unseen(s.api.err)
	}
	c := s.available()
	switch {
	case c != nil && c.Status == apiregistrationv1.ConditionTrue && !s.silent():
		return s.answers()
	case c != nil && c.Status == apiregistrationv1.ConditionTrue:
		f := s.rooted(unavailable(s.metrics.err))
		f.Evidence = append([]string{conditionLine(*c) + " (the condition lags behind: the API itself does not answer)"}, f.Evidence...)
		return f
	case c == nil:
		return verify.Underway("apiservice-new", "the APIService v1beta1.metrics.k8s.io has no condition yet")
	}
	f := s.byReason(*c)
	f.Evidence = append([]string{conditionLine(*c)}, f.Evidence...)
	if s.metrics.ok() {
		// The API answers: the condition is of before.
		f.Retry = true
	}
	return f
}

func (s *metricsState) answers() verify.Finding {
	f := verify.Pass("v1beta1.metrics.k8s.io is available and answers")
	if s.metrics.err != nil {
		f = verify.Pass("v1beta1.metrics.k8s.io is available; its answer was not looked at").Seen(s.metrics.err.Error())
	}
	return f
}

func conditionLine(c apiregistrationv1.APIServiceCondition) string {
	return fmt.Sprintf("APIService v1beta1.metrics.k8s.io: Available=%s %s: %s", c.Status, c.Reason, c.Message)
}

// notRegistered is for an APIService that is not there.
func (s *metricsState) notRegistered() verify.Finding {
	if s.nothingThere() {
		return verify.Fail("addon-absent", "metrics-server is asked for, and not in the cluster").
			Seen("no APIService v1beta1.metrics.k8s.io, no Deployment " + s.namespace + "/" + metricsServerAddon).
			Mend("surespray addon apply metrics-server -e metrics_server_enabled=true")
	}
	return verify.Fail("apiservice-missing", "there is no APIService v1beta1.metrics.k8s.io: nobody is led to metrics-server").
		Seen("GET apiservice v1beta1.metrics.k8s.io: not found").Mend(applyFix)
}

// byReason looks for the root, led by the reason that the aggregator gives.
func (s *metricsState) byReason(c apiregistrationv1.APIServiceCondition) verify.Finding {
	name := s.namespace + "/" + s.name
	switch c.Reason {
	case "ServiceNotFound":
		if s.service.ok() {
			return s.notNoticed()
		}
		return s.rooted(verify.Fail("service-missing", "the Service %s is not there", name).Mend(applyFix))
	case "ServicePortError":
		return s.port()
	case "EndpointsNotFound", "MissingEndpoints":
		if s.service.ok() && s.slices.ok() && len(endpoints(s.slices.value)) > 0 {
			return s.portOrOutdated(c)
		}
		return s.rooted(verify.NotYet("endpoints-missing", "the Service %s has no ready endpoint", name).
			Mend("kubectl -n " + s.namespace + " get pods,endpointslices -o wide"))
	case "FailedDiscoveryCheck":
		return s.discovery(c.Message)
	}
	return s.rooted(verify.NotYet("apiservice-unavailable", "the metrics API is not available: %s", c.Reason).Mend("kubectl describe apiservice v1beta1.metrics.k8s.io"))
}

func (s *metricsState) notNoticed() verify.Finding {
	return verify.NotYet("apiservice-outdated", "what the APIService complains about is there now; the API server has not noticed yet").
		Mend("kubectl describe apiservice v1beta1.metrics.k8s.io")
}

// port is for an APIService that names a port which the Service does not have.
func (s *metricsState) port() verify.Finding {
	want := s.apiPort()
	if s.service.ok() {
		for _, p := range s.service.value.Spec.Ports {
			if p.Port == want {
				return s.notNoticed()
			}
		}
	}
	f := verify.Fail("service-port-mismatch", "the APIService asks for port %d, which Service %s/%s does not have", want, s.namespace, s.name)
	if s.service.ok() {
		f = f.Seen(fmt.Sprintf("ports of the Service: %s", servicePorts(s.service.value)))
	}
	return f.Mend(applyFix)
}

func (s *metricsState) apiPort() int32 {
	if s.api.ok() && s.api.value.Spec.Service != nil && s.api.value.Spec.Service.Port != nil {
		return *s.api.value.Spec.Service.Port
	}
	return 443
}

// elsewhere is for a Service that leads to a port on which metrics-server does not listen.
func (s *metricsState) elsewhere() (verify.Finding, bool) {
	listens := argument(s.args(), "secure-port")
	if listens == "" || !s.service.ok() || !s.slices.ok() {
		return verify.Finding{}, false
	}
	leads := ""
	for _, sl := range s.slices.value {
		for _, p := range sl.Ports {
			if p.Port == nil || fmt.Sprint(*p.Port) == listens {
				return verify.Finding{}, false
			}
			leads = fmt.Sprint(*p.Port)
		}
	}
	f := verify.Fail("service-port-mismatch", "Service %s/%s leads to port %s of the pods, and metrics-server listens on %s", s.namespace, s.name, leads, listens)
	return f.Seen("ports of the Service: "+servicePorts(s.service.value), "argument --secure-port="+listens).Mend(applyFix), leads != ""
}

func servicePorts(svc *corev1.Service) string {
	var out []string
	for _, p := range svc.Spec.Ports {
		out = append(out, fmt.Sprintf("%s %d -> %s", p.Name, p.Port, p.TargetPort.String()))
	}
	return some(out, 6)
}

// portOrOutdated is for endpoints that are there while the aggregator sees none: it
// looks for those with the Service's port name.
func (s *metricsState) portOrOutdated(c apiregistrationv1.APIServiceCondition) verify.Finding {
	for _, p := range s.service.value.Spec.Ports {
		if p.Port != s.apiPort() {
			continue
		}
		for _, sl := range s.slices.value {
			for _, ep := range sl.Ports {
				if ep.Name != nil && *ep.Name == p.Name {
					return s.notNoticed()
				}
			}
		}
		return verify.Fail("service-port-mismatch", "no EndpointSlice of Service %s/%s has a port named %q", s.namespace, s.name, p.Name).Seen(c.Message).Mend(applyFix)
	}
	return s.notNoticed()
}

// rooted puts the root from the rungs below in the place of what is only seen here. The
// lowest rung that explains the others is asked first.
func (s *metricsState) rooted(f verify.Finding) verify.Finding {
	below := []verify.Finding{}
	if s.selectsNothing() {
		below = append(below, s.mismatch())
	}
	if d := s.rollout(); d.Verdict == verify.VerdictFail && d.Cause != "not-available" && d.Cause != "rollout-stuck" && d.Cause != "rollout" {
		below = append(below, d)
	}
	below = append(below, judgePods(s))
	if g, ok := s.elsewhere(); ok {
		below = append(below, g)
	}
	if f.Cause == "metrics-api-silent" || f.Cause == "endpoint-timeout" {
		if g, ok := s.fatal(""); ok {
			below = append(below, g)
		}
	}
	below = append(below, judgeService(s), s.rollout())
	for _, root := range below {
		if root.Verdict == verify.VerdictFail && (root.Cause != "endpoints-missing" || !root.Retry) {
			root.Summary = "the metrics API is not available: " + root.Summary
			root.Evidence = append(append([]string(nil), f.Evidence...), root.Evidence...)
			return root
		}
	}
	if f.Verdict == verify.VerdictFail && s.warming() && f.Retry {
		f.Moving = true
	}
	return f
}

// unavailable is a metrics API that is registered and does not answer.
func unavailable(err error) verify.Finding {
	f := verify.NotYet("metrics-api-silent", "the metrics API does not answer")
	if contains(err.Error(), "connection refused") {
		f.Cause, f.Summary = "endpoint-refused", "nothing listens where the Service of metrics-server leads to"
	}
	return f.Seen(err.Error()).Mend("kubectl get --raw /apis/metrics.k8s.io/v1beta1/nodes", "kubectl -n kube-system get pods -l app.kubernetes.io/name=metrics-server -o wide", applyFix)
}

// silent reports whether it is the server behind the metrics API that did not answer,
// and not the way to the API server or a right.
func (s *metricsState) silent() bool {
	switch cluster.KindOf(s.metrics.err) {
	case cluster.KindUnavailable, cluster.KindNotFound:
		return true
	case cluster.KindTimeout, cluster.KindOther:
		return s.api.ok()
	}
	return false
}
