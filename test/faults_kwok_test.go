package test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"slices"
	"time"

	"github.com/surespray/surespray/test/lab"
)

func simulatedSetup() step {
	return all(installed(), manifest("local-path.yaml"))
}

// simulatedFaults are those that need no real node.
func simulatedFaults() []fault {
	healthy := fault{
		name: "healthy", args: with("-e", "metrics_server_enabled=true", "--within", "30s"),
		id: "metrics-server.node-coverage", verdict: "pass",
	}
	return slices.Concat([]fault{healthy}, serviceFaults(), rolloutFaults(), awayFaults(), localPathFaults(), hpaFaults(), askedFaults(), networkFaults(), helmFaults(), groundFaults())
}

// groundFaults are of nodes and of the API server.
func groundFaults() []fault {
	return []fault{
		{
			name: "request for a certificate denied", args: []string{"--within", "5s"},
			harm: all(certificateRequest, kubectl("certificate deny serving-node2")), mend: kubectl("delete csr serving-node2"),
			id: "kubelet.serving-cert", subject: "node2", verdict: "fail", cause: "kubelet-csr-denied", fix: "systemctl restart kubelet",
		},
		{
			name: "node not Ready", args: []string{"--within", "3s"},
			harm: notReady, mend: readyAgain,
			id: "nodes.ready", subject: "node3", verdict: "fail", cause: "node-not-ready", fix: "kubectl describe node node3",
		},
		{
			name: "API server away in the middle of the wait", args: []string{"nodes", "--within", "60s"},
			harm: notReady,
			while: all(pause(3*time.Second), func(ctx context.Context, s *site) error {
				s.StopProcess(lab.APIServer)
				time.Sleep(4 * time.Second)
				return s.StartProcess(ctx, lab.APIServer)
			}, until(20*time.Second, readyAgain)),
			mend: readyAgain,
			id:   "nodes.ready", verdict: "pass",
		},
		{
			name: "API server stopped", args: []string{"--within", "3s"},
			harm: func(_ context.Context, s *site) error { s.StopProcess(lab.APIServer); return nil },
			mend: func(ctx context.Context, s *site) error { return s.StartProcess(ctx, lab.APIServer) },
			id:   "api-server.health", verdict: "unknown", cause: "api-unreachable", fix: "crictl ps -a --name kube-apiserver",
		},
	}
}

// certificateRequest asks for a serving certificate, as node2's kubelet would.
func certificateRequest(ctx context.Context, s *site) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{
		Subject: pkix.Name{CommonName: "system:node:node2", Organization: []string{"system:nodes"}}, DNSNames: []string{"node2"},
	}, key)
	if err != nil {
		return err
	}
	_, err = s.Kubectl(ctx, fmt.Sprintf(`apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: serving-node2}
spec: {signerName: kubernetes.io/kubelet-serving, usages: [digital signature, server auth], request: %s}
`, base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}))),
		"--as=system:node:node2", "--as-group=system:nodes", "--as-group=system:authenticated", "create", "-f", "-")
	return err
}

var notReady = all(
	kubectl("annotate --overwrite node node3 surespray.lab/ready=false"),
	kubectl("patch node node3 --subresource=status -p", `{"status":{"conditions":[{"type":"Ready","status":"False","reason":"KubeletNotReady","message":"container runtime is down"}]}}`))

var readyAgain = kubectl("annotate --overwrite node node3 surespray.lab/ready-")
