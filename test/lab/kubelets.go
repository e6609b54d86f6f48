package lab

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// SetKubeletCert chooses what the kubelets serve with: "self" as a kubelet signs it for
// itself, without an address in it, or "good" as the cluster's authority signs it. It
// returns when they do.
func (l *Lab) SetKubeletCert(ctx context.Context, kind string) error {
	if err := l.chooseKubeletCert(kind); err != nil {
		return err
	}
	l.procs.stop(Kwok, 5*time.Second)
	// A new kwok would wait until its predecessor's leases of the nodes run out.
	if err := l.client.CoordinationV1().Leases("kube-node-lease").DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return fmt.Errorf("freeing the nodes' leases: %w", err)
	}
	p, err := l.procs.start(Kwok, l.argv(Kwok)...)
	if err != nil {
		return err
	}
	return l.procs.await(ctx, p, "the kubelets to serve", l.kubeletsServe)
}

// chooseKubeletCert puts the certificate where kwok reads it.
func (l *Lab) chooseKubeletCert(kind string) error {
	for _, ext := range []string{".crt", ".key"} {
		content, err := os.ReadFile(filepath.Join(l.Dir, "pki", "kubelet-"+kind+ext))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(l.Dir, "pki", "kubelet"+ext), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// kubeletsServe is nil when all kubelets answer with the chosen certificate, and measure
// a pod. kwok knows a node's pods only from the second request on, so this one saves
// metrics-server an interval, too.
func (l *Lab) kubeletsServe(ctx context.Context) error {
	chosen, err := tls.LoadX509KeyPair(filepath.Join(l.Dir, "pki", "kubelet.crt"), filepath.Join(l.Dir, "pki", "kubelet.key"))
	if err != nil {
		return err
	}
	for i := range l.nodes {
		metrics, cert, err := l.scrape(ctx, nodeName(i))
		switch {
		case err != nil:
			return err
		case !bytes.Equal(cert, chosen.Certificate[0]):
			return errors.New("kwok serves another certificate")
		case !strings.Contains(metrics, "container_cpu_usage_seconds_total{"):
			return fmt.Errorf("%s measures no pod yet", nodeName(i))
		}
	}
	return nil
}

// scrape reads a kubelet's metrics as metrics-server does, with the certificate served.
func (l *Lab) scrape(ctx context.Context, node string) (metrics string, cert []byte, err error) {
	url := "https://127.0.0.1:" + strconv.Itoa(l.ports.kubelet) + resourceMetricsPath(node)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", nil, err
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true} //nolint:gosec // the caller compares it
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return "", nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), res.TLS.PeerCertificates[0].Raw, err
}

// resourceMetricsPath is where kwok serves a node's metrics: all nodes are on one port,
// and metrics-server honours the annotation that says so.
func resourceMetricsPath(node string) string { return "/metrics/nodes/" + node + "/metrics/resource" }
