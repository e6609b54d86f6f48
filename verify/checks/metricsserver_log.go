package checks

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/surespray/surespray/verify"
)

// scrape is the last failure of one node in a log.
type scrape struct {
	line  string
	err   string
	cause string
	at    time.Time // zero: the line has no time that can be read
	pod   string
	count int // failures since the run that is verified
}

var (
	scrapeLine = regexp.MustCompile(`"Failed to scrape node(?:, timeout to access kubelet)?" err="((?:[^"\\]|\\.)*)" node="([^"]+)"`)
	klogTime   = regexp.MustCompile(`^[IWEF](\d{4} \d{2}:\d{2}:\d{2})\.\d+`)
)

// scrapes reads from the logs the last failure of every node.
func (s *metricsState) scrapes() map[string]scrape {
	out := map[string]scrape{}
	for _, l := range s.logs {
		for line := range strings.Lines(l.current.value) {
			m := scrapeLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			f := scrape{
				line: strings.TrimSpace(line), err: strings.ReplaceAll(m[1], `\"`, `"`), at: s.lineTime(line), pod: l.pod.Name,
				count: out[m[2]].count,
			}
			f.cause = scrapeCause(f.err)
			if f.at.IsZero() || f.at.After(s.since) {
				f.count++
			}
			out[m[2]] = f
		}
	}
	return out
}

// lineTime reads the time that klog puts before a line, which has no year.
func (s *metricsState) lineTime(line string) time.Time {
	m := klogTime.FindStringSubmatch(line)
	if m == nil {
		return time.Time{}
	}
	t, err := time.Parse("2006 0102 15:04:05", fmt.Sprintf("%d %s", s.now.UTC().Year(), m[1]))
	if err != nil {
		return time.Time{}
	}
	if t.After(s.now.Add(24 * time.Hour)) {
		t = t.AddDate(-1, 0, 0)
	}
	return t
}

// scrapeCause classifies what metrics-server says about a kubelet.
func scrapeCause(err string) string {
	switch {
	case contains(err, "contain any IP SANs", "not valid for any names", "certificate is valid for", "is not valid for"):
		return "kubelet-cert-no-san"
	case contains(err, "certificate has expired", "not yet valid"):
		return "kubelet-cert-expired"
	case contains(err, "remote error: tls: internal error"): // a kubelet whose request is not answered
		return "kubelet-cert-missing"
	case contains(err, "unknown authority", "x509:", "tls:"):
		return "kubelet-cert-unknown-ca"
	case contains(err, "connection refused"):
		return "kubelet-refused"
	case contains(err, "no route to host", "network is unreachable"):
		return "kubelet-no-route"
	case contains(err, "deadline exceeded", "i/o timeout", "Client.Timeout", "timed out"):
		return "kubelet-timeout"
	case contains(err, "401", "403", "Unauthorized", "Forbidden", "forbidden"):
		return "kubelet-unauthorized"
	case contains(err, "no address matched types"):
		return "node-address-missing"
	case contains(err, "no such host"):
		return "node-name-unresolved"
	}
	return "kubelet-scrape-failed"
}

// lasting reports whether a cause stays until somebody changes something.
func lasting(cause string) bool {
	switch cause {
	case "kubelet-cert-no-san", "kubelet-cert-expired", "kubelet-cert-unknown-ca", "kubelet-unauthorized", "node-address-missing":
		return true
	}
	return false
}

// final reports whether a failure is there to stay: of a lasting kind, seen in the last
// two scrapes, and after a run twice, because certificates may be on their way.
func (s *metricsState) final(f scrape) bool {
	if !lasting(f.cause) || !s.recent(f) {
		return false
	}
	if s.since.IsZero() {
		return true
	}
	return f.count >= 2
}

// fatal looks in a pod's logs for what keeps metrics-server from working at all.
func (s *metricsState) fatal(pod string) (verify.Finding, bool) {
	for _, l := range s.logs {
		if l.pod.Name != pod && pod != "" {
			continue
		}
		for _, text := range []string{l.current.value, l.previous.value} {
			f, line, ok := judgeFatal(text)
			if !ok {
				continue
			}
			if at := s.lineTime(line); !at.IsZero() && at.Before(s.since) {
				f.Retry = true // of before the run that is verified
			}
			return f, true
		}
	}
	return verify.Finding{}, false
}

// fatalLine is a kind of line that says why metrics-server cannot work.
type fatalLine struct {
	cause, summary, fix string
	words               []string
}

func fatalLines() []fatalLine {
	return []fatalLine{
		{"rbac-missing", "metrics-server may not read what it needs", applyFix, []string{"is forbidden: User", "extension-apiserver-authentication in kube-system. Usually fixed by"}},
		{"port-in-use", "the port of metrics-server is taken on its node", "with metrics_server_host_network: true set metrics_server_container_port to a free port, such as 4443 (10250 is the kubelet's); then " + applyFix, []string{"bind: address already in use"}},
		{"bad-argument", "metrics-server does not take one of its arguments", "kubectl -n kube-system get deployment metrics-server -o yaml (args); then " + applyFix, []string{"unknown flag:", "invalid argument", "metric-resolution should be larger", "unknown shorthand flag"}},
		{"pod-cannot-reach-api", "the pod of metrics-server does not reach the API server", "check the network plugin and kube-proxy on the pod's node: kubectl -n kube-system get pods -o wide", []string{":443: i/o timeout", ":443: connect: connection refused", ":443: connect: no route to host", ":443/api"}},
	}
}

// judgeFatal reads a log for lines that say why metrics-server cannot work; the latest
// such line counts.
func judgeFatal(log string) (f verify.Finding, line string, found bool) {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.Contains(lines[i], "subjectaccessreviews") || strings.Contains(lines[i], "Failed to scrape node") {
			continue
		}
		for _, k := range fatalLines() {
			if !contains(lines[i], k.words...) {
				continue
			}
			if k.cause == "pod-cannot-reach-api" && !contains(lines[i], "timeout", "refused", "no route") {
				continue
			}
			f := verify.NotYet(k.cause, "%s", k.summary).Seen("log: " + strings.TrimSpace(lines[i])).Mend(k.fix)
			f.Retry = k.cause == "pod-cannot-reach-api" || k.cause == "rbac-missing"
			return f, lines[i], true
		}
	}
	return verify.Finding{}, "", false
}

// judgeLog judges what the log says about metrics-server itself; about single kubelets
// speaks the next rung.
func judgeLog(s *metricsState) verify.Finding {
	if s.pods.err != nil {
		return unseen(s.pods.err)
	}
	if len(s.logs) == 0 {
		if s.apiWorks() {
			return verify.Skip("there is no pod of metrics-server whose log could be read")
		}
		return verify.NotYet("no-log", "no container of metrics-server has run")
	}
	broken := !s.apiWorks() || !podReady(s.logs[0].pod)
	if f, ok := s.fatal(""); ok && broken {
		return f
	}
	for _, l := range s.logs {
		if l.current.err != nil {
			return s.logUnseen(l)
		}
	}
	if names := s.failing(); len(names) > 0 {
		f := s.scrapeTrouble(names)
		f.Summary = "the log tells of kubelets that cannot be scraped: " + f.Summary
		return f
	}
	lines := 0
	for _, l := range s.logs {
		lines += strings.Count(l.current.value, "\n")
	}
	if lines == 0 {
		return verify.Pass("the log is empty")
	}
	return verify.Pass("the last %d lines tell of no trouble that lasts", lines)
}

// logUnseen is for a log that could not be read: by the API server from the kubelet.
func (s *metricsState) logUnseen(l podLog) verify.Finding {
	f := unseen(l.current.err)
	if f.Cause == "rbac-denied" || f.Verdict == verify.VerdictSkip {
		return f
	}
	f.Cause, f.Retry = "log-unreadable", false
	f.Summary = fmt.Sprintf("the log of pod %s cannot be read: the API server does not get it from the kubelet of %s", l.pod.Name, orNode(l.pod))
	return f.Seen(l.current.err.Error()).Mend("kubectl -n "+l.pod.Namespace+" logs "+l.pod.Name, "open TCP 10250 of the nodes for the control plane")
}
