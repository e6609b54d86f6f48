package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The files of a node are where they are on a node of Kubespray's.
const (
	containerdSocket = "/run/containerd/containerd.sock"
	containerdConfig = `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "%s"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "%s"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/opt/cni/bin"
    conf_dir = "/etc/cni/net.d"
`
	cniFile   = "/etc/cni/net.d/10-lab.conflist"
	cniConfig = `{"cniVersion": "1.0.0", "name": "lab", "plugins": [
 {"type": "bridge", "bridge": "cni0", "isGateway": true, "hairpinMode": true,
  "ipam": {"type": "host-local", "ranges": [[{"subnet": "%s"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
 {"type": "portmap", "capabilities": {"portMappings": true}}]}
`
	proxyConfig = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: nftables
hostnameOverride: %s
clusterCIDR: ` + podRange + `
clientConnection: {kubeconfig: /etc/kubernetes/kube-proxy.conf}
conntrack: {maxPerCore: 0}
`
	kubeletConfig = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
failSwapOn: false
cgroupDriver: cgroupfs
cgroupRoot: /%s/%s
containerRuntimeEndpoint: unix://` + containerdSocket + `
authentication:
  anonymous: {enabled: false}
  webhook: {enabled: true}
  x509: {clientCAFile: /etc/kubernetes/ssl/ca.crt}
authorization: {mode: Webhook}
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
imageGCHighThresholdPercent: 100
evictionHard: {nodefs.available: "1%%", imagefs.available: "1%%", memory.available: 100Mi, nodefs.inodesFree: "1%%"}
nodeStatusUpdateFrequency: 5s
`
)

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

// writeFiles writes what the programs of the node read.
func (n *Node) writeFiles() error {
	ca, err := os.ReadFile(filepath.Join(n.lab.Dir, "pki", "ca.crt"))
	if err != nil {
		return err
	}
	for path, content := range map[string]string{
		"/etc/kubernetes/ssl/ca.crt":             string(ca),
		"/etc/kubernetes/kubelet-config.yaml":    n.kubeletConfig(),
		"/etc/kubernetes/kube-proxy-config.yaml": fmt.Sprintf(proxyConfig, n.Name),
		cniFile:                                  fmt.Sprintf(cniConfig, n.lab.network.podSubnet(n.index)),
	} {
		if err := n.write(path, content, 0o644); err != nil {
			return err
		}
	}
	for file, s := range map[string]subject{
		"kubelet.conf":    {name: "system:node:" + n.Name, groups: []string{"system:nodes"}},
		"kube-proxy.conf": {name: "system:kube-proxy"},
	} {
		if err := n.lab.issueKubeconfig(s, n.Path("/etc/kubernetes/"+file), n.lab.apiURL()); err != nil {
			return err
		}
	}
	if n.index > 0 {
		return n.writeSSH()
	}
	// A control plane's host has the administrator's kubeconfig and kubectl.
	admin := subject{name: "kubernetes-admin", groups: []string{"system:masters"}}
	if err := n.lab.issueKubeconfig(admin, n.Path("/etc/kubernetes/admin.conf"), "https://127.0.0.1:6443"); err != nil {
		return err
	}
	if err := os.Symlink("/etc/kubernetes/admin.conf", n.Path("/root/.kube/config")); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(n.lab.tools, "kubectl"), n.Path("/usr/local/bin/kubectl")); err != nil {
		return err
	}
	return n.writeSSH()
}

func (n *Node) kubeletConfig() string {
	return fmt.Sprintf(kubeletConfig, n.lab.network.Cgroup, n.Name) + n.cert.kubeletConfig()
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

// stop ends a program of the node, as a crash would, and waits until its last process is
// gone: the one that entered the namespaces ends first.
func (n *Node) stop(ctx context.Context, program string) error {
	name := OnNode(n.Name, program)
	p := n.lab.procs.get(name)
	if p == nil {
		return nil
	}
	n.lab.procs.stop(name, 0)
	return n.lab.procs.await(ctx, n.lab.procs.get(n.Name), program+" to be gone", func(context.Context) error {
		if err := syscall.Kill(-p.cmd.Process.Pid, 0); err == nil {
			return fmt.Errorf("it is still there")
		}
		return nil
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
