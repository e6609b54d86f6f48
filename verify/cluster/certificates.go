package cluster

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"sync"

	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// CertificateRequests lists the certificate signing requests. The controller manager
// removes those that were answered after an hour, and those that wait after a day.
func (c *Cluster) CertificateRequests(ctx context.Context) ([]certificatesv1.CertificateSigningRequest, error) {
	a := access("certificates.k8s.io", "certificatesigningrequests", "list")
	return pages(ctx, c, a, "", "", func(ctx context.Context, o metav1.ListOptions) ([]certificatesv1.CertificateSigningRequest, string, error) {
		l, err := c.client.CertificatesV1().CertificateSigningRequests().List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// Certificates are what this connection shows of itself.
type Certificates struct {
	Server *x509.Certificate // that the API server showed; nil: not seen
	Client *x509.Certificate // that the kubeconfig's user has; nil: another kind of credentials
}

// Certificates tells the certificates of this connection. The server's is known once a
// request was answered.
func (c *Cluster) Certificates() Certificates {
	c.handshake.mu.Lock()
	defer c.handshake.mu.Unlock()
	return Certificates{Server: c.handshake.server, Client: c.handshake.client}
}

// handshake remembers the certificate that the API server showed last.
type handshake struct {
	mu             sync.Mutex
	server, client *x509.Certificate
}

// noting is a transport that shows the handshake every response.
type noting struct {
	next http.RoundTripper
	seen *handshake
}

// RoundTrip sends the request on, unchanged.
func (n *noting) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := n.next.RoundTrip(r)
	if err == nil && response.TLS != nil && len(response.TLS.PeerCertificates) > 0 {
		n.seen.mu.Lock()
		n.seen.server = response.TLS.PeerCertificates[0]
		n.seen.mu.Unlock()
	}
	return response, err
}

// clientCertificate is the kubeconfig user's own; nil where there is none. What cannot be
// read is reported by the client that needs it.
func clientCertificate(settings *rest.Config) *x509.Certificate {
	copied := rest.CopyConfig(settings)
	if err := rest.LoadTLSFiles(copied); err != nil {
		return nil
	}
	block, _ := pem.Decode(copied.CertData)
	if block == nil {
		return nil
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return cert
}
