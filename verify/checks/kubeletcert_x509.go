package checks

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// judgeCertificate looks at an issued serving certificate: whoever connects to the kubelet
// uses the node's InternalIP.
func (s *servingState) judgeCertificate(n corev1.Node, body []byte, said string) verify.Finding {
	cert := parseCertificate(body)
	if cert == nil {
		return verify.Unknown("certificate-unreadable", "the issued certificate of %s cannot be read", n.Name).Seen(said)
	}
	said = fmt.Sprintf("%s: issued by %q, for %v %v, until %s", said, cert.Issuer.CommonName, cert.DNSNames, cert.IPAddresses, cert.NotAfter.UTC().Format(time.RFC3339))
	for _, a := range n.Status.Addresses {
		if a.Type == corev1.NodeInternalIP && net.ParseIP(a.Address) != nil && cert.VerifyHostname(a.Address) != nil {
			f := servingFault("kubelet-cert-no-san", n.Name).Seen(said)
			f.Summary += ": it lacks " + a.Address
			return f
		}
	}
	switch {
	case s.now.After(cert.NotAfter):
		return servingFault("kubelet-cert-expired", n.Name).Seen(said)
	case cert.Issuer.String() == cert.Subject.String():
		return servingFault("kubelet-cert-unknown-ca", n.Name).Seen(said)
	}
	return verify.Pass("")
}

// servingFault is a certificate that is there and not accepted.
func servingFault(cause, node string) verify.Finding {
	if cause == "kubelet-cert-missing" {
		return verify.NotYet(cause, "the kubelet of %s has no serving certificate: its request for one is not answered", node).
			Mend("kubectl get csr; kubectl certificate approve NAME (the pending request of system:node:"+node+", after a look at it)", "on "+node+": systemctl restart kubelet (it asks again)")
	}
	why := map[string]string{
		"kubelet-cert-no-san":     "does not carry the node's address (no IP SAN)",
		"kubelet-cert-expired":    "is not valid now",
		"kubelet-cert-unknown-ca": "is of a CA that the cluster does not know, or signed by the kubelet itself",
	}[cause]
	return verify.Fail(cause, "the serving certificate of %s %s", node, why).
		Mend("set kubelet_rotate_server_certificates: true in group_vars (the cluster's CA then signs the kubelets' certificates; the CSR approver comes with it), surespray run cluster.yml, and verify again",
			"on "+node+", where that is on: systemctl restart kubelet (it asks for a new one)")
}

// parseCertificate reads the first certificate of a PEM text; nil where there is none.
func parseCertificate(body []byte) *x509.Certificate {
	block, _ := pem.Decode(body)
	if block == nil {
		return nil
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return cert
}
