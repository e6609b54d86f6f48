package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// treeAudit is the tree's own sample: with three hosts there is nothing to complain of, as
// it comes there are no hosts; and what is known to go wrong is found.
func treeAudit(t *testing.T, k *tree) {
	k.setup(t, k.dir)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "group_vars"), os.DirFS(filepath.Join(k.dir, "inventory", "sample", "group_vars"))); err != nil {
		t.Fatal(err)
	}
	hosts := filepath.Join(dir, "inventory.ini")
	write(t, hosts, "[kube_control_plane]\nnode1 ansible_host=192.0.2.1 ip=192.0.2.1 etcd_member_name=etcd1\n[etcd:children]\nkube_control_plane\n[kube_node]\nnode2\nnode3\n", 0o600)
	for _, ansible := range [][]string{nil, {"--ansible-playbook", "none"}} {
		r := k.run(t, append([]string{"audit", "-i", hosts}, ansible...)...)
		r.want(t, 0, "0 errors, 0 warnings")
		r.lacks(t, "effective values are not known")
	}
	bare := k.run(t, "audit", "-i", "inventory/sample/inventory.ini", "-o", "json")
	bare.want(t, 65)
	if found := codes(t, bare); len(found) != 1 || found[0] != "inventory-empty" {
		t.Errorf("the sample as it comes: %v\n%v", found, bare)
	}

	write(t, filepath.Join(dir, "group_vars", "k8s_cluster", "zz.yml"), strings.Join([]string{
		`helm_enabled: "true"`, `metrics_server_enabled: 'false'`, `docker_iptables_enabled: "false"`, `kube_version: v1.0.0`, `metallb_enabled: true`,
		`kube_proxy_mode: ipvs`, `kube_network_node_prefix: "25"`, `calico_mtu: 1500`, `metrics_server_enabledd: true`, `local_volume_provisioner_directory_mode: 0700`,
		`external_vsphere_insecure: true`, `calico_cni_log_file_path: false`,
	}, "\n")+"\n", 0o600)
	r := k.run(t, "audit", "-i", hosts, "-o", "json")
	r.want(t, 65, "helm_enabled is the text", "arp-without-strict-arp", "version-leading-v", "string-number", "mtu-too-large", "did you mean metrics_server_enabled?", "octal-read-as-number", "external_vsphere_insecure is text")
	r.lacks(t, "docker_iptables_enabled", "calico_cni_log_file_path")
	k.run(t, "run", "cluster.yml", "-i", hosts).want(t, 65)
}

func codes(t *testing.T, r result) []string {
	t.Helper()
	var doc struct{ Findings []struct{ Code string } }
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
		t.Fatalf("%v\n%v", err, r)
	}
	var out []string
	for _, f := range doc.Findings {
		out = append(out, f.Code)
	}
	return out
}

// applyLocalPath re-installs an addon by two of its names; the stub of kubectl writes down
// what it is told.
func applyLocalPath(t *testing.T, k *tree) {
	if os.Geteuid() != 0 {
		t.Skip("the role's files belong to root")
	}
	k.setup(t, k.dir)
	for _, name := range []string{"local-path", "local_path_provisioner"} {
		away := t.TempDir()
		write(t, filepath.Join(away, "bin", "kubectl"), "#!/bin/sh\necho \"$@\" >> "+filepath.Join(away, "kubectl.log")+"\n", 0o700)
		r := k.run(t, "addon", "apply", name, "-i", inventory(t, "", local), "--verify", "off", "-e", "local_path_provisioner_enabled=true",
			"-e", "kube_config_dir="+filepath.Join(away, "kubernetes"), "-e", "bin_dir="+filepath.Join(away, "bin"),
			"-e", "local_path_provisioner_claim_root="+filepath.Join(away, "claims"))
		r.want(t, 0, "TASK [kubernetes-apps/external_provisioner/local_path_provisioner : Local Path Provisioner | ")
		if log, err := os.ReadFile(filepath.Join(away, "kubectl.log")); err != nil || !strings.Contains(string(log), "local-path-storage") {
			t.Errorf("kubectl was started with %q, %v", log, err)
		}
	}
}
