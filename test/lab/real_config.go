package lab

import (
	"fmt"
	"os"
	"path/filepath"
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
