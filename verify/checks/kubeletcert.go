package checks

import (
	"context"
	"slices"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const kubeletServing = "kubelet.serving-cert"

// approvalPatience is how long a request may wait for the approver before it is taken
// for forgotten.
const approvalPatience = 5 * time.Minute

func kubeletCert(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	return []verify.Check{{
		ID: kubeletServing, Title: "The kubelets' serving certificates are fit for secure TLS", Area: "kubelet",
		Needs: []string{apiHealth, apiIdentity, msAPIService},
		Access: []verify.Access{
			right("certificates.k8s.io", "certificatesigningrequests", "list"), right("", "nodes", "list"),
			right("", "pods/log", "get"), right("metrics.k8s.io", "nodes", "list"),
		},
		Help: "Looks for each node at the requests for a serving certificate (pending, denied, issued), at the issued certificate itself, and at what metrics-server says of the kubelet's; " +
			"no connection is made to a kubelet. Without one kubectl logs and exec fail on the node, and metrics too. " +
			"Fix: kubectl certificate approve, or the CSR approver (kubelet_csr_approver_enabled). https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/#certificate-rotation",
		Run: func(ctx context.Context) []verify.Finding {
			s, err := shareMetrics(ctx, c, f, o)
			if err != nil {
				return []verify.Finding{unseen(err)}
			}
			return judgeServing(&servingState{
				now: c.Now(), facts: f, nodes: look(c.Nodes(ctx)), requests: look(c.CertificateRequests(ctx)), metrics: s,
			})
		},
	}}
}

// servingState is what the serving certificates are judged by.
type servingState struct {
	now      time.Time
	facts    Facts
	nodes    seen[[]corev1.Node]
	requests seen[[]certificatesv1.CertificateSigningRequest]
	metrics  *metricsState
}

// secure reports whether something in the cluster verifies kubelets' certificates; nil:
// not known.
func (s *servingState) secure() *bool {
	want := func(v bool) *bool { return &v }
	if yes(s.facts.flag("kubelet_rotate_server_certificates")) {
		return want(true)
	}
	if no(s.facts.asked(metricsServerAddon)) {
		return want(false)
	}
	if insecure := s.insecure(); insecure != nil {
		return want(!*insecure)
	}
	return nil
}

// insecure is what the live metrics-server does, else what the inventory asks of it.
func (s *servingState) insecure() *bool {
	if args := s.metrics.args(); len(args) > 0 {
		v := argument(args, "kubelet-insecure-tls") == "true"
		return &v
	}
	return s.facts.KubeletInsecureTLS
}

// proven are the nodes whose certificate a metrics-server that verifies it accepts.
func (s *servingState) proven() map[string]bool {
	out := map[string]bool{}
	if v := s.insecure(); v == nil || *v || !s.metrics.metrics.ok() {
		return out
	}
	for _, m := range s.metrics.metrics.value {
		if m.Timestamp.IsZero() || s.now.Sub(m.Timestamp.Time) < 2*s.metrics.resolution()+m.Window.Duration+30*time.Second {
			out[m.Name] = true
		}
	}
	return out
}

// shown is what metrics-server, or the API server itself, says of a node's certificate;
// "" where nothing was said lately.
func (s *servingState) shown(node string) (cause, line string) {
	if f, ok := s.metrics.scrapes()[node]; ok && s.metrics.recent(f) && strings.HasPrefix(f.cause, "kubelet-cert-") {
		return f.cause, f.line
	}
	for _, l := range s.metrics.logs {
		if l.pod.Spec.NodeName == node && l.current.err != nil && contains(l.current.err.Error(), "x509:", "tls:") {
			return scrapeCause(l.current.err.Error()), l.current.err.Error()
		}
	}
	return "", ""
}

// latest is the newest request of each node, by the user that asked.
func (s *servingState) latest() map[string]certificatesv1.CertificateSigningRequest {
	out := map[string]certificatesv1.CertificateSigningRequest{}
	for _, r := range s.requests.value {
		node, ok := strings.CutPrefix(r.Spec.Username, "system:node:")
		if !ok || r.Spec.SignerName != certificatesv1.KubeletServingSignerName {
			continue
		}
		if old, there := out[node]; !there || old.CreationTimestamp.Before(&r.CreationTimestamp) {
			out[node] = r
		}
	}
	return out
}

// ladderRoot is the rung of metrics-server's ladder that names a certificate as the root
// of what people see; "" where none does.
func (s *servingState) ladderRoot() string {
	judged := judgeMetrics(s.metrics)
	for _, id := range rungs() {
		if slices.ContainsFunc(judged[id], func(f verify.Finding) bool {
			return f.Verdict == verify.VerdictFail && strings.HasPrefix(f.Cause, "kubelet-cert-")
		}) {
			return id
		}
	}
	return ""
}
