package lab

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// ServingCert is what a real kubelet serves with.
type ServingCert string

// The ways to a kubelet's serving certificate. SelfSigned and ClusterSigned are also
// those that SetKubeletCert takes.
const (
	SelfSigned      ServingCert = "self"      // the kubelet's own: a name, no address
	ClusterSigned   ServingCert = "good"      // by the cluster's authority, with the address
	ClusterNoIP     ServingCert = "no-ip"     // by the cluster's authority, without an address
	ForeignSigned   ServingCert = "foreign"   // by another authority, with the address
	ClusterRequests ServingCert = "requested" // the kubelet asks by a CSR, and has none until it is approved
)

const servingCertFile = "/var/lib/kubelet/pki/lab-serving"

// kubeletConfig is what the kubelet's configuration says for it.
func (c ServingCert) kubeletConfig() string {
	switch c {
	case SelfSigned:
		return ""
	case ClusterRequests:
		return "serverTLSBootstrap: true\n"
	}
	return "tlsCertFile: " + servingCertFile + ".crt\ntlsPrivateKeyFile: " + servingCertFile + ".key\n"
}

// SetServingCert makes the kubelet serve with another certificate, and returns when it does.
func (n *Node) SetServingCert(ctx context.Context, kind ServingCert) error {
	n.StopKubelet()
	n.cert = kind
	if err := n.issueServingCert(); err != nil {
		return fmt.Errorf("making the certificate: %w", err)
	}
	if err := n.write("/etc/kubernetes/kubelet-config.yaml", n.kubeletConfig(), 0o644); err != nil {
		return err
	}
	return n.StartKubelet(ctx)
}

// issueServingCert puts the certificate where the kubelet reads it, if it does not make
// or ask for one itself.
func (n *Node) issueServingCert() error {
	authority := "ca"
	s := subject{name: "system:node:" + n.Name, groups: []string{"system:nodes"}, dns: []string{n.Name}, ips: []string{n.Address}}
	switch n.cert {
	case SelfSigned, ClusterRequests:
		return nil
	case ForeignSigned:
		authority = "kubelet-ca"
	case ClusterNoIP:
		s.ips = nil
	}
	ca, err := readPair(filepath.Join(n.lab.Dir, "pki"), authority)
	if err != nil {
		return err
	}
	p, err := issue(s, ca)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(n.Path(filepath.Dir(servingCertFile)), 0o755); err != nil {
		return err
	}
	return p.write(n.Path(filepath.Dir(servingCertFile)), filepath.Base(servingCertFile))
}

// StartKubelet starts the kubelet that StopKubelet ended, and returns when it answers on
// its port. The node is Ready some seconds later.
func (n *Node) StartKubelet(ctx context.Context) error {
	if err := n.start(ctx, Kubelet); err != nil {
		return err
	}
	p := n.lab.procs.get(OnNode(n.Name, Kubelet))
	return n.lab.procs.await(ctx, p, "the kubelet to answer", func(ctx context.Context) error {
		d := tls.Dialer{NetDialer: &net.Dialer{Timeout: time.Second}, Config: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it is only asked whether it answers
		conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort(n.Address, "10250"))
		var answer *net.OpError
		if errors.As(err, &answer) && answer.Op == "remote error" && n.cert == ClusterRequests {
			return nil // that it has no certificate yet
		}
		if err != nil {
			return err
		}
		return conn.Close()
	})
}

// StopKubelet ends the kubelet as a crash would: pods go on, the node is not Ready some
// 40 seconds later.
func (n *Node) StopKubelet() { n.lab.StopProcess(OnNode(n.Name, Kubelet)) }
