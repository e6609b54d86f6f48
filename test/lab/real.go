package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Names of the programs of a real node, for OnNode.
const (
	Containerd = "containerd"
	Kubelet    = "kubelet"
	KubeProxy  = "kube-proxy"
	SSHD       = "sshd"
)

// OnNode is the name of a node's program, for StopProcess and StartProcess.
func OnNode(node, program string) string { return node + "-" + program }

// realTools are the programs that a lab with real nodes is made of, beside Debian's.
func realTools() []string {
	return []string{
		Etcd, APIServer, ControllerManager, Scheduler, "kubectl", "metrics-server", "helm",
		Kubelet, KubeProxy, "local-path-provisioner", "coredns", "pause",
	}
}

// Nodes are the real nodes, the control plane first; none in a lab of simulated ones.
func (l *Lab) Nodes() []*Node { return l.realNodes }

// Node is the real node of a name. It panics where there is none: a mistake of the test.
func (l *Lab) Node(name string) *Node {
	for _, n := range l.realNodes {
		if n.Name == name {
			return n
		}
	}
	panic("the lab has no real node " + name)
}

// realArgv is the command line of a program of a lab with real nodes. The control plane
// runs in the network of the first node.
func (l *Lab) realArgv(name string) []string {
	host, program, _ := strings.Cut(name, "-")
	for _, n := range l.realNodes {
		if n.Name == host {
			return enterArgv(n.pid, allNamespaces, n.argv(program)...)
		}
	}
	argv := l.simulatedArgv(name)
	pki := filepath.Join(l.Dir, "pki")
	switch name { // the last one of a flag counts
	case APIServer:
		argv = append(argv, "--bind-address=0.0.0.0", "--advertise-address="+l.apiHost(), "--endpoint-reconciler-type=lease",
			"--egress-selector-config-file=", "--allow-privileged=true", "--enable-admission-plugins=NodeRestriction")
	case ControllerManager:
		argv = append(argv, "--cluster-signing-cert-file="+filepath.Join(pki, "ca.crt"), "--cluster-signing-key-file="+filepath.Join(pki, "ca.key"))
	}
	return enterArgv(l.realNodes[0].pid, "--net", argv...)
}

const networkFile = "network.json"

// prepareReal makes the namespaces: the hub and the nodes, connected.
func (l *Lab) prepareReal(ctx context.Context, count int) error {
	if err := CheckRealNodes(ctx); err != nil {
		return err
	}
	l.ports.api = 6443 // nobody else's in the node's network
	l.network = newNetwork(l.Dir)
	hub, err := l.procs.start("hub", "unshare", "--net", filepath.Join(l.tools, "pause"))
	if err != nil {
		return err
	}
	ours, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		return err
	}
	pid := hub.cmd.Process.Pid
	if err := l.procs.await(ctx, hub, "the hub's namespace", func(context.Context) error {
		its, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", pid))
		if err == nil && its == ours {
			err = errors.New("it is still in ours")
		}
		return err
	}); err != nil {
		return err
	}
	if err := l.network.start(ctx, pid, l.saveNetwork); err != nil {
		return err
	}
	for i := range count {
		l.realNodes = append(l.realNodes, &Node{Name: nodeName(i), Address: l.network.nodeAddress(i), lab: l, index: i, cert: SelfSigned})
	}
	return makeCgroups(l.network.Cgroup, l.nodeNames())
}

// saveNetwork writes down what is on the machine, for a sweep.
func (l *Lab) saveNetwork() error {
	content, err := json.Marshal(l.network)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(l.Dir, networkFile), content, 0o600)
}

func (l *Lab) nodeNames() []string {
	var names []string
	for _, n := range l.realNodes {
		names = append(names, n.Name)
	}
	return names
}

// startReal starts a prepared lab: the control plane, which lives in the first node's
// network, and the nodes.
func (l *Lab) startReal(ctx context.Context) error {
	for _, n := range l.realNodes {
		if err := n.create(ctx); err != nil {
			return fmt.Errorf("making %s: %w", n.Name, err)
		}
	}
	if err := errors.Join(l.makeSSHKeys(), l.writeRealInventory()); err != nil {
		return err
	}
	var err error
	if l.images, err = l.writeImages(); err != nil {
		return err
	}
	work := []func() error{func() error { return l.startControlPlane(ctx) }}
	for _, n := range l.realNodes {
		work = append(work, func() error { return n.startContainerd(ctx, l.images) })
	}
	if err := atOnce(work); err != nil {
		return err
	}
	work = nil
	for _, n := range l.realNodes {
		work = append(work, func() error { return n.join(ctx) })
	}
	if err := atOnce(work); err != nil {
		return err
	}
	last := l.procs.get(OnNode(l.realNodes[len(l.realNodes)-1].Name, Kubelet))
	if err := l.procs.await(ctx, last, "all nodes to be Ready", l.nodesReady); err != nil {
		return err
	}
	if err := l.awaitServiceAccounts(ctx); err != nil {
		return err
	}
	// Like Kubespray's clusters; whoever needs names waits for it.
	_, err = l.Kubectl(ctx, "", "apply", "-f", filepath.Join(sourceDir(), "manifests", "coredns.yaml"))
	return err
}

// atOnce does work that needs nothing of each other.
func atOnce(work []func() error) error {
	failed := make([]error, len(work))
	var all sync.WaitGroup
	for i, do := range work {
		all.Go(func() { failed[i] = do() })
	}
	all.Wait()
	return errors.Join(failed...)
}
