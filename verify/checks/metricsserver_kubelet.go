package checks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// failing are the Ready nodes that metrics-server fails to scrape: those without metrics
// that its log names. Where metrics or nodes cannot be seen, the log alone counts, as far
// as it is of now.
func (s *metricsState) failing() []string {
	var out []string
	scrapes := s.scrapes()
	if s.nodes.ok() && s.metrics.ok() {
		for _, n := range s.missing() {
			if _, ok := scrapes[n]; ok {
				out = append(out, n)
			}
		}
		return out
	}
	for name, f := range scrapes {
		if s.recent(f) && s.isReady(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// recent reports whether a failure is of the last two scrapes.
func (s *metricsState) recent(f scrape) bool {
	return f.at.IsZero() || s.now.Sub(f.at) < 2*s.resolution()+15*time.Second
}

// failingAll are the Ready nodes that one pod fails to scrape, when none is left that it
// could: then it gets no metrics, and cannot become ready.
func (s *metricsState) failingAll(pod string) []string {
	var names []string
	for name, f := range s.scrapes() {
		if f.pod == pod && s.recent(f) && s.isReady(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if s.nodes.ok() && len(names) < s.readyCount() {
		return nil
	}
	return names
}

// isReady reports whether a node is Ready; a node that cannot be seen may be.
func (s *metricsState) isReady(name string) bool {
	if !s.nodes.ok() {
		return true
	}
	for _, n := range s.nodes.value {
		if n.Name == name {
			return ready(n)
		}
	}
	return false
}

// scrapeTrouble is one finding about nodes that cannot be scraped, with the cause that
// most of them have.
func (s *metricsState) scrapeTrouble(nodes []string) verify.Finding {
	all := s.scrapes()
	byCause := map[string][]string{}
	for _, n := range nodes {
		cause := s.causeFor(n, all[n])
		byCause[cause] = append(byCause[cause], n)
	}
	cause := ""
	for c, names := range byCause {
		if cause == "" || len(names) > len(byCause[cause]) || len(names) == len(byCause[cause]) && c < cause {
			cause = c
		}
	}
	names := byCause[cause]
	f := verify.NotYet(cause, "%s %s", some(names, 8), scrapePhrase(cause))
	f.On = names
	final := true
	for i, n := range nodes {
		final = final && s.final(all[n])
		if i < 4 {
			f = f.Seen("log: " + all[n].line)
		}
	}
	if len(byCause) > 1 {
		for _, c := range slices.Sorted(maps.Keys(byCause)) {
			if c != cause {
				f = f.Seen("also " + c + ": " + some(byCause[c], 8))
			}
		}
	}
	f.Retry = !final
	return f.Mend(s.scrapeFix(cause, names)...)
}

// causeFor is the cause of one node's failure. A timeout to the very node that the pod
// runs on is a way that is closed, not a kubelet that is down.
func (s *metricsState) causeFor(node string, f scrape) string {
	if f.cause != "kubelet-timeout" {
		return f.cause
	}
	for _, l := range s.logs {
		if l.pod.Name == f.pod && l.pod.Spec.NodeName == node && !l.pod.Spec.HostNetwork {
			return "pod-to-own-node-blocked"
		}
	}
	return f.cause
}

func scrapePhrase(cause string) string {
	switch cause {
	case "kubelet-cert-no-san":
		return "show a kubelet certificate without the node's address (no IP SAN), which metrics-server does not accept"
	case "kubelet-cert-unknown-ca":
		return "show a kubelet certificate of a CA that metrics-server does not know"
	case "kubelet-cert-expired":
		return "show a kubelet certificate that is not valid now"
	case "kubelet-cert-missing":
		return "have no serving certificate: the kubelet's request for one is not answered"
	case "kubelet-refused":
		return "refuse the connection to the kubelet's port"
	case "kubelet-no-route":
		return "cannot be reached: no route"
	case "kubelet-timeout":
		return "give no answer on the kubelet's port: it is filtered on the way"
	case "pod-to-own-node-blocked":
		return "gives no answer to the pod that runs on it: the way from the pod network to its own host is closed"
	case "kubelet-unauthorized":
		return "do not let metrics-server read the kubelet's metrics"
	case "node-address-missing":
		return "have no address of the types that metrics-server prefers"
	case "node-name-unresolved":
		return "have a name that metrics-server cannot resolve"
	}
	return "could not be scraped"
}

// scrapeFix is what to do about it, the better way first.
func (s *metricsState) scrapeFix(cause string, nodes []string) []string {
	first := nodes[0]
	switch cause {
	case "kubelet-cert-no-san", "kubelet-cert-unknown-ca", "kubelet-cert-expired":
		fixes := []string{
			"set kubelet_rotate_server_certificates: true in group_vars (the cluster's CA then signs the kubelets' certificates; the CSR approver comes with it), surespray run cluster.yml, and verify again",
			"set metrics_server_kubelet_insecure_tls: true and " + applyFix + " (metrics-server then trusts any kubelet: less secure)",
		}
		if yes(s.facts.KubeletInsecureTLS) && !slices.ContainsFunc(s.args(), func(a string) bool { return strings.HasPrefix(a, "--kubelet-insecure-tls") }) {
			return append([]string{applyFix + " (the inventory asks for --kubelet-insecure-tls, the live Deployment is without it)"}, fixes[0])
		}
		return fixes
	case "kubelet-cert-missing":
		return []string{
			"kubectl get csr; kubectl certificate approve NAME (the pending request of system:node:" + first + ", after a look at it)",
			"let the approver do it: kubelet_csr_approver_enabled: true, surespray run cluster.yml; its log: kubectl -n kube-system logs -l app.kubernetes.io/name=kubelet-csr-approver",
		}
	case "kubelet-refused":
		return []string{kubeletFix(first), "on " + first + ": ss -lntp | grep 10250"}
	case "kubelet-timeout":
		return []string{"open TCP 10250 of " + some(nodes, 4) + " for the pod network and the other nodes (host firewall, security group)"}
	case "pod-to-own-node-blocked":
		return []string{
			fmt.Sprintf("allow the pod network %sto reach TCP 10250 on its own host (firewall of %s)", pad(s.facts.PodsSubnet), first),
			"use the host network with another port: metrics_server_host_network: true, metrics_server_container_port: 4443, then " + applyFix,
		}
	case "kubelet-no-route":
		return []string{"check the routes from the pod network to " + some(nodes, 4) + ": kubectl get nodes -o wide; ip route on the node of the pod"}
	case "kubelet-unauthorized":
		return []string{applyFix + " (ClusterRole system:metrics-server needs nodes/metrics)", "kubelet_authentication_token_webhook and kubelet_authorization_mode_webhook must be true"}
	case "node-address-missing", "node-name-unresolved":
		return []string{"set metrics_server_kubelet_preferred_address_types to a type that the nodes have (kubectl get nodes -o wide), then " + applyFix}
	}
	return []string{"kubectl -n " + s.namespace + " logs deployment/metrics-server | grep -e " + first}
}

func pad(s string) string {
	if s == "" {
		return ""
	}
	return s + " "
}

// judgeKubelets judges the way from metrics-server to each kubelet.
func judgeKubelets(s *metricsState) verify.Finding {
	if names := s.failing(); len(names) > 0 {
		return s.scrapeTrouble(names)
	}
	switch {
	case !s.nodes.ok():
		return unseen(s.nodes.err)
	case s.metrics.ok() && len(s.metrics.value) > 0 && len(s.missing()) == 0:
		return verify.Pass("metrics-server gets through to the kubelets of all %d Ready nodes", s.readyCount())
	case cluster.NotCaptured(s.pods.err):
		return unseen(s.pods.err)
	case len(s.logs) > 0 && cluster.NotCaptured(s.logs[0].current.err):
		return unseen(s.logs[0].current.err)
	case len(s.logs) == 0 || s.logs[0].current.err != nil:
		return verify.NotYet("no-log", "without metrics and without a log, nothing tells whether kubelets can be reached")
	case s.silent(), s.metrics.blind() && !s.logged():
		return verify.NotYet("no-metrics", "the log names no kubelet that cannot be reached, and there are no metrics that prove one")
	}
	return verify.Pass("the log names no kubelet that cannot be reached")
}

// logged reports whether there is any log.
func (s *metricsState) logged() bool {
	for _, l := range s.logs {
		if l.current.value != "" {
			return true
		}
	}
	return false
}
