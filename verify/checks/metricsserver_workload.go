package checks

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/surespray/surespray/verify"
)

// applyFix brings the addon back to what the inventory says.
const applyFix = "surespray addon apply metrics-server"

// judgeService judges the Service and its endpoints.
func judgeService(s *metricsState) verify.Finding {
	name := s.namespace + "/" + s.name
	switch {
	case s.service.absent():
		if s.api.absent() && s.deployment.absent() {
			return verify.Fail("addon-absent", "there is no Service %s", name).Mend(applyFix)
		}
		return verify.Fail("service-missing", "there is no Service %s", name).
			Seen(fmt.Sprintf("GET service %s: not found", name)).Mend(applyFix)
	case s.service.blind():
		return unseen(s.service.err)
	case s.service.value.Spec.Type == corev1.ServiceTypeExternalName:
		return verify.Pass("Service %s leads to %s", name, s.service.value.Spec.ExternalName)
	}
	if s.selectsNothing() {
		return s.mismatch()
	}
	if s.slices.err != nil {
		return unseen(s.slices.err)
	}
	if up := endpoints(s.slices.value); len(up) > 0 {
		return verify.Pass("Service %s has the endpoints %s", name, some(up, 4))
	}
	if len(s.slices.value) == 0 && len(s.service.value.Spec.Selector) == 0 {
		return verify.Fail("endpoints-missing", "Service %s has no selector and no EndpointSlice", name).Mend(applyFix)
	}
	return verify.NotYet("endpoints-missing", "Service %s has no ready endpoint", name).
		Mend("kubectl -n " + s.namespace + " get pods,endpointslices -o wide")
}

// selectsNothing reports whether pods are there, and the Service's selector takes none.
func (s *metricsState) selectsNothing() bool {
	if !s.service.ok() || len(s.service.value.Spec.Selector) == 0 || !s.deployment.ok() || len(s.livePods()) == 0 {
		return false
	}
	for _, p := range s.livePods() {
		if hasLabels(p.Labels, s.service.value.Spec.Selector) {
			return false
		}
	}
	return true
}

func (s *metricsState) mismatch() verify.Finding {
	p := s.livePods()[0]
	return verify.Fail("service-selects-nothing", "Service %s/%s selects none of the pods of metrics-server", s.namespace, s.name).
		Seen("selector "+labels.FormatLabels(s.service.value.Spec.Selector), "labels of pod "+p.Name+": "+labels.FormatLabels(p.Labels)).
		Mend(applyFix)
}

func hasLabels(have, want map[string]string) bool {
	for k, v := range want {
		if have[k] != v {
			return false
		}
	}
	return true
}

// endpoints are the addresses that are ready, with their ports.
func endpoints(slices []discoveryv1.EndpointSlice) []string {
	var out []string
	for _, sl := range slices {
		for _, e := range sl.Endpoints {
			if e.Conditions.Ready != nil && !*e.Conditions.Ready {
				continue
			}
			for _, a := range e.Addresses {
				out = append(out, a+ports(sl.Ports))
			}
		}
	}
	return out
}

func ports(ports []discoveryv1.EndpointPort) string {
	if len(ports) > 0 && ports[0].Port != nil {
		return fmt.Sprintf(":%d", *ports[0].Port)
	}
	return ""
}

// judgeDeployment judges the rollout. Where it does not get on, the pods say why: while
// an old pod still serves, it shows nowhere else.
func judgeDeployment(s *metricsState) verify.Finding {
	f := s.rollout()
	if f.Cause != "not-available" && f.Cause != "rollout" && f.Cause != "rollout-stuck" {
		return f
	}
	p := judgePods(s)
	if p.Verdict != verify.VerdictFail || p.Cause == "no-pods" {
		return f
	}
	return blamed(f, p)
}

// rollout judges what the Deployment itself says.
func (s *metricsState) rollout() verify.Finding {
	if s.deployment.blind() {
		return unseen(s.deployment.err)
	}
	name := s.namespace + "/" + metricsServerAddon
	if s.deployment.absent() {
		if s.apiWorks() {
			return verify.Skip("there is no Deployment %s: something else serves the metrics API", name)
		}
		return verify.Fail("deployment-missing", "there is no Deployment %s", name).Mend(applyFix)
	}
	f := rollout(s.deployment.value)
	if f.Cause == "scaled-to-zero" {
		return f.Mend("kubectl -n "+s.namespace+" scale deployment metrics-server --replicas=1", applyFix)
	}
	return f
}

// apiWorks reports whether the metrics API answers.
func (s *metricsState) apiWorks() bool { return s.metrics.ok() }

// rollout judges any Deployment by its own status.
func rollout(d *appsv1.Deployment) verify.Finding {
	name := d.Namespace + "/" + d.Name
	want := int32(1)
	if d.Spec.Replicas != nil {
		want = *d.Spec.Replicas
	}
	look := fmt.Sprintf("kubectl -n %s describe deployment %s", d.Namespace, d.Name)
	for _, c := range d.Status.Conditions {
		said := fmt.Sprintf("Deployment %s: %s=%s %s: %s", name, c.Type, c.Status, c.Reason, c.Message)
		switch {
		case c.Type == appsv1.DeploymentReplicaFailure && c.Status == corev1.ConditionTrue:
			return verify.Fail("pod-create-failed", "no pod of Deployment %s can be created", name).Seen(said).
				Mend("kubectl -n " + d.Namespace + " get resourcequota,events; admission policies and PodSecurity of the namespace")
		case c.Reason == "ProgressDeadlineExceeded" && d.Status.ObservedGeneration >= d.Generation:
			return verify.Fail("rollout-stuck", "the rollout of Deployment %s has exceeded its deadline", name).Seen(said).Mend(look)
		}
	}
	switch {
	case want == 0:
		return verify.Fail("scaled-to-zero", "Deployment %s is scaled to 0", name)
	case d.Status.ObservedGeneration < d.Generation:
		return verify.Underway("rollout", "Deployment %s has changed, and the controller has not looked at it", name).Mend(look)
	case d.Status.Replicas > d.Status.UpdatedReplicas:
		return verify.Underway("rollout", "Deployment %s is being rolled out: %d of %d pods are of the new version, and an old one is still there", name, d.Status.UpdatedReplicas, want).Mend(look)
	case d.Status.AvailableReplicas < want:
		return verify.NotYet("not-available", "Deployment %s: %d of %d pods are available", name, d.Status.AvailableReplicas, want).Mend(look)
	}
	return verify.Pass("Deployment %s: %d of %d pods are available", name, d.Status.AvailableReplicas, want)
}

// judgePods says why pods are not ready. For one that runs, the reason is in its log.
func judgePods(s *metricsState) verify.Finding {
	if s.pods.err != nil {
		return unseen(s.pods.err)
	}
	pods := s.livePods()
	if len(pods) == 0 {
		if s.apiWorks() && !s.deployment.ok() {
			return verify.Skip("no pod is called metrics-server: something else serves the metrics API")
		}
		return verify.NotYet("no-pods", "there is no pod of metrics-server").
			Mend("kubectl -n " + s.namespace + " get replicasets,events --sort-by=.metadata.creationTimestamp")
	}
	worst := verify.Finding{}
	var fine []string
	for _, p := range pods {
		f := judgePod(p, s.events[p.Name], s.now, s.nodesFine())
		if f.Verdict == verify.VerdictPass {
			fine = append(fine, p.Name+" on "+orNode(p))
			continue
		}
		if f = s.explained(p, f); worst.Summary == "" || worst.Retry && !f.Retry {
			worst = f
		}
	}
	if worst.Summary != "" {
		return worst
	}
	if f, ok := killedLately(pods, s.now); ok {
		return f
	}
	return verify.Pass("ready: %s", some(fine, 4))
}

// killedLately warns of a pod that is ready now, and was killed for its memory within the
// last day: it will be again.
func killedLately(pods []corev1.Pod, now time.Time) (verify.Finding, bool) {
	for _, p := range pods {
		c := containerStatus(p, mainContainer(p))
		if c == nil || c.LastTerminationState.Terminated == nil || c.LastTerminationState.Terminated.Reason != "OOMKilled" {
			continue
		}
		t := c.LastTerminationState.Terminated
		if !t.FinishedAt.IsZero() && now.Sub(t.FinishedAt.Time) > 24*time.Hour {
			continue
		}
		return verify.Warn(oomKilled, "pod %s is ready, and was killed for its memory before: %d restarts", p.Name, c.RestartCount).
			Seen(fmt.Sprintf("container %s: last state OOMKilled, exit code %d", c.Name, t.ExitCode)).
			Mend("raise metrics_server_limits_memory and metrics_server_requests_memory (200Mi by default), then "+applyFix, "surespray verify metrics-server.drift (do the limits in the cluster agree with the inventory?)"), true
	}
	return verify.Finding{}, false
}

// explained puts the reason from the log in the place of what only the state says.
func (s *metricsState) explained(p corev1.Pod, f verify.Finding) verify.Finding {
	if f.Cause != "not-ready" && f.Cause != "crash-loop" {
		return f
	}
	if g, ok := onLostNode(p, f, s.nodes.value); ok {
		return g
	}
	if g, ok := s.fatal(p.Name); ok {
		return g.Seen(f.Evidence...)
	}
	if f.Cause != "not-ready" {
		return f
	}
	if names := s.failingAll(p.Name); len(names) > 0 {
		g := s.scrapeTrouble(names)
		g.Summary = fmt.Sprintf("pod %s is not ready because it gets no metrics: %s", p.Name, g.Summary)
		return g.Seen(f.Evidence...)
	}
	if s.warming() {
		g := verify.Underway("warming-up", "pod %s has started lately: its first metrics take the probe's delay and two scrapes (%s each)", p.Name, s.resolution())
		return g.Seen(f.Evidence...).Mend(f.Fix...)
	}
	return f
}

// nodesFine reports whether every node is Ready, so that none is about to become so.
func (s *metricsState) nodesFine() bool {
	if !s.nodes.ok() || len(s.nodes.value) == 0 {
		return false
	}
	for _, n := range s.nodes.value {
		if !ready(n) {
			return false
		}
	}
	return true
}

func contains(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
