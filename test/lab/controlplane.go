package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Names of the programs of the control plane, for StopProcess and StartProcess.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
	Kwok              = "kwok"
)

const egressConfig = `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: HTTPConnect
    transport: {uds: {udsName: %q}}
`

// argv is the command line of a program of the lab.
func (l *Lab) argv(name string) []string {
	if l.network != nil {
		return l.realArgv(name)
	}
	return l.simulatedArgv(name)
}

// simulatedArgv is the command line of a program whose nodes are simulated.
func (l *Lab) simulatedArgv(name string) []string {
	pki := func(file string) string { return filepath.Join(l.Dir, "pki", file) }
	bin := filepath.Join(l.tools, name)
	etcd := "http://127.0.0.1:" + strconv.Itoa(l.ports.etcd)
	peer := "http://127.0.0.1:" + strconv.Itoa(l.ports.etcdPeer)
	switch name {
	case Etcd:
		return []string{
			bin, "--name=lab", "--data-dir=" + filepath.Join(l.Dir, "etcd"), "--unsafe-no-fsync", "--log-level=warn",
			"--listen-client-urls=" + etcd, "--advertise-client-urls=" + etcd,
			"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=lab=" + peer,
		}
	case APIServer:
		return []string{
			bin, "--etcd-servers=" + etcd, "--secure-port=" + strconv.Itoa(l.ports.api), "--bind-address=127.0.0.1",
			// The address is never used: its own Service gets no endpoint.
			"--advertise-address=10.244.0.1", "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.96.0.0/16",
			"--client-ca-file=" + pki("ca.crt"), "--tls-cert-file=" + pki("apiserver.crt"), "--tls-private-key-file=" + pki("apiserver.key"),
			"--service-account-key-file=" + pki("service-account.key"), "--service-account-signing-key-file=" + pki("service-account.key"),
			"--service-account-issuer=https://kubernetes.default.svc.cluster.local", "--authorization-mode=Node,RBAC",
			"--requestheader-client-ca-file=" + pki("front-proxy-ca.crt"), "--requestheader-allowed-names=front-proxy-client",
			"--requestheader-extra-headers-prefix=X-Remote-Extra-", "--requestheader-group-headers=X-Remote-Group",
			"--requestheader-username-headers=X-Remote-User",
			"--proxy-client-cert-file=" + pki("front-proxy-client.crt"), "--proxy-client-key-file=" + pki("front-proxy-client.key"),
			"--kubelet-client-certificate=" + pki("apiserver-kubelet-client.crt"), "--kubelet-client-key=" + pki("apiserver-kubelet-client.key"),
			"--kubelet-preferred-address-types=InternalIP", "--enable-aggregator-routing=true",
			"--egress-selector-config-file=" + filepath.Join(l.Dir, "egress.yaml"),
		}
	case ControllerManager:
		kubeconfig := filepath.Join(l.Dir, "controller-manager.conf")
		return []string{
			bin, "--kubeconfig=" + kubeconfig, "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
			"--bind-address=127.0.0.1", "--secure-port=" + strconv.Itoa(l.ports.controllerManager), "--leader-elect=false",
			"--use-service-account-credentials=true", "--service-account-private-key-file=" + pki("service-account.key"), "--root-ca-file=" + pki("ca.crt"),
		}
	case Scheduler:
		kubeconfig := filepath.Join(l.Dir, "scheduler.conf")
		return []string{
			bin, "--kubeconfig=" + kubeconfig, "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
			"--bind-address=127.0.0.1", "--secure-port=" + strconv.Itoa(l.ports.scheduler), "--leader-elect=false",
		}
	case Kwok:
		return []string{
			bin, "--kubeconfig=" + l.Kubeconfig(), "--config=" + filepath.Join(l.Dir, "kwok.yaml"), "--enable-crds=Logs",
			"--tls-cert-file=" + pki("kubelet.crt"), "--tls-private-key-file=" + pki("kubelet.key"),
		}
	}
	return nil
}

// startControlPlane starts the programs in the order that they need each other.
func (l *Lab) startControlPlane(ctx context.Context) error {
	if err := os.WriteFile(filepath.Join(l.Dir, "egress.yaml"), fmt.Appendf(nil, egressConfig, filepath.Join(l.Dir, "egress.sock")), 0o600); err != nil {
		return err
	}
	if _, err := l.procs.start(Etcd, l.argv(Etcd)...); err != nil {
		return err
	}
	if err := l.StartProcess(ctx, APIServer); err != nil {
		return err
	}
	for _, name := range []string{ControllerManager, Scheduler} {
		if _, err := l.procs.start(name, l.argv(name)...); err != nil {
			return err
		}
	}
	return nil
}

// StartProcess starts a program again that StopProcess ended, and waits for the API
// server to be ready if it is that one.
func (l *Lab) StartProcess(ctx context.Context, name string) error {
	p, err := l.procs.start(name, l.argv(name)...)
	if err != nil || name != APIServer {
		return err
	}
	return l.procs.await(ctx, p, "the API server to be ready", func(ctx context.Context) error {
		body, err := l.client.CoreV1().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err != nil {
			return fmt.Errorf("%w: %s", err, body)
		}
		return nil
	})
}

// StopProcess ends a program of the lab, as a crash would.
func (l *Lab) StopProcess(name string) { l.procs.stop(name, 0) }

// awaitServiceAccounts waits for the controller manager's first work, without which no
// pod can be made.
func (l *Lab) awaitServiceAccounts(ctx context.Context) error {
	p := l.procs.get(ControllerManager)
	return l.procs.await(ctx, p, "the controller manager's ServiceAccounts", func(ctx context.Context) error {
		for _, namespace := range []string{metav1.NamespaceDefault, metav1.NamespaceSystem} {
			_, err := l.client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return fmt.Errorf("no ServiceAccount %s/default yet", namespace)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
