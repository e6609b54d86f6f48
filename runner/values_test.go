package runner

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/surespray/surespray/extravars"
)

// Real Ansible answers, on the mini checkout: types by precedence, conditions, hosts.
func TestValuesComeFromAnsible(t *testing.T) {
	for _, name := range []string{"SURESPRAY_TEST_ANSIBLE_219", "SURESPRAY_TEST_ANSIBLE_218"} {
		t.Run(name, func(t *testing.T) {
			venv := os.Getenv(name)
			if venv == "" {
				t.Skip(name + " names no virtual environment; make test sets it")
			}
			dir := t.TempDir()
			write(t, filepath.Join(dir, "group_vars/k8s_cluster/a.yml"), "metrics_server_enabled: \"{{ helm_enabled }}\"\nhelm_enabled: true\ntext: 'True'\nmetallb_namespace: mine\n")
			write(t, filepath.Join(dir, "hosts.ini"), "[kube_control_plane]\ncp1 ansible_host=10.0.0.1 ip=10.0.0.1\n[kube_node]\ncp1\nw1 ansible_host=10.0.0.2\n")
			checkout, err := filepath.Abs("../test/checkout")
			if err != nil {
				t.Fatal(err)
			}
			vars, err := extravars.Parse(nil, nil, os.ReadFile)
			if err != nil {
				t.Fatal(err)
			}
			p := Plan{
				Ansible: Ansible{Path: filepath.Join(venv, "bin", "ansible-playbook")}, Dir: dir, Checkout: checkout, ExtraVars: vars,
				Config: filepath.Join(checkout, "ansible.cfg"), SetConfig: true,
				Flags: AnsibleArgs{"inventory": {"hosts.ini"}, "limit": {"w1,!cp1"}, "verbose": {"true"}},
			}
			var r Runner
			if err := r.Open(); err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got, err := r.Values(t.Context(), p, Question{
				Vars:       []string{"metrics_server_enabled", "text", "no_such_variable", "namespace", "metallb_namespace", "metallb_memberlist_port"},
				Defaults:   []string{"kubernetes-apps/metallb", "kubernetes-apps/no_such_role"},
				Templates:  []string{"{{ helm_enabled }}", "v{{ text }}", "{{ no_such_variable }}"},
				Conditions: map[string]string{"on": "metrics_server_enabled", "off": "not helm_enabled", "broken": "no_such_variable"},
			})
			if err != nil {
				t.Fatal(err)
			}
			one := 1
			want := Values{
				Vars:   map[string]any{"metrics_server_enabled": true, "text": "True", "metallb_namespace": "mine", "metallb_memberlist_port": "7946"},
				Holds:  map[string]bool{"on": true, "off": false},
				Made:   map[string]any{"{{ helm_enabled }}": true, "v{{ text }}": "vTrue"},
				Hosts:  []InventoryHost{{Name: "cp1", IP: "10.0.0.1", AnsibleHost: "10.0.0.1"}, {Name: "w1", AnsibleHost: "10.0.0.2"}},
				Groups: map[string]int{"all": 2, "ungrouped": 0, "kube_control_plane": 1, "kube_node": 2},
				Limit:  &one,

				ControlPlane: &ControlPlane{Group: "kube_control_plane", First: "cp1", Left: []string{}},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a limit leaves of the control plane, whatever the group is called.
func TestValuesTellTheControlPlaneInALimit(t *testing.T) {
	checkout, err := filepath.Abs("../test/checkout")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SURESPRAY_TEST_ANSIBLE_219", "SURESPRAY_TEST_ANSIBLE_218"} {
		for _, test := range []struct {
			group, limit string
			want         *ControlPlane
		}{
			{"kube_control_plane", "", nil},
			{"kube_control_plane", "w1:kube_control_plane[0]", &ControlPlane{Group: "kube_control_plane", First: "b", Left: []string{"b"}}},
			{"kube_control_plane", "w1,a", &ControlPlane{Group: "kube_control_plane", First: "b", Left: []string{"a"}}},
			{"kube-master", "all:!w1", &ControlPlane{Group: "kube-master", First: "b", Left: []string{"a", "b"}}},
			{"none", "w1", &ControlPlane{Group: "kube-master", Left: []string{}}},
		} {
			t.Run(name+" "+test.group+" "+test.limit, func(t *testing.T) {
				venv := os.Getenv(name)
				if venv == "" {
					t.Skip(name + " names no virtual environment; make test sets it")
				}
				dir := t.TempDir()
				write(t, filepath.Join(dir, "hosts.ini"), "["+test.group+"]\nb\na\n[kube_node]\nw1\n")
				p := Plan{
					Ansible: Ansible{Path: filepath.Join(venv, "bin", "ansible-playbook")}, Dir: dir, Checkout: checkout, ExtraVars: &extravars.Vars{},
					Config: filepath.Join(checkout, "ansible.cfg"), SetConfig: true, Flags: AnsibleArgs{"inventory": {"hosts.ini"}, "limit": {test.limit}},
				}
				var r Runner
				if err := r.Open(); err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				got, err := r.Values(t.Context(), p, Question{})
				if err != nil {
					t.Fatal(err)
				}
				if got.ControlPlane != nil {
					slices.Sort(got.ControlPlane.Left)
				}
				if diff := cmp.Diff(test.want, got.ControlPlane); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
