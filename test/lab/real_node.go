package lab

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Node is a real node: a containerd, a kubelet, a kube-proxy and an sshd in namespaces of
// its own. The first one is the control plane, too.
type Node struct {
	Name    string
	Address string // InternalIP, and where sshd listens

	lab   *Lab
	index int
	pid   int // of its first process
	cert  ServingCert
}

//go:embed real-node.sh
var nodeScript string

// create makes the node's namespaces and network. Its first process ends them.
func (n *Node) create(ctx context.Context) error {
	if err := os.MkdirAll(n.dir(), 0o700); err != nil {
		return err
	}
	hosts := "127.0.0.1 localhost\n"
	for _, other := range n.lab.realNodes {
		hosts += other.Address + " " + other.Name + "\n"
	}
	p, err := n.lab.procs.start(n.Name, "unshare", "--mount", "--uts", "--ipc", "--net", "--pid", "--fork", "--kill-child",
		"sh", "-c", nodeScript, "node", n.dir(), n.Name, filepath.Join(n.lab.tools, "pause"), hosts)
	if err != nil {
		return err
	}
	if err := n.lab.procs.await(ctx, p, "the node's mounts", func(context.Context) error {
		content, err := os.ReadFile(filepath.Join(n.dir(), "pid"))
		if err != nil {
			return err
		}
		n.pid, err = strconv.Atoi(strings.TrimSpace(string(content)))
		return err
	}); err != nil {
		return err
	}
	return n.lab.network.connect(ctx, n.index, len(n.lab.realNodes), n.pid)
}

// end ends the node's first process, and with it the kernel ends all others. Its parent
// and those of the programs take them up, which the machine's init might not do.
func (n *Node) end() {
	if p := n.lab.procs.get(n.Name); p != nil && n.pid != 0 {
		select {
		case <-p.done: // its number may be another's by now
		default:
			_ = syscall.Kill(n.pid, syscall.SIGKILL)
			select {
			case <-p.done:
			case <-time.After(5 * time.Second):
			}
		}
	}
	n.lab.procs.stop(n.Name, 0)
}

// dir is where the node's disk is, for the machine.
func (n *Node) dir() string { return filepath.Join(n.lab.Dir, "nodes", n.Name) }

// Path is where the machine finds a file of the node.
func (n *Node) Path(path string) string {
	return filepath.Join("/proc", strconv.Itoa(n.pid), "root", path)
}

// startContainerd starts the container runtime and gives it the images.
func (n *Node) startContainerd(ctx context.Context, images []Image) error {
	config := fmt.Sprintf(containerdConfig, PauseImage, snapshotter(n.dir()))
	if err := n.write("/etc/containerd/config.toml", config, 0o644); err != nil {
		return err
	}
	if err := n.start(ctx, Containerd); err != nil {
		return err
	}
	for _, image := range images {
		if err := n.importImage(ctx, image); err != nil {
			return err
		}
	}
	return nil
}

// join makes the node one of the cluster. The object is made here, so that the range of
// its pods is known before.
func (n *Node) join(ctx context.Context) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: map[string]string{"kubernetes.io/hostname": n.Name}}}
	node.Spec.PodCIDR = n.lab.network.podSubnet(n.index)
	node.Spec.PodCIDRs = []string{node.Spec.PodCIDR}
	if n.index == 0 {
		node.Labels["node-role.kubernetes.io/control-plane"] = ""
	}
	if _, err := n.lab.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("making node %s: %w", n.Name, err)
	}
	if err := n.writeFiles(); err != nil {
		return err
	}
	for _, program := range []string{Kubelet, KubeProxy, SSHD} {
		if err := n.start(ctx, program); err != nil {
			return err
		}
	}
	return nil
}

// write makes a file of the node.
func (n *Node) write(path, content string, mode os.FileMode) error {
	if err := os.MkdirAll(n.Path(filepath.Dir(path)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(n.Path(path), []byte(content), mode)
}

// argv is the command line of a program of the node.
func (n *Node) argv(program string) []string {
	bin := filepath.Join(n.lab.tools, program)
	switch program {
	case Containerd:
		return []string{Containerd}
	case Kubelet:
		return []string{
			bin, "--config=/etc/kubernetes/kubelet-config.yaml", "--kubeconfig=/etc/kubernetes/kubelet.conf",
			"--cert-dir=/var/lib/kubelet/pki", "--hostname-override=" + n.Name, "--node-ip=" + n.Address,
		}
	case KubeProxy:
		return []string{bin, "--config=/etc/kubernetes/kube-proxy-config.yaml"}
	case SSHD:
		return []string{"/usr/sbin/sshd", "-D", "-e", "-f", sshdConfigFile}
	}
	return nil
}

const allNamespaces = "--mount --uts --ipc --net --pid"

// start starts a program of the node.
func (n *Node) start(ctx context.Context, program string) error {
	name := OnNode(n.Name, program)
	p, err := n.lab.procs.start(name, n.lab.argv(name)...)
	if err != nil || program != Containerd {
		return err
	}
	return n.lab.procs.await(ctx, p, "containerd to answer", func(ctx context.Context) error {
		_, err := n.ctr(ctx, "version")
		return err
	})
}

// Run runs a command on the node and returns what it prints.
func (n *Node) Run(ctx context.Context, input string, argv ...string) (string, error) {
	cmd := enter(ctx, n.pid, allNamespaces, argv...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s on %s: %w\n%s", strings.Join(argv, " "), n.Name, err, out)
	}
	return string(out), nil
}
