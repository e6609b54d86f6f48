package checks

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/surespray/surespray/verify"
)

// judgeCoverage compares the nodes with their metrics: one finding for each node that
// has none, or none that are fresh; or one for all.
func judgeCoverage(s *metricsState) []verify.Finding {
	switch {
	case !s.nodes.ok():
		return []verify.Finding{unseen(s.nodes.err)}
	case s.metrics.err != nil:
		return []verify.Finding{s.noList()}
	case s.readyCount() == 0:
		return []verify.Finding{verify.NotYet("no-ready-node", "no node is Ready, so that there is nothing to measure").Mend("kubectl get nodes")}
	}
	var out []verify.Finding
	missing := s.missing()
	if len(missing) == s.readyCount() {
		out = append(out, s.noneCovered(missing))
	} else {
		for _, name := range missing {
			f := s.uncovered(name)
			f.Subject, f.Of, f.On = name, s.readyCount(), nil
			out = append(out, f)
		}
	}
	out = append(out, s.stale()...)
	if !trouble(out) {
		f := verify.Pass("fresh metrics of all %d Ready nodes", s.readyCount())
		f.Details = top(s.nodes.value, s.metrics.value)
		out = append(out, f)
	}
	return append(out, s.notReady()...)
}

// noList is for a metrics API that gives no list at all.
func (s *metricsState) noList() verify.Finding {
	if s.silent() {
		return unavailable(s.metrics.err)
	}
	return unseen(s.metrics.err)
}

// missing are the Ready nodes without metrics.
func (s *metricsState) missing() []string {
	have := map[string]bool{}
	for _, m := range s.metrics.value {
		have[m.Name] = true
	}
	var out []string
	for _, n := range s.nodes.value {
		if ready(n) && !have[n.Name] {
			out = append(out, n.Name)
		}
	}
	return out
}

func (s *metricsState) readyCount() int {
	count := 0
	for _, n := range s.nodes.value {
		if ready(n) {
			count++
		}
	}
	return count
}

// noneCovered is for an API that answers with an empty list.
func (s *metricsState) noneCovered(missing []string) verify.Finding {
	if names := s.failing(); len(names) > 0 {
		f := s.scrapeTrouble(names)
		f.Of = len(missing)
		f.Moving = f.Retry && s.warming()
		f.Summary = fmt.Sprintf("no node has metrics (%d Ready nodes): %s", len(missing), f.Summary)
		return f
	}
	if s.warming() {
		return verify.Underway("warming-up", "no node has metrics yet: metrics-server has started lately, and needs two scrapes (%s each)", s.resolution())
	}
	f := verify.NotYet("no-metrics", "no node has metrics (%d Ready nodes), and no log line tells why", len(missing))
	f.On = missing
	return f.Mend("kubectl -n " + s.namespace + " logs deployment/metrics-server")
}

// uncovered says why one Ready node has no metrics while others have.
func (s *metricsState) uncovered(name string) verify.Finding {
	if _, ok := s.scrapes()[name]; ok {
		f := s.scrapeTrouble([]string{name})
		f.Summary = "no metrics of " + f.Summary
		f.Moving = f.Retry && s.warming()
		return f
	}
	for _, n := range s.nodes.value {
		if c := nodeCondition(n, corev1.NodeReady); n.Name == name && c != nil && s.now.Sub(c.LastTransitionTime.Time) < 2*s.resolution()+15*time.Second {
			return verify.Underway("node-joined-lately", "no metrics of %s yet: it is Ready since %s, two scrapes are needed", name, s.now.Sub(c.LastTransitionTime.Time).Round(time.Second))
		}
	}
	if s.warming() {
		return verify.Underway("warming-up", "no metrics of %s yet: metrics-server has started lately", name)
	}
	return verify.NotYet("node-metrics-missing", "no metrics of %s, and no log line tells why", name).
		Mend("kubectl get --raw /apis/metrics.k8s.io/v1beta1/nodes/"+name, "kubectl -n "+s.namespace+" logs deployment/metrics-server | grep "+name)
}

// stale are the nodes whose metrics are older than two scrapes and their own window.
func (s *metricsState) stale() []verify.Finding {
	var out []verify.Finding
	for _, m := range s.metrics.value {
		limit := 2*s.resolution() + m.Window.Duration + 30*time.Second
		age := s.now.Sub(m.Timestamp.Time)
		if m.Timestamp.IsZero() || age <= limit || !s.isReady(m.Name) {
			continue
		}
		f := verify.NotYet("metrics-stale", "the metrics of %s are %s old", m.Name, age.Round(time.Second)).
			Seen(fmt.Sprintf("timestamp %s, API server's time %s", m.Timestamp.UTC().Format(time.RFC3339), s.now.UTC().Format(time.RFC3339))).
			Mend("on "+m.Name+": timedatectl (a wrong clock looks the same); systemctl status kubelet",
				"kubectl -n "+s.namespace+" logs deployment/metrics-server | grep "+m.Name)
		f.Subject, f.Of = m.Name, s.readyCount()
		out = append(out, f)
	}
	return out
}

// notReady warns of nodes whose kubelet is out: nobody expects their metrics.
func (s *metricsState) notReady() []verify.Finding {
	have := map[string]bool{}
	for _, m := range s.metrics.value {
		have[m.Name] = true
	}
	var out []verify.Finding
	for _, n := range s.nodes.value {
		if ready(n) || have[n.Name] {
			continue
		}
		f := verify.Warn("node-not-ready", "no metrics of %s: it is not Ready", n.Name).Mend("kubectl describe node " + n.Name)
		f.Subject, f.Of = n.Name, len(s.nodes.value)
		out = append(out, f)
	}
	return out
}

// top writes the numbers as kubectl top nodes does.
func top(nodes []corev1.Node, metrics []metricsv1beta1.NodeMetrics) []string {
	byName := map[string]corev1.Node{}
	width := len("NAME")
	for _, n := range nodes {
		byName[n.Name] = n
		width = max(width, len(n.Name))
	}
	lines := []string{fmt.Sprintf("%-*s   %-10s   %-6s   %-13s   %s", width, "NAME", "CPU(cores)", "CPU(%)", "MEMORY(bytes)", "MEMORY(%)")}
	for _, m := range metrics {
		cpu, memory := m.Usage.Cpu().MilliValue(), m.Usage.Memory().Value()
		can := byName[m.Name].Status.Allocatable
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%-*s   %-10s   %-6s   %-13s   %s", width, m.Name,
			fmt.Sprintf("%dm", cpu), percent(cpu, can.Cpu().MilliValue()),
			fmt.Sprintf("%dMi", memory>>20), percent(memory, can.Memory().Value()))))
	}
	return lines
}

func percent(used, of int64) string {
	if of <= 0 {
		return "-"
	}
	return fmt.Sprintf("%d%%", used*100/of)
}
