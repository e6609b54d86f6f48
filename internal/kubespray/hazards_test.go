package kubespray

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mini reads the checkout of the tests.
func mini(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Open("../../test/checkout")
	if err != nil {
		t.Fatal(err)
	}
	cat, err := c.Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// resolved is an addon that must be there.
func resolved(t *testing.T, cat *Catalogue, name string) Addon {
	t.Helper()
	a, _, err := cat.Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// given answers for values as Ansible would: JSON numbers are floats.
func given(values map[string]any) func(string) (any, bool) {
	return func(name string) (any, bool) { v, ok := values[name]; return v, ok }
}

func TestSelectionIsAnsiblesRule(t *testing.T) {
	for _, test := range []struct {
		tags, skip, task string
		gate             string
		runs, asks       bool
	}{
		{"", "", "", "", true, true},
		{"", "", "never", "", false, false},
		{"", "upgrade", "apps upgrade", "", false, false},
		{"helm", "", "apps helm", "", true, true},
		{"helm", "", "apps", "", false, false},
		{"helm", "", "always", "", true, false},
		{"helm", "", "always helm", "", true, true},
		{"helm", "helm", "apps helm", "", false, false},
		{"helm", "always", "always", "", false, false},
		{"helm", "all", "always", "", true, false},
		{"helm", "all", "helm", "", false, false},
		{"all", "", "apps", "", true, true},
		{"all", "", "never apps", "", false, false},
		{"never", "", "never apps", "", true, true},
		{"tagged", "", "apps", "", true, true},
		{"tagged", "", "", "", false, false},
		{"untagged", "", "", "", true, true},
		{"helm", "tagged", "helm", "", false, false},
		{"calico", "", "calico network", "calico", true, true},
		{"network", "", "calico network", "calico", false, false},
	} {
		sel := Selection{Tags: strings.Fields(test.tags), Skip: strings.Fields(test.skip)}
		task := Task{Tags: strings.Fields(test.task)}
		if test.gate != "" {
			task.Gates = [][]string{{test.gate}}
		}
		if runs, asks := sel.Runs(task), sel.Asks(task); runs != test.runs || asks != test.asks {
			t.Errorf("--tags %q --skip-tags %q, task %q behind %q: runs %v, asked for %v", test.tags, test.skip, test.task, test.gate, runs, asks)
		}
	}
}

func TestHazards(t *testing.T) {
	cat := mini(t)
	const deletes = "roles/kubernetes-apps/ingress_controller/cert_manager/tasks/main.yml:11"
	const check = "roles/network_plugin/calico/tasks/check.yml:2"
	hostNetwork := map[string]any{"metrics_server_host_network": true}
	for _, test := range []struct {
		name, addon, tags, skip string
		values                  map[string]any
		want                    []string // name, source, way
	}{
		{"its own tag", "cert-manager", "cert-manager", "", nil, []string{"cert-manager-namespace", deletes, "--skip-tags upgrade"}},
		{"skipped already", "cert-manager", "cert-manager", "upgrade", nil, nil},
		{"a wider tag", "cert-manager", "apps", "", nil, []string{
			"cert-manager-namespace", deletes, "surespray addon apply cert-manager --skip-tags upgrade (for this addon alone: in this run the tag would also leave out tasks of kubernetes-apps/metrics_server)",
		}},
		{"another addon", "cert-manager", "helm", "", nil, nil},
		{"a network plugin", "calico", "calico", "", nil, []string{"cni-reapply", check, ""}},
		{"with its check", "calico", "calico preinstall", "", nil, nil},
		{"a plugin without a check", "cilium", "network", "", nil, []string{"cni-reapply", "", ""}},
		{"a full run", "calico", "", "", nil, nil},
		{"the kubelet's port", "metrics-server", "metrics_server", "", hostNetwork, []string{
			"metrics-server-host-port", "roles/kubernetes-apps/metrics_server/defaults/main.yml:11", "-e metrics_server_container_port=4443",
		}},
		{"another port", "metrics-server", "metrics_server", "", map[string]any{"metrics_server_host_network": true, "metrics_server_container_port": 4443.0}, nil},
		{"the defaults", "metrics-server", "metrics_server", "", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			sel := Selection{Tags: strings.Fields(test.tags), Skip: strings.Fields(test.skip)}
			for _, h := range cat.Hazards(resolved(t, cat, test.addon), sel, given(test.values)) {
				got = append(got, h.Name, h.Source, h.Way)
				if h.Addon != test.addon || h.Text == "" {
					t.Errorf("%+v", h)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The namespace is the one in force, and that nothing is installed again is said.
func TestHazardNamesWhatIsLost(t *testing.T) {
	cat := mini(t)
	a := resolved(t, cat, "cert-manager")
	upgrade := Selection{Tags: []string{"upgrade"}}
	for want, values := range map[string]map[string]any{
		"deletes the namespace certs,":        {"cert_manager_namespace": "certs"},
		"deletes the namespace cert-manager,": nil,
		"installs nothing again":              nil,
	} {
		h := cat.Hazards(a, upgrade, given(values))
		if len(h) != 1 || !strings.Contains(h[0].Text, want) || !h[0].Destroys {
			t.Errorf("no %q in %+v", want, h)
		}
	}
}
