package lab

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

// checkFaults makes each fault on the second node, sees it from outside, and takes it back.
func checkFaults(ctx context.Context, t *testing.T, l *Lab) {
	n := l.Node("node2")
	t.Run("port", func(t *testing.T) { checkBlockedPort(ctx, t, n) })
	t.Run("certificates", func(t *testing.T) { checkServingCerts(ctx, t, n) })
	t.Run("kubelet", func(t *testing.T) { checkStoppedKubelet(ctx, t, n) })
	t.Run("image", func(t *testing.T) { checkMissingImage(ctx, t, l, n) })
	t.Run("read-only", func(t *testing.T) { checkReadOnly(ctx, t, n) })
	t.Run("network plugin", func(t *testing.T) { checkCNI(ctx, t, l, n) })
	t.Run("taint", func(t *testing.T) { checkTaint(ctx, t, l, n) })
}

func dial(n *Node, port string) error {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(n.Address, port), time.Second)
	if err != nil {
		return err
	}
	return conn.Close()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func checkBlockedPort(ctx context.Context, t *testing.T, n *Node) {
	must(t, n.BlockPort(ctx, 10250))
	if err := dial(n, "10250"); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("blocked, it says %v", err)
	}
	must(t, dial(n, "22"))
	must(t, n.UnblockPort(ctx, 10250))
	must(t, dial(n, "10250"))
}

func checkServingCerts(ctx context.Context, t *testing.T, n *Node) {
	for kind, want := range map[ServingCert]struct {
		issuer  string
		address bool
	}{
		ClusterSigned: {"ca", true},
		ClusterNoIP:   {"ca", false},
		ForeignSigned: {"kubelet-ca", true},
	} {
		must(t, n.SetServingCert(ctx, kind))
		conn, err := tls.Dial("tcp", n.Address+":10250", &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // it is looked at
		must(t, err)
		cert := conn.ConnectionState().PeerCertificates[0]
		_ = conn.Close()
		if cert.Issuer.CommonName != want.issuer || (cert.VerifyHostname(n.Address) == nil) != want.address {
			t.Errorf("%s: issuer %s, addresses %v", kind, cert.Issuer, cert.IPAddresses)
		}
	}
	must(t, n.SetServingCert(ctx, ClusterRequests))
	eventually(t, 20*time.Second, func() error {
		out, err := n.lab.Kubectl(ctx, "", "get", "csr")
		if err == nil && !strings.Contains(out, "kubernetes.io/kubelet-serving") {
			err = fmt.Errorf("no request in %q", out)
		}
		return err
	})
	must(t, n.SetServingCert(ctx, SelfSigned))
}

func checkStoppedKubelet(ctx context.Context, t *testing.T, n *Node) {
	n.StopKubelet()
	if err := dial(n, "10250"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("stopped, it says %v", err)
	}
	must(t, n.StartKubelet(ctx))
}

const busyboxPod = `apiVersion: v1
kind: Pod
metadata: {name: box}
spec:
  terminationGracePeriodSeconds: 0
  nodeSelector: {kubernetes.io/hostname: node2}
  containers: [{name: box, image: "busybox:latest", imagePullPolicy: IfNotPresent, command: [sleep, "3600"]}]
`

func checkMissingImage(ctx context.Context, t *testing.T, l *Lab, n *Node) {
	must(t, n.RemoveImage(ctx, BusyboxImage))
	_, err := l.Kubectl(ctx, busyboxPod, "apply", "-f", "-")
	must(t, err)
	eventually(t, 20*time.Second, func() error {
		out, err := l.Kubectl(ctx, "", "get", "pod", "box", "-o", "jsonpath={.status.containerStatuses[0].state.waiting.reason}")
		if err == nil && out != "ErrImagePull" && out != "ImagePullBackOff" {
			err = fmt.Errorf("it waits for %q", out)
		}
		return err
	})
	must(t, n.AddImage(ctx, BusyboxImage))
	_, err = l.Kubectl(ctx, "", "wait", "--for=condition=Ready", "pod/box", "--timeout=60s")
	must(t, err)
}

func checkReadOnly(ctx context.Context, t *testing.T, n *Node) {
	must(t, n.SetClaimRootReadOnly(ctx, true))
	if out, err := n.Run(ctx, "", "mkdir", ClaimRoot+"/new"); err == nil || !strings.Contains(out, "Read-only") {
		t.Errorf("%q, %v", out, err)
	}
	must(t, n.SetClaimRootReadOnly(ctx, false))
	_, err := n.Run(ctx, "", "mkdir", ClaimRoot+"/new")
	must(t, err)
}

func checkCNI(ctx context.Context, t *testing.T, l *Lab, n *Node) {
	ready := func(want string) {
		t.Helper()
		eventually(t, 30*time.Second, func() error {
			out, err := l.Kubectl(ctx, "", "get", "node", n.Name, "-o", `jsonpath={.status.conditions[?(@.type=="Ready")]}`)
			if err == nil && !strings.Contains(out, want) {
				err = fmt.Errorf("no %q in %s", want, out)
			}
			return err
		})
	}
	must(t, n.SetCNIConfig(ctx, false))
	ready("cni plugin not initialized")
	must(t, n.SetCNIConfig(ctx, true))
	ready(`"status":"True"`)
}

func checkTaint(ctx context.Context, t *testing.T, l *Lab, n *Node) {
	must(t, n.Taint(ctx, "lab=full:NoSchedule"))
	out, err := l.Kubectl(ctx, "", "get", "node", n.Name, "-o", "jsonpath={.spec.taints[*].key}")
	if err != nil || !strings.Contains(out, "lab") {
		t.Errorf("%q, %v", out, err)
	}
	must(t, n.Taint(ctx, "lab-"))
}
