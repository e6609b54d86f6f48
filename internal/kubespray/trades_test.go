package kubespray

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrades(t *testing.T) {
	cat := mini(t)
	for _, test := range []struct {
		addon  string
		values map[string]any
		want   []string
	}{
		{"metrics-server", nil, []string{"metrics-server-insecure-tls", "metrics-server-one-replica"}},
		{"metrics-server", map[string]any{"metrics_server_kubelet_insecure_tls": false, "metrics_server_replicas": 2.0}, nil},
		{"local-path", nil, []string{"local-path-reclaim-delete", "local-path-provisioner-images"}},
		{"local-path", map[string]any{"local_path_provisioner_reclaim_policy": "Retain"}, []string{"local-path-provisioner-images"}},
		{"helm", nil, nil},
		{"calico", nil, nil},
	} {
		var got []string
		for _, trade := range resolved(t, cat, test.addon).Trades(given(test.values)) {
			got = append(got, trade.Name)
			if trade.Text == "" || trade.Way == "" {
				t.Errorf("%+v", trade)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s with %v: %s", test.addon, test.values, diff)
		}
	}
	if got := (Addon{Role: "kubernetes-apps/metrics_server"}).Trades(nil); got != nil {
		t.Errorf("an addon of no checkout: %v", got)
	}
}

// The helper's image stands in a ConfigMap, and has no registry unless it is given one.
func TestTradeNamesImages(t *testing.T) {
	a := resolved(t, mini(t), "local-path")
	for repo, short := range map[string]bool{"busybox": true, "registry.example/busybox": false} {
		trades := a.Trades(given(map[string]any{"local_path_provisioner_helper_image_repo": repo}))
		last := trades[len(trades)-1]
		if !strings.Contains(last.Text, ": "+repo+":latest") || strings.Contains(last.Text, "without a registry") != short {
			t.Errorf("%s: %+v", repo, last)
		}
	}
}

// A role's own default wins over the checkout's, which the download role goes by.
func TestTradeOfTwoVersions(t *testing.T) {
	c, err := Open(tree(t, looksLike("", map[string]string{
		"playbooks/cluster.yml":                               "- hosts: a\n  roles:\n    - { role: kubernetes-apps, tags: apps }\n",
		"roles/kubernetes-apps/meta/main.yml":                 "dependencies:\n  - { role: kubernetes-apps/cd, when: cd_enabled, tags: cd }\n",
		"roles/kubernetes-apps/cd/defaults/main.yml":          "cd_version: 2.14.5\ncd_enabled: false\n",
		"roles/kubernetes-apps/cd/tasks/main.yml":             "- debug:\n",
		"roles/kubespray_defaults/defaults/main/download.yml": "cd_version: 2.14.21\n",
	})))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := c.Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	cd := resolved(t, cat, "cd")
	if diff := cmp.Diff([]string{"cd_version"}, cd.Variables()); diff != "" {
		t.Error(diff)
	}
	for version, want := range map[string]bool{"2.14.5": true, "2.14.21": false, "3.0.0": false} {
		trades := cd.Trades(given(map[string]any{"cd_version": version}))
		if got := len(trades) == 1 && trades[0].Way == "-e cd_version=2.14.21"; got != want {
			t.Errorf("%s: %+v", version, trades)
		}
	}
}
