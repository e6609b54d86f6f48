package lab

import (
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// user is who a kubeconfig is for: a certificate, or a token.
type user struct {
	cert  *pair
	token string
}

// apiURL is where the lab's API server is for the machine.
func (l *Lab) apiURL() string {
	return "https://" + net.JoinHostPort(l.apiHost(), strconv.Itoa(l.ports.api))
}

func (l *Lab) apiHost() string {
	if len(l.realNodes) > 0 {
		return l.realNodes[0].Address
	}
	return "127.0.0.1"
}

// writeKubeconfig writes a kubeconfig of the lab's API server.
func (l *Lab) writeKubeconfig(path string, u user) error {
	return l.writeKubeconfigTo(path, u, l.apiURL())
}

func (l *Lab) writeKubeconfigTo(path string, u user, server string) error {
	auth := "token: " + u.token
	if u.cert != nil {
		key, err := u.cert.keyPEM()
		if err != nil {
			return err
		}
		auth = "client-certificate-data: " + base64.StdEncoding.EncodeToString(u.cert.pem) + ", client-key-data: " + base64.StdEncoding.EncodeToString(key)
	}
	content := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: lab
contexts: [{name: lab, context: {cluster: lab, user: lab}}]
clusters: [{name: lab, cluster: {server: "%s", certificate-authority-data: %s}}]
users: [{name: lab, user: {%s}}]
`, server, base64.StdEncoding.EncodeToString(l.rootCA), auth)
	return os.WriteFile(path, []byte(content), 0o600)
}

// writeFiles makes keys, kubeconfigs and the inventory.
func (l *Lab) writeFiles() error {
	pki := filepath.Join(l.Dir, "pki")
	ca, err := makePKI(pki, l.apiHost())
	if err != nil {
		return err
	}
	l.rootCA = ca.pem
	for file, s := range map[string]subject{
		"kubeconfig":              {name: "kubernetes-admin", groups: []string{"system:masters"}},
		"controller-manager.conf": {name: "system:kube-controller-manager"},
		"scheduler.conf":          {name: "system:kube-scheduler"},
	} {
		if err := l.issueKubeconfig(s, filepath.Join(l.Dir, file), l.apiURL()); err != nil {
			return err
		}
	}
	return nil
}

// issueKubeconfig makes a kubeconfig with a certificate of its own.
func (l *Lab) issueKubeconfig(s subject, path, server string) error {
	ca, err := readPair(filepath.Join(l.Dir, "pki"), "ca")
	if err != nil {
		return err
	}
	p, err := issue(s, ca)
	if err == nil {
		err = l.writeKubeconfigTo(path, user{cert: p}, server)
	}
	if err != nil {
		return fmt.Errorf("making %s: %w", path, err)
	}
	return nil
}

const groupVars = `# Keeps the roles of the mini checkout inside the lab.
ansible_connection: local
ansible_python_interpreter: "{{ ansible_playbook_python }}"
bin_dir: %[1]s/host/bin
kube_config_dir: %[1]s/host/etc/kubernetes
local_release_dir: %[1]s/host/releases
local_path_provisioner_claim_root: %[1]s/host/local-path
lab_tools_dir: %[2]s
kube_network_plugin: cni # the lab brings its own, and none for simulated nodes
metrics_server_probe_initial_delay: 2
`

// writeInventory makes the inventory and what a control plane's host has on its disk:
// kubectl and the administrator's kubeconfig.
func (l *Lab) writeInventory(nodes int) error {
	host := filepath.Join(l.Dir, "host")
	vars := filepath.Join(filepath.Dir(l.Inventory()), "group_vars", "all")
	for _, dir := range []string{vars, filepath.Join(host, "bin"), filepath.Join(host, "etc", "kubernetes"), filepath.Join(host, "releases")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	var workers strings.Builder
	for i := range nodes {
		fmt.Fprintf(&workers, "        node%d:\n", i+1)
	}
	hosts := "all:\n  children:\n    kube_control_plane:\n      hosts:\n        node1:\n    etcd:\n      hosts:\n        node1:\n    kube_node:\n      hosts:\n" + workers.String()
	if err := os.WriteFile(l.Inventory(), []byte(hosts), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(vars, "lab.yml"), fmt.Appendf(nil, groupVars, l.Dir, l.tools), 0o644); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(l.tools, "kubectl"), filepath.Join(host, "bin", "kubectl")); err != nil {
		return err
	}
	return os.Symlink(l.Kubeconfig(), filepath.Join(host, "etc", "kubernetes", "admin.conf"))
}
