package kubespray

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dynamicTree brings its network plugin in by a templated name, as releases from
// v2.31 on do, and its helper through a role that has no tasks.
func dynamicTree(t *testing.T) *Checkout {
	t.Helper()
	c, err := Open(tree(t, looksLike("", map[string]string{
		"playbooks/cluster.yml": `
- name: CNI
  hosts: k8s_cluster
  roles:
    - { role: network_plugin, tags: network }
- name: Apps
  hosts: kube_control_plane
  tags: late
  roles:
    - { role: kubernetes-apps, tags: apps }
  post_tasks:
    - debug: {msg: x}
      tags: [done, never]
`,
		"roles/network_plugin/tasks/main.yml": `
- name: Plugin
  include_role:
    name: "network_plugin/{{ kube_network_plugin }}"
    apply:
      tags: ["{{ kube_network_plugin }}", network]
  when: kube_network_plugin != 'none'
  tags: [calico]
`,
		"roles/network_plugin/calico/tasks/main.yml": "- debug:\n",
		"roles/network_plugin/other/tasks/main.yml":  "- debug:\n",
		"roles/kubernetes-apps/meta/main.yml": `
dependencies:
  - role: kubernetes-apps/alpha_one
    when: [alpha_enabled, "inventory_hostname == groups['kube_control_plane'][0]"]
    tags: [alpha_one, shared]
  - role: kubernetes-apps/beta
    when: beta_enabled or alpha_enabled
    tags: shared
  - role: kubernetes-apps/approver
    when: approver_enabled
    tags: approver
`,
		"roles/kubernetes-apps/alpha_one/defaults/main.yml": "alpha_enabled: false\nalpha_one_version: \"1.2\"\nalpha_ns_namespace: x\n",
		"roles/kubernetes-apps/alpha_one/tasks/main.yml":    "- debug:\n- debug:\n  tags: upgrade\n- include_tasks: more.yml\n  tags: more\n",
		"roles/kubernetes-apps/alpha_one/tasks/more.yml":    "- block:\n  - debug:\n  when: a\n  tags: inner\n",
		"roles/kubernetes-apps/beta/tasks/main.yaml":        "- debug:\n  when: inventory_hostname == groups['kube_control_plane'] | first\n",
		"roles/kubernetes-apps/approver/meta/main.yml":      "dependencies:\n  - role: helper\n    releases: []\n",
		"roles/helper/tasks/main.yml":                       "- debug:\n",
		"roles/unused/tasks/main.yml":                       "- debug:\n  tags: elsewhere\n",
		"roles/validate_inventory/tasks/main.yml": `
- name: Booleans
  assert:
    that:
      - helm_enabled | type_debug == 'bool'
      - other is defined
  when: not ignore_assert_errors
`,
	})))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCatalogue(t *testing.T) {
	cat, err := dynamicTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Role, Play   string
		Switch, Tags []string
		Tag          string
		First, Needs bool
	}
	got := map[string]row{}
	for _, a := range cat.Addons {
		got[a.Name] = row{a.Role, a.Play, a.Switch, a.Tags, a.Tag, a.FirstControlPlaneOnly, a.NeedsFirstControlPlane}
	}
	want := map[string]row{
		"alpha-one":            {"kubernetes-apps/alpha_one", "Apps", []string{"alpha_enabled"}, []string{"alpha_one", "apps", "late", "shared"}, "alpha_one", true, true},
		"beta":                 {"kubernetes-apps/beta", "Apps", []string{"beta_enabled", "alpha_enabled"}, []string{"apps", "late", "shared"}, "shared", false, true},
		"approver":             {"kubernetes-apps/approver", "Apps", []string{"approver_enabled"}, []string{"approver", "apps", "late"}, "approver", false, false},
		"helper":               {"helper", "Apps", []string{"approver_enabled"}, []string{"approver", "apps", "late"}, "approver", false, false},
		"calico":               {"network_plugin/calico", "CNI", []string{"kube_network_plugin"}, []string{"calico", "network"}, "calico", false, false},
		"network_plugin/other": {"network_plugin/other", "CNI", []string{"kube_network_plugin"}, []string{"network"}, "network", false, false},
		"network_plugin":       {"network_plugin", "CNI", []string{}, []string{"network"}, "network", false, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	tags := []string{"all", "alpha_one", "always", "approver", "apps", "calico", "done", "inner", "late", "more", "network", "never", "other", "shared", "tagged", "untagged", "upgrade"}
	if diff := cmp.Diff(tags, cat.Tags()); diff != "" {
		t.Errorf("tags: %s", diff)
	}
}

func TestAddonDetails(t *testing.T) {
	cat, err := dynamicTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := cat.Resolve("alpha-one")
	if err != nil {
		t.Fatal(err)
	}
	if a.AskedIf() != "(alpha_enabled)" || a.VersionVar != "alpha_one_version" || a.NamespaceVar != "alpha_ns_namespace" || a.Default["alpha_enabled"] != false {
		t.Errorf("%+v, asked if %s", a, a.AskedIf())
	}
	if diff := cmp.Diff([]string{"inner", "more", "upgrade"}, a.TaskTags); diff != "" {
		t.Error(diff)
	}
}

// Of the roles that a templated name can become, each is asked for by its own value.
func TestTemplatedRoleIsAskedForByItsValue(t *testing.T) {
	cat, err := dynamicTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"calico":               "(kube_network_plugin != 'none') and ((kube_network_plugin) == 'calico')",
		"network_plugin/other": "(kube_network_plugin != 'none') and ((kube_network_plugin) == 'other')",
	} {
		if a, _, err := cat.Resolve(name); err != nil || a.AskedIf() != want {
			t.Errorf("%s is asked for if %s (%v), want %s", name, a.AskedIf(), err, want)
		}
	}
}

func TestResolve(t *testing.T) {
	cat, err := dynamicTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{
		"alpha-one": {"alpha-one", "alpha_one"}, "alpha_one": {"alpha-one", "alpha_one"}, "AlphaOne": {"alpha-one", "alpha_one"},
		"kubernetes-apps/alpha_one": {"alpha-one", "alpha_one"}, "beta_enabled": {"beta", "shared"},
		"upgrade": {"alpha-one", "upgrade"}, "network_plugin/other": {"network_plugin/other", "network"}, "other": {"network_plugin/other", "network"},
	} {
		a, tag, err := cat.Resolve(name)
		if err != nil || a.Name != want[0] || tag != want[1] {
			t.Errorf("%s: %s, %s, %v", name, a.Name, tag, err)
		}
	}
	var ambiguous *AmbiguousAddonError
	if _, _, err := cat.Resolve("alpha_enabled"); !errors.As(err, &ambiguous) {
		t.Errorf("alpha_enabled: %v", err)
	}
	var unknown *UnknownAddonError
	if _, _, err := cat.Resolve("alpha-on"); !errors.As(err, &unknown) || !cmp.Equal(unknown.Nearest, []string{"alpha-one"}) {
		t.Errorf("alpha-on: %v", err)
	}
	if _, _, err := cat.Resolve(""); !errors.As(err, &unknown) {
		t.Errorf("an empty name: %v", err)
	}
	if cat.HasTag("elsewhere") || !cat.HasTag("never") {
		t.Error("tags of roles that the playbook never reaches count")
	}
	if diff := cmp.Diff([]string{"alpha_one"}, cat.NearestTag("alpha-one")); diff != "" {
		t.Error(diff)
	}
}

func TestAssertions(t *testing.T) {
	got, err := dynamicTree(t).Assertions()
	if err != nil {
		t.Fatal(err)
	}
	want := []Assertion{{Variable: "helm_enabled", File: "roles/validate_inventory/tasks/main.yml", Line: 5, Unless: "ignore_assert_errors"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
