// Package lab runs a real Kubernetes control plane on loopback, for tests and the demo:
// etcd, the API server, the controller manager and the scheduler, with nodes simulated
// by kwok and a real metrics-server behind real objects.
//
// Services and pods have real addresses that exist only for the API server: its traffic
// goes through a proxy of the lab (egress.go). So no root is needed, nothing but
// loopback is dialled, and several labs run side by side. Everything is below one
// directory; when a lab is killed, the next start sweeps what it left.
//
// With Options.RealNodes there are no simulated nodes but real ones (real.go): containerd,
// kubelet, kube-proxy and sshd in namespaces that the lab makes. That needs root on Linux
// and packages of Debian; CheckRealNodes tells.
package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Options are what to start.
type Options struct {
	Dir   string    // "": a new one below the temporary directory; else absent, empty or a dead lab's
	Nodes int       // simulated nodes; 0: three
	Log   io.Writer // progress of builds; nil: none
	// RealNodes, one to three, are nodes that are not simulated, instead of simulated ones.
	RealNodes int
}

// Lab is a running cluster.
type Lab struct {
	Dir string

	tools    string
	ports    ports
	procs    *procs
	egress   *egress
	lock     *flock.Flock
	client   kubernetes.Interface
	config   *rest.Config
	runner   *podRunner
	stopPods func()
	podCount int
	nodes    int
	rootCA   []byte

	// With real nodes:
	realNodes []*Node
	network   *network
	images    []Image
}

type ports struct{ etcd, etcdPeer, api, controllerManager, scheduler, kubelet int }

// Start builds what is not built yet, sweeps dead labs, and starts a cluster. It is ready
// when all nodes are Ready. On an error nothing is left.
func Start(ctx context.Context, o Options) (*Lab, error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Nodes == 0 {
		o.Nodes = 3
	}
	if o.RealNodes < 0 || o.RealNodes > 3 {
		return nil, fmt.Errorf("a lab has one to three real nodes, not %d", o.RealNodes)
	}
	tools, err := BuildTools(ctx, o.Log, o.Tools()...)
	if err != nil {
		return nil, err
	}
	sweep()
	l := &Lab{Dir: o.Dir, tools: tools, nodes: o.Nodes, stopPods: func() {}}
	if err := l.prepare(ctx, o.RealNodes); err != nil {
		return nil, errors.Join(err, l.Stop())
	}
	start := func(ctx context.Context) error { return l.start(ctx, o.Nodes) }
	if o.RealNodes > 0 {
		start = l.startReal
	}
	if err := start(ctx); err != nil {
		return nil, errors.Join(err, l.Stop())
	}
	return l, nil
}

// Tools are the names of the programs that such a lab is made of, for BuildTools.
func (o Options) Tools() []string {
	if o.RealNodes > 0 {
		return realTools()
	}
	return nil // all that are not on request
}

// prepare makes the directory with keys, kubeconfigs and the inventory.
func (l *Lab) prepare(ctx context.Context, realNodes int) (err error) {
	if l.Dir, l.lock, err = claim(l.Dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(l.Dir, "logs"), 0o700); err != nil {
		return fmt.Errorf("making the lab's directory: %w", err)
	}
	free, err := freePorts(6)
	if err != nil {
		return err
	}
	l.ports = ports{free[0], free[1], free[2], free[3], free[4], free[5]}
	l.procs = &procs{dir: l.Dir, running: map[string]*proc{}}
	if realNodes > 0 {
		err = l.prepareReal(ctx, realNodes)
	} else {
		l.egress, err = newEgress(filepath.Join(l.Dir, "egress.sock"))
	}
	if err != nil {
		return err
	}
	if err := l.writeFiles(); err != nil {
		return err
	}
	if l.config, err = clientcmd.BuildConfigFromFlags("", l.Kubeconfig()); err != nil {
		return err
	}
	l.config.QPS, l.config.Burst = 200, 400
	l.client, err = kubernetes.NewForConfig(l.config)
	return err
}

func (l *Lab) start(ctx context.Context, nodes int) error {
	if err := l.writeInventory(nodes); err != nil {
		return fmt.Errorf("writing the inventory: %w", err)
	}
	if err := l.startControlPlane(ctx); err != nil {
		return err
	}
	if err := l.prepareLogs(ctx); err != nil {
		return err
	}
	if err := l.startNodes(ctx, nodes); err != nil {
		return err
	}
	if err := l.awaitServiceAccounts(ctx); err != nil {
		return err
	}
	for i := range nodes {
		if err := l.createIdlePod(ctx, nodeName(i)); err != nil {
			return err
		}
	}
	if err := l.procs.await(ctx, l.procs.get(Kwok), "the kubelets to serve", l.kubeletsServe); err != nil {
		return err
	}
	l.runner = &podRunner{lab: l, client: l.client, pods: map[string]*runningPod{}}
	podsCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.runner.run(podsCtx)
	}()
	l.stopPods = func() { cancel(); <-done }
	return nil
}

// Stop ends everything and removes the directory, if it is this lab's.
func (l *Lab) Stop() error {
	l.stopPods()
	if l.procs != nil {
		for _, n := range l.realNodes {
			n.end()
		}
		for _, name := range l.procs.names() {
			l.procs.stop(name, 0)
		}
	}
	if l.egress != nil {
		_ = l.egress.listener.Close()
	}
	if l.lock == nil {
		return nil
	}
	defer func() { _ = l.lock.Close(); l.lock = nil }()
	if l.network != nil {
		if err := l.network.stop(); err != nil {
			return err // the directory stays, and with it the record for a sweep
		}
	}
	return os.RemoveAll(l.Dir)
}

// Kubeconfig is the file of the administrator's kubeconfig.
func (l *Lab) Kubeconfig() string { return filepath.Join(l.Dir, "kubeconfig") }

// Inventory is the file of an inventory in Kubespray's shape, with variables that keep the
// mini checkout's roles inside the lab: simulated nodes are local hosts, real ones are
// reached over SSH.
func (l *Lab) Inventory() string { return filepath.Join(l.Dir, "inventory", "hosts.yaml") }

// Tools is the directory of the programs, for PATH.
func (l *Lab) Tools() string { return l.tools }

// Client is a client with all rights.
func (l *Lab) Client() kubernetes.Interface { return l.client }

// HoldPods says whether programs of pods that end stay down, as in a long back-off. It is
// for simulated nodes, as is KillPods.
func (l *Lab) HoldPods(hold bool) {
	l.runner.mu.Lock()
	defer l.runner.mu.Unlock()
	l.runner.held = hold
}

// KillPods ends the programs of all pods, as a crash would.
func (l *Lab) KillPods() {
	l.runner.mu.Lock()
	defer l.runner.mu.Unlock()
	for _, p := range l.runner.pods {
		p.proc.kill()
	}
}

// Kubectl runs kubectl as the administrator, with input on its stdin.
func (l *Lab) Kubectl(ctx context.Context, input string, args ...string) (string, error) {
	own := []string{"--kubeconfig=" + l.Kubeconfig(), "--cache-dir=" + filepath.Join(l.Dir, "kubectl-cache")}
	cmd := exec.CommandContext(ctx, filepath.Join(l.tools, "kubectl"), append(own, args...)...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// InstallMetricsServer applies metrics-server as the mini checkout would, without Ansible.
func (l *Lab) InstallMetricsServer(ctx context.Context) error {
	_, err := l.Kubectl(ctx, "", "apply", "-f", filepath.Join(sourceDir(), "manifests", "metrics-server.yaml"))
	return err
}

// InstallLocalPath applies local-path-provisioner as the mini checkout would, without
// Ansible; only on real nodes do its claims get volumes.
func (l *Lab) InstallLocalPath(ctx context.Context) error {
	_, err := l.Kubectl(ctx, "", "apply", "-f", filepath.Join(sourceDir(), "manifests", "local-path.yaml"))
	return err
}
