package checks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// judgeServing returns one finding for each node that is not ready for secure TLS, or one
// for all.
func judgeServing(s *servingState) []verify.Finding {
	one := func(f verify.Finding) []verify.Finding { return []verify.Finding{f} }
	switch {
	case !s.nodes.ok():
		return one(unseen(s.nodes.err))
	case len(s.nodes.value) == 0:
		return one(verify.Skip("the cluster has no nodes"))
	}
	proven, latest := s.proven(), s.latest()
	off := no(s.facts.flag("kubelet_rotate_server_certificates"))
	if no(s.secure()) && len(latest) == 0 && (s.requests.err == nil || off) {
		return one(s.notAsked())
	}
	root := s.ladderRoot()
	var out []verify.Finding
	var bad, unknown []string
	for _, n := range s.nodes.value {
		r, asked := latest[n.Name]
		f := verify.Pass("")
		cause, line := s.shown(n.Name)
		switch {
		case asked:
			f = s.judgeRequest(n, r, proven[n.Name])
		case cause != "":
			f = servingFault(cause, n.Name).Seen("log: " + line)
		case !proven[n.Name]:
			unknown = append(unknown, n.Name)
			continue
		}
		if f.Verdict == verify.VerdictPass {
			continue
		}
		if bad = append(bad, n.Name); root != "" && (strings.HasPrefix(f.Cause, "kubelet-cert-") || cause == "kubelet-cert-missing") {
			f = verify.Because(root, "%s", f.Summary).Seen(f.Evidence...)
		}
		f.Subject, f.Of = n.Name, len(s.nodes.value)
		out = append(out, f)
	}
	total := len(s.nodes.value)
	tally := fmt.Sprintf("ready for secure TLS: %d of %d", total-len(bad)-len(unknown), total)
	if len(out) > 0 {
		verb := "are"
		if len(bad) == 1 {
			verb = "is"
		}
		for i := range out {
			line := fmt.Sprintf("%s, %s %s not", tally, some(bad, 8), verb)
			if len(unknown) > 0 {
				line += ", and nothing is said of " + some(unknown, 8)
			}
			out[i].Evidence = append([]string{line}, out[i].Evidence...)
		}
		return out
	}
	return one(s.fine(tally, unknown))
}

// fine is for a cluster without a certificate that is known to be bad.
func (s *servingState) fine(tally string, unknown []string) verify.Finding {
	switch {
	case len(unknown) == 0:
		return verify.Pass("%s", tally)
	case s.requests.err != nil:
		return unseen(s.requests.err)
	case len(unknown) < len(s.nodes.value):
		return verify.Pass("%s; nothing is said of %s, whose requests were answered more than an hour ago", tally, some(unknown, 8))
	case yes(s.facts.flag("kubelet_rotate_server_certificates")):
		return verify.Pass("no kubelet waits for a serving certificate (requests that were answered are forgotten after an hour)")
	}
	return verify.Skip("no kubelet has asked for a serving certificate, and nothing was seen of those that they have")
}

// notAsked is information: the easy default of Kubespray.
func (s *servingState) notAsked() verify.Finding {
	why := "metrics_server_kubelet_insecure_tls is true"
	if no(s.facts.asked(metricsServerAddon)) {
		why = "metrics-server is not asked for"
	}
	return verify.Skip("the kubelets sign their certificates themselves (kubelet_rotate_server_certificates is not on), and nothing asks for secure TLS: %s", why).
		Mend("for certificates of the cluster's CA: kubelet_rotate_server_certificates: true, and surespray run cluster.yml; then metrics_server_kubelet_insecure_tls: false")
}

// judgeRequest judges the newest request of a node.
func (s *servingState) judgeRequest(n corev1.Node, r certificatesv1.CertificateSigningRequest, proven bool) verify.Finding {
	age := s.now.Sub(r.CreationTimestamp.Time).Round(time.Second)
	said := fmt.Sprintf("CertificateSigningRequest %s of %s, %s old", r.Name, n.Name, age)
	approve := "kubectl certificate approve " + r.Name + " (after a look at it: kubectl describe csr " + r.Name + ")"
	approver := "kubectl -n kube-system logs -l app.kubernetes.io/name=kubelet-csr-approver (a name that DNS does not know is refused: kubelet_csr_approver_values: {bypassDnsResolution: true})"
	state := condition(r)
	switch {
	case len(r.Status.Certificate) > 0 && state != "Denied" && state != "Failed":
		return s.judgeCertificate(n, r.Status.Certificate, said)
	case state == "Denied":
		return verify.Fail("kubelet-csr-denied", "the serving certificate of %s was denied %s ago", n.Name, age).Seen(said+": "+reasonOf(r)).
			Mend(approver, "on "+n.Name+": systemctl restart kubelet (it asks again)")
	case state == "Failed":
		return verify.Fail("kubelet-csr-failed", "the serving certificate of %s could not be signed", n.Name).Seen(said+": "+reasonOf(r)).
			Mend("kubectl -n kube-system logs -l component=kube-controller-manager | grep "+r.Name, "on "+n.Name+": systemctl restart kubelet (it asks again)")
	case state == "Approved" && age < approvalPatience:
		return verify.Underway("kubelet-csr-unsigned", "the serving certificate of %s is approved, and not signed yet", n.Name).Seen(said)
	case state == "Approved":
		return verify.Fail("kubelet-csr-unsigned", "the serving certificate of %s is approved, and nobody signs it", n.Name).Seen(said).
			Mend("kubectl -n kube-system logs -l component=kube-controller-manager | grep -i certificate")
	case proven:
		return verify.Warn("kubelet-csr-pending", "%s has a certificate that is accepted, and waits for its next one for %s", n.Name, age).Seen(said).Mend(approve, approver)
	case age < approvalPatience:
		return verify.NotYet("kubelet-csr-pending", "%s waits for its serving certificate to be approved for %s", n.Name, age).Seen(said).Mend(approve, approver)
	}
	return verify.Fail("kubelet-csr-pending", "%s waits for its serving certificate to be approved for %s: nobody does", n.Name, age).Seen(said).Mend(approve, approver)
}

// condition is what became of a request; "" while it is pending.
func condition(r certificatesv1.CertificateSigningRequest) string {
	for _, t := range []certificatesv1.RequestConditionType{certificatesv1.CertificateDenied, certificatesv1.CertificateFailed, certificatesv1.CertificateApproved} {
		if slices.ContainsFunc(r.Status.Conditions, func(c certificatesv1.CertificateSigningRequestCondition) bool { return c.Type == t }) {
			return string(t)
		}
	}
	return ""
}

func reasonOf(r certificatesv1.CertificateSigningRequest) string {
	for _, c := range r.Status.Conditions {
		if c.Type != certificatesv1.CertificateApproved {
			return strings.TrimSpace(c.Reason + " " + c.Message)
		}
	}
	return ""
}
