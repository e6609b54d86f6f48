package kubespray

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompanions(t *testing.T) {
	cat := mini(t)
	for _, test := range []struct {
		name string
		want []Companion
	}{
		{"helm", nil},
		{"metrics-server", nil},
		{"cert-manager", nil},
		{"calico", []Companion{
			{"network", "network_plugin/cni, which goes before calico, is not selected by the tag calico"},
			{"download", "network_plugin/cni takes files of the download role, which does not run under calico"},
		}},
		{"cilium", []Companion{
			{"network", "network_plugin/cni, which goes before cilium, is not selected by the tag cilium"},
			{"download", "network_plugin/cni takes files of the download role, which does not run under cilium"},
		}},
	} {
		a, tag, err := cat.Resolve(test.name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, cat.Companions(a, tag)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// CRDs that several addons share come by a role without a tag of its own.
func TestCompanionsShareCRDs(t *testing.T) {
	c, err := Open(tree(t, looksLike("", map[string]string{
		"playbooks/cluster.yml": "- hosts: kube_control_plane\n  roles:\n    - { role: kubernetes-apps, tags: apps }\n",
		"roles/kubernetes-apps/meta/main.yml": `
dependencies:
  - role: kubernetes-apps/utils
  - role: kubernetes-apps/crd
    when: ["a_enabled or b_enabled", "inventory_hostname == groups['kube_control_plane'][0]"]
    tags: csi
  - role: kubernetes-apps/a
    when: a_enabled
    tags: [a, csi]
  - role: kubernetes-apps/c
    when: c_enabled
    tags: [c, csi]
  - role: kubernetes-apps/volumes
    when: a_enabled
    tags: volumes
`,
		"roles/kubernetes-apps/utils/tasks/main.yml":   "- debug:\n",
		"roles/kubernetes-apps/crd/tasks/main.yml":     "- debug:\n",
		"roles/kubernetes-apps/a/tasks/main.yml":       "- debug:\n",
		"roles/kubernetes-apps/c/tasks/main.yml":       "- debug:\n",
		"roles/kubernetes-apps/volumes/tasks/main.yml": "- debug:\n",
	})))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := c.Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, a := range cat.Addons {
		for _, companion := range cat.Companions(a, a.Tag) {
			got[a.Name] = append(got[a.Name], companion.Tag)
		}
	}
	if diff := cmp.Diff(map[string][]string{"a": {"csi"}}, got); diff != "" {
		t.Error(diff)
	}
}
