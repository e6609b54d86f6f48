package kubespray

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func lines(list []Planned) (out []string) {
	for _, p := range list {
		out = append(out, fmt.Sprintf("%s (%s): %d, %v", p.Role, p.Play.Name, len(p.Tasks), p.When))
	}
	return out
}

func TestPlanned(t *testing.T) {
	cat := mini(t)
	const cni, cilium, calico = "network_plugin/cni (Invoke kubeadm and install a CNI): 1, [kube_network_plugin != 'none']",
		"network_plugin/cilium (Invoke kubeadm and install a CNI): 1, [kube_network_plugin == 'cilium' or cilium_deploy_additionally]",
		"network_plugin/calico (Invoke kubeadm and install a CNI): 1, [kube_network_plugin == 'calico']"
	for _, test := range []struct {
		name, tags, skip, apply string
		want                    []string
	}{
		{"an addon", "metrics_server", "", "metrics-server", []string{"kubernetes-apps/metrics_server (Install Kubernetes apps): 4, [metrics_server_enabled]"}},
		{"without what is skipped", "metrics_server", "upgrade", "metrics-server", []string{"kubernetes-apps/metrics_server (Install Kubernetes apps): 3, [metrics_server_enabled]"}},
		{"a plugin that may be added", "network", "", "calico", []string{cni, cilium, calico}},
		{"a plugin beside a choice", "network", "", "cilium", []string{cni, cilium, calico}},
		{"the one that is applied", "calico", "", "calico", []string{calico}},
	} {
		asked, anyway := cat.Planned(Selection{Tags: []string{test.tags}, Skip: strings.Fields(test.skip)}, []Addon{resolved(t, cat, test.apply)})
		if diff := cmp.Diff(test.want, lines(asked)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		always := []string{
			" (Check Ansible version): 1, []",
			"dynamic_groups (Inventory setup and validation): 1, []",
			"validate_inventory (Inventory setup and validation): 8, []",
			"network_facts (Gather facts): 1, []",
			" (Gather facts): 1, []",
		}
		if diff := cmp.Diff(always, lines(anyway)); diff != "" {
			t.Errorf("%s, anyway: %s", test.name, diff)
		}
	}
}

// Of the plugins that a templated name can become, only the applied one is planned.
func TestPlannedLeavesOutOtherPlugins(t *testing.T) {
	cat, err := dynamicTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	asked, _ := cat.Planned(Selection{Tags: []string{"network"}}, []Addon{resolved(t, cat, "calico")})
	var roles []string
	for _, p := range asked {
		roles = append(roles, p.Role)
	}
	if diff := cmp.Diff([]string{"network_plugin/calico", "network_plugin"}, roles); diff != "" {
		t.Error(diff)
	}
}
