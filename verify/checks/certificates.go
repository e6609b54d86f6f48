package checks

import (
	"context"
	"crypto/x509"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const certificatesExpiry = "certificates.expiry"

// renewBefore is how long before its end a certificate is warned of. Of one that lives
// for weeks only, the last third counts.
const renewBefore = 30 * 24 * time.Hour

func certificates(c *cluster.Cluster) []verify.Check {
	return []verify.Check{{
		ID: certificatesExpiry, Title: "No certificate is about to expire", Area: "certificates", Needs: []string{apiHealth, apiIdentity},
		Access: []verify.Access{right("certificates.k8s.io", "certificatesigningrequests", "list")},
		Help: "Looks at the certificate that the API server shows to us, at that of the kubeconfig's user, and at those that kubelets were issued lately; warns 30 days before the end. " +
			"Fix: surespray run cluster.yml renews those of the control plane, or kubeadm certs renew all on each. https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/",
		Run: func(ctx context.Context) []verify.Finding {
			requests := look(c.CertificateRequests(ctx)) // the first request shows the server's certificate
			return judgeExpiry(c.Certificates(), requests, c.Now())
		},
	}}
}

// judgeExpiry returns one finding for each certificate that is near its end, or one for
// all.
func judgeExpiry(own cluster.Certificates, requests seen[[]certificatesv1.CertificateSigningRequest], now time.Time) []verify.Finding {
	var out []verify.Finding
	var fine []string
	add := func(subject, what string, cert *x509.Certificate, fix string) {
		if cert == nil {
			return
		}
		if f := judgeEnd(what, cert, now, fix); f.Verdict != verify.VerdictPass {
			f.Subject = subject
			out = append(out, f)
			return
		}
		fine = append(fine, fmt.Sprintf("%s until %s", what, cert.NotAfter.UTC().Format(time.DateOnly)))
	}
	add("api-server", "the API server's certificate", own.Server, "surespray run cluster.yml --tags control-plane, or on each control plane: kubeadm certs renew all, then restart its static pods")
	add("kubeconfig", "the certificate of the kubeconfig's user", own.Client, "fetch a fresh kubeconfig (kubeadm certs renew admin.conf on a control plane), or use another --kubeconfig")
	kubelets := kubeletCertificates(requests.value)
	for _, key := range slices.Sorted(maps.Keys(kubelets)) {
		cert := kubelets[key]
		if lifetime := cert.NotAfter.Sub(cert.NotBefore); now.Before(cert.NotAfter) && cert.NotAfter.Sub(now) > lifetime/10 {
			continue // kubelets renew theirs by themselves, in the last third of its life
		}
		node, kind, _ := strings.Cut(key, " ")
		add(node+" "+kind, fmt.Sprintf("the %s certificate of the kubelet of %s", kind, node), cert, "on "+node+": journalctl -u kubelet | grep -i certificate; systemctl restart kubelet")
	}
	switch {
	case len(out) > 0:
		return out
	case len(fine) == 0 && requests.err != nil:
		return []verify.Finding{unseen(requests.err)}
	case len(fine) == 0:
		return []verify.Finding{verify.Skip("no certificate was seen: the connection shows none")}
	}
	return []verify.Finding{verify.Pass("%s", some(fine, 4))}
}

func judgeEnd(what string, cert *x509.Certificate, now time.Time, fix string) verify.Finding {
	left := cert.NotAfter.Sub(now)
	said := fmt.Sprintf("%q of %q, valid until %s", cert.Subject.CommonName, cert.Issuer.CommonName, cert.NotAfter.UTC().Format(time.RFC3339))
	switch {
	case left <= 0:
		return verify.Fail("certificate-expired", "%s has expired %s ago", what, days(-left)).Seen(said).Mend(fix)
	case left < min(renewBefore, cert.NotAfter.Sub(cert.NotBefore)/3):
		return verify.Warn("certificate-expiring", "%s expires in %s", what, days(left)).Seen(said).Mend(fix)
	}
	return verify.Pass("")
}

// days tells a time in whole days, or in hours where it is short.
func days(d time.Duration) string {
	if d < 48*time.Hour {
		return d.Round(time.Hour).String()
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// kubeletCertificates are the newest that were issued, by node and kind.
func kubeletCertificates(requests []certificatesv1.CertificateSigningRequest) map[string]*x509.Certificate {
	out := map[string]*x509.Certificate{}
	for _, r := range requests {
		kind := ""
		switch r.Spec.SignerName {
		case certificatesv1.KubeletServingSignerName:
			kind = "serving"
		case certificatesv1.KubeAPIServerClientKubeletSignerName:
			kind = "client"
		}
		cert := parseCertificate(r.Status.Certificate)
		if kind == "" || cert == nil {
			continue
		}
		node := strings.TrimPrefix(cert.Subject.CommonName, "system:node:")
		if old := out[node+" "+kind]; old == nil || old.NotBefore.Before(cert.NotBefore) {
			out[node+" "+kind] = cert
		}
	}
	return out
}
