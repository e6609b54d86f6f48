package lab

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// pair is a certificate with its key.
type pair struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte // of the certificate
}

// subject says who a certificate is for.
type subject struct {
	name   string
	groups []string
	dns    []string
	ips    []string
}

// issue makes a certificate. Without an issuer it signs itself and is an authority.
func issue(s subject, issuer *pair) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: s.name, Organization: s.groups}, DNSNames: s.dns,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(7 * 24 * time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, ip := range s.ips {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(ip))
	}
	parent, signer := template, key
	if issuer == nil {
		template.IsCA = true
		template.KeyUsage |= x509.KeyUsageCertSign
	} else {
		parent, signer = issuer.cert, issuer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &pair{cert: cert, key: key, pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, err
}

func (p *pair) keyPEM() ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(p.key)
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), err
}

// write stores NAME.crt and NAME.key in dir.
func (p *pair) write(dir, name string) error {
	key, err := p.keyPEM()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".crt"), p.pem, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".key"), key, 0o600)
}

// readPair reads what write stored.
func readPair(dir, name string) (*pair, error) {
	both, err := tls.LoadX509KeyPair(filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key"))
	if err != nil {
		return nil, err
	}
	key, ok := both.PrivateKey.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s: not a key of ours", name)
	}
	return &pair{cert: both.Leaf, key: key, pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: both.Leaf.Raw})}, nil
}

// makePKI writes all certificates of the lab, the API server's with its address, and
// returns the cluster's authority.
func makePKI(dir, apiHost string) (*pair, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	authorities := map[string]*pair{}
	for _, name := range []string{"ca", "front-proxy-ca", "kubelet-ca"} {
		ca, err := issue(subject{name: name}, nil)
		if err != nil {
			return nil, fmt.Errorf("making the authority %s: %w", name, err)
		}
		authorities[name] = ca
		if err := ca.write(dir, name); err != nil {
			return nil, err
		}
	}
	local := []string{"127.0.0.1"}
	for _, c := range []struct {
		file, ca string
		subject  subject
	}{
		{"apiserver", "ca", subject{name: "kube-apiserver", dns: []string{"localhost", "kubernetes.default.svc"}, ips: append(local, "10.96.0.1", apiHost)}},
		{"apiserver-kubelet-client", "ca", subject{name: "kube-apiserver-kubelet-client", groups: []string{"system:masters"}}},
		{"front-proxy-client", "front-proxy-ca", subject{name: "front-proxy-client"}},
		{"service-account", "ca", subject{name: "service-accounts"}},
		// As a kubelet makes it for itself: a name, no address. And as the cluster's CA signs it.
		{"kubelet-self", "kubelet-ca", subject{name: "node1@1700000000", dns: []string{"node1"}}},
		{"kubelet-good", "ca", subject{name: "system:node:node1", groups: []string{"system:nodes"}, dns: []string{"node1"}, ips: local}},
	} {
		p, err := issue(c.subject, authorities[c.ca])
		if err == nil {
			err = p.write(dir, c.file)
		}
		if err != nil {
			return nil, fmt.Errorf("making the certificate %s: %w", c.file, err)
		}
	}
	return authorities["ca"], nil
}
