package checks

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// discovery is for an API server that does not get an answer from metrics-server.
func (s *metricsState) discovery(message string) verify.Finding {
	switch {
	case contains(message, "x509:", "tls:"):
		return verify.Fail("apiservice-ca-mismatch", "the API server does not accept the certificate of metrics-server").Mend(
			"set metrics_server_kubelet_insecure_tls: true and "+applyFix+" (Kubespray makes the APIService skip this check with the same variable)",
			"give the APIService the caBundle of the certificate that metrics-server serves (--tls-cert-file)")
	case contains(message, "connection refused"):
		return s.rooted(verify.NotYet("endpoint-refused", "nothing listens where the Service of metrics-server leads to").Mend(
			"kubectl -n "+s.namespace+" get pods,endpointslices -o wide; kubectl -n "+s.namespace+" logs deployment/metrics-server", applyFix))
	case contains(message, "no such host"):
		return verify.NotYet("service-name-unresolved", "the API server cannot resolve the name of the Service").Mend("check ExternalName and DNS of the control plane")
	case contains(message, "status code: 401", "status code: 403", "bad status", "Unauthorized"):
		return s.rooted(verify.NotYet("metrics-api-denied", "metrics-server does not let the API server in").Mend(
			applyFix, "kubectl -n kube-system get rolebinding metrics-server-auth-reader; kubectl get clusterrolebinding metrics-server:system:auth-delegator"))
	}
	return s.way(s.rooted(verify.NotYet("endpoint-timeout", "the API server gets no answer from metrics-server").Mend(
		"kubectl describe apiservice v1beta1.metrics.k8s.io")), message)
}

// way looks for what is between the API server and healthy pods: a proxy, or a network
// that the control plane cannot reach.
func (s *metricsState) way(f verify.Finding, message string) verify.Finding {
	if f.Cause != "endpoint-timeout" || s.warming() || judgePods(s).Verdict != verify.VerdictPass {
		return f
	}
	target := targetOf(message)
	for _, p := range s.apiServers.value {
		env := environment(p)
		proxy := first(env["HTTPS_PROXY"], env["https_proxy"])
		no := first(env["NO_PROXY"], env["no_proxy"])
		if proxy == "" || target == "" || exempt(no, target) {
			continue
		}
		g := verify.Fail("apiserver-proxy-no-proxy", "the API server sends its calls to metrics-server through a proxy: %s is not in its NO_PROXY", s.podRange(target))
		return g.Seen(fmt.Sprintf("pod %s: HTTPS_PROXY=%s NO_PROXY=%s", p.Name, hideUser(proxy), no), "metrics-server answers at "+target).Mend(
			"add the ranges of pods and services ("+s.ranges(target)+") through additional_no_proxy, then: surespray run cluster.yml --tags control-plane",
			"no_proxy must not be set by hand: it replaces the list that Kubespray makes")
	}
	if s.apiServers.err != nil {
		f = f.Seen("whether a proxy is in the way is not known: " + s.apiServers.err.Error())
	}
	g := verify.NotYet("apiserver-cannot-reach-pods", "the pods are ready, and the API server does not reach them at %s", target)
	return g.Seen(f.Evidence...).Mend(
		"check the network plugin on the control plane (overlay, ports between the nodes): kubectl -n kube-system get pods -o wide",
		"from a control plane: curl -k https://"+target+"/readyz")
}

var discoveryURL = regexp.MustCompile(`https://[^/\s"]+`)

// targetOf is the host and port that the aggregator asked.
func targetOf(message string) string {
	u, err := url.Parse(discoveryURL.FindString(message))
	if err != nil {
		return ""
	}
	return u.Host
}

// usualPods is the range that Kubespray gives the pods where nobody says otherwise.
const usualPods = "10.233.64.0/18"

// podRange is the pods' range where it is known, else Kubespray's own if the address is in
// it, else the address itself.
func (s *metricsState) podRange(target string) string {
	if s.facts.PodsSubnet == "" && exempt(usualPods, target) {
		return usualPods
	}
	return first(s.facts.PodsSubnet, target)
}

func (s *metricsState) ranges(target string) string {
	return strings.TrimSuffix(s.podRange(target)+", "+s.facts.ServicesSubnet, ", ")
}

// environment is what the first container of a pod gets, names in both cases.
func environment(p corev1.Pod) map[string]string {
	out := map[string]string{}
	for _, c := range p.Spec.Containers {
		for _, e := range c.Env {
			out[e.Name] = e.Value
		}
	}
	return out
}

// exempt reports whether a NO_PROXY list covers an address: by itself, or in a range.
func exempt(list, target string) bool {
	host := target
	if at, err := netip.ParseAddrPort(target); err == nil {
		host = at.Addr().String()
	} else if h, _, ok := strings.Cut(target, ":"); ok {
		host = h
	}
	addr, err := netip.ParseAddr(host)
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if p, perr := netip.ParsePrefix(word); err == nil && perr == nil && p.Contains(addr) {
			return true
		}
		if word == "*" || word == host || strings.HasSuffix(host, "."+strings.TrimPrefix(word, ".")) {
			return true
		}
	}
	return false
}

// hideUser takes name and password out of a proxy's address.
func hideUser(proxy string) string {
	u, err := url.Parse(proxy)
	if err != nil || u.User == nil {
		return proxy
	}
	u.User = nil
	return strings.Replace(u.String(), "://", "://***@", 1)
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
