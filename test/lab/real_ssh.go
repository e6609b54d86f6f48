package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Each node runs an sshd on its address, and only there: root gets in, with the lab's key.
const (
	sshdConfigFile = "/etc/ssh/lab_sshd_config"
	sshdConfig     = `ListenAddress %s
HostKey /etc/ssh/lab_host_key
AuthorizedKeysFile /etc/ssh/lab_authorized_keys
PermitRootLogin prohibit-password
AllowUsers root
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
PidFile none
MaxStartups 100
Subsystem sftp internal-sftp
`
)

// makeSSHKeys makes the key of the one who runs the lab, the nodes' own, and known_hosts.
func (l *Lab) makeSSHKeys() error {
	dir := filepath.Join(l.Dir, "ssh")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var known strings.Builder
	for _, name := range append([]string{"id"}, l.nodeNames()...) {
		file := filepath.Join(dir, name)
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "surespray-lab", "-f", file).CombinedOutput()
		if err != nil {
			return fmt.Errorf("making the key %s: %w: %s", file, err, out)
		}
	}
	for _, n := range l.realNodes {
		public, err := os.ReadFile(filepath.Join(dir, n.Name+".pub"))
		if err != nil {
			return err
		}
		fmt.Fprintf(&known, "%s,%s %s", n.Address, n.Name, public)
	}
	return os.WriteFile(filepath.Join(dir, "known_hosts"), []byte(known.String()), 0o600)
}

// writeSSH gives a node its key and sshd its configuration.
func (n *Node) writeSSH() error {
	dir := filepath.Join(n.lab.Dir, "ssh")
	for from, to := range map[string]string{n.Name: "/etc/ssh/lab_host_key", "id.pub": "/etc/ssh/lab_authorized_keys"} {
		content, err := os.ReadFile(filepath.Join(dir, from))
		if err != nil {
			return err
		}
		if err := n.write(to, string(content), 0o600); err != nil {
			return err
		}
	}
	// Of the one who is logged in on the machine, nothing is to be seen on the node.
	if err := os.RemoveAll(n.Path("/root/.ssh")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return n.write(sshdConfigFile, fmt.Sprintf(sshdConfig, n.Address), 0o600)
}

// SSHArgs are the options with which ssh gets to a node: ssh ARGS root@ADDRESS COMMAND.
func (l *Lab) SSHArgs() []string {
	dir := filepath.Join(l.Dir, "ssh")
	return []string{
		"-F", "none", "-i", filepath.Join(dir, "id"), "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes",
		"-o", "UserKnownHostsFile=" + filepath.Join(dir, "known_hosts"), "-o", "StrictHostKeyChecking=yes",
	}
}

// realVars are the variables of Kubespray's own defaults; what the mini checkout's roles
// write is on the node. ControlMaster's sockets go with the lab, and its processes soon
// after: the next lab may have the same addresses.
const realVars = `ansible_user: root
ansible_ssh_private_key_file: %[1]s/ssh/id
ansible_ssh_common_args: -F none -o IdentitiesOnly=yes -o UserKnownHostsFile=%[1]s/ssh/known_hosts -o StrictHostKeyChecking=yes -o ServerAliveInterval=1 -o ServerAliveCountMax=3
ansible_control_path_dir: %[1]s/ssh/cp
ansible_python_interpreter: "{{ ansible_playbook_python }}"
bin_dir: /usr/local/bin
kube_config_dir: /etc/kubernetes
local_release_dir: /opt/releases
kube_pods_subnet: %[3]s
kube_service_addresses: %[4]s
lab_tools_dir: %[2]s
kube_network_plugin: cni # the lab brings its own, and none for simulated nodes
metrics_server_probe_initial_delay: 2
`

// writeRealInventory makes an inventory with the nodes' addresses, for Ansible over SSH.
func (l *Lab) writeRealInventory() error {
	vars := filepath.Join(filepath.Dir(l.Inventory()), "group_vars", "all")
	if err := os.MkdirAll(vars, 0o755); err != nil {
		return err
	}
	hosts := "all:\n  hosts:\n"
	workers := ""
	for _, n := range l.realNodes {
		hosts += fmt.Sprintf("    %s: {ansible_host: %[2]s, ip: %[2]s}\n", n.Name, n.Address)
		workers += fmt.Sprintf("        %s:\n", n.Name)
	}
	hosts += "  children:\n    kube_control_plane:\n      hosts:\n        node1:\n    etcd:\n      hosts:\n        node1:\n    kube_node:\n      hosts:\n" + workers
	if err := os.WriteFile(l.Inventory(), []byte(hosts), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(vars, "lab.yml"), fmt.Appendf(nil, realVars, l.Dir, l.tools, podRange, serviceRange), 0o644)
}
