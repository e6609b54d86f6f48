package audit_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/audit"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
)

// BenchmarkAudit times an audit without Ansible beside ansible-inventory --list on the
// same inventory: the checkout of KUBESPRAY_DIR (else the small one), its sample with
// three hosts, and with 1,000 that have a file in host_vars each.
func BenchmarkAudit(b *testing.B) {
	dir := os.Getenv("KUBESPRAY_DIR")
	if dir == "" {
		dir = "../../test/checkout"
	}
	for _, hosts := range []int{3, 1000} {
		inv := sample(b, dir, hosts)
		b.Run(fmt.Sprintf("hosts=%d/surespray", hosts), func(b *testing.B) {
			for b.Loop() {
				whole(b, dir, inv)
			}
		})
		venv := os.Getenv("SURESPRAY_TEST_ANSIBLE_219")
		if venv == "" {
			b.Log("SURESPRAY_TEST_ANSIBLE_219 names no virtual environment: no ansible-inventory to compare with")
			continue
		}
		b.Run(fmt.Sprintf("hosts=%d/ansible-inventory", hosts), func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(filepath.Join(venv, "bin", "ansible-inventory"), "-i", inv, "--list")
				cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}

// whole is an audit from nothing: the checkout is opened anew each time.
func whole(b *testing.B, dir, inv string) {
	checkout, err := kubespray.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	types, err := checkout.Types()
	if err != nil {
		b.Fatal(err)
	}
	o := inventory.Options{Dir: b.TempDir()}
	for _, r := range checkout.GroupRules() {
		o.Rules = append(o.Rules, inventory.GroupRule{Group: r.Group, From: r.From})
	}
	audit.Run(audit.Input{Checkout: checkout, Types: types, Defaults: types, Inventory: inventory.Read([]string{inv}, o), ExtraVars: &extravars.Vars{}})
}

func sample(b *testing.B, checkout string, hosts int) string {
	b.Helper()
	dir := b.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "group_vars"), os.DirFS(filepath.Join(checkout, "inventory", "sample", "group_vars"))); err != nil {
		b.Fatal(err)
	}
	text := "[kube_control_plane]\nnode1\n[kube_node]\n"
	for i := 2; i <= hosts; i++ {
		text += fmt.Sprintf("node%d ansible_host=10.0.%d.%d\n", i, i/250, i%250)
	}
	if hosts > 3 {
		if err := os.Mkdir(filepath.Join(dir, "host_vars"), 0o755); err != nil {
			b.Fatal(err)
		}
		for i := 1; i <= hosts; i++ {
			vars := fmt.Sprintf("ip: 10.1.%d.%d\nnode_labels:\n  rack: r%d\nkubelet_max_pods: 200\n", i/250, i%250, i%20)
			if err := os.WriteFile(filepath.Join(dir, "host_vars", fmt.Sprintf("node%d.yml", i)), []byte(vars), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	path := filepath.Join(dir, "inventory.ini")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	return path
}
