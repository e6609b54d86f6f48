// Package checkout_test reads the mini checkout with the code that reads Kubespray.
package checkout_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
)

func open(t *testing.T) *kubespray.Checkout {
	t.Helper()
	c, err := kubespray.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAddons(t *testing.T) {
	addons, err := open(t).Addons()
	if err != nil {
		t.Fatal(err)
	}
	type row struct{ Role, Tag, Play string }
	got := map[string]row{}
	for _, a := range addons {
		got[a.Name] = row{a.Role, a.Tag, a.Play}
	}
	const apps = "Install Kubernetes apps"
	want := map[string]row{
		"calico":                 {"network_plugin/calico", "calico", "Invoke kubeadm and install a CNI"},
		"cert-manager":           {"kubernetes-apps/ingress_controller/cert_manager", "cert-manager", apps},
		"cilium":                 {"network_plugin/cilium", "cilium", "Invoke kubeadm and install a CNI"},
		"helm":                   {"kubernetes-apps/helm", "helm", apps},
		"ingress-alb":            {"kubernetes-apps/ingress_controller/alb_ingress_controller", "ingress_alb", apps},
		"local-path-provisioner": {"kubernetes-apps/external_provisioner/local_path_provisioner", "local-path-provisioner", apps},
		"metallb":                {"kubernetes-apps/metallb", "metallb", apps},
		"metrics-server":         {"kubernetes-apps/metrics_server", "metrics_server", apps},
		"network_plugin/cni":     {"network_plugin/cni", "network", "Invoke kubeadm and install a CNI"},
		"scheduler-plugins":      {"kubernetes-apps/scheduler_plugins", "scheduler_plugins", apps},
		"policy-controller":      {"kubernetes-apps/policy_controller/calico", "policy-controller", apps},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTypes(t *testing.T) {
	types, err := open(t).Types()
	if err != nil {
		t.Fatal(err)
	}
	for typ, names := range map[extravars.Type][]string{
		extravars.Bool: {
			"helm_enabled", "metrics_server_enabled", "local_path_provisioner_enabled", "download_run_once", "metallb_enabled",
			"metallb_speaker_enabled", "kubelet_rotate_server_certificates", "metrics_server_host_network", "kube_proxy_strict_arp", "typha_enabled",
		},
		extravars.Int: {"kube_network_node_prefix", "kubelet_max_pods", "calico_pool_blocksize", "calico_vxlan_port"},
		extravars.String: {
			"local_path_provisioner_is_default_storageclass", "docker_iptables_enabled", "external_vsphere_insecure",
			"alb_ingress_restrict_scheme", "alb_ingress_aws_debug", "openstack_lbaas_create_monitor", "calico_ipv4pool_ipip", "global_as_num",
			"metallb_port", "local_volume_provisioner_directory_mode", "cilium_mtu", "nodelocaldns_version", "kube_apiserver_port",
			"additional_no_proxy", "kube_version",
		},
	} {
		for _, name := range names {
			if got := types.TypeOf(name); got != typ {
				t.Errorf("%s: %v, want %v", name, got, typ)
			}
		}
	}
}

func TestRangeAndAssertions(t *testing.T) {
	c := open(t)
	r, file, line, err := c.AnsibleRange()
	if err != nil || file != "playbooks/ansible_version.yml" || line == 0 {
		t.Errorf("range at %s:%d: %v", file, line, err)
	}
	if diff := cmp.Diff(kubespray.Range{Min: "2.18.0", Max: "2.20.0"}, r); diff != "" {
		t.Error(diff)
	}
	asserted, err := c.Assertions()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range asserted {
		names = append(names, a.Variable)
	}
	if diff := cmp.Diff([]string{"download_run_once", "download_always_pull", "helm_enabled", "openstack_lbaas_enabled"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestTagsAndNames(t *testing.T) {
	cat, err := open(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	if len(cat.Opaque) > 0 {
		t.Errorf("not followed: %v", cat.Opaque)
	}
	for name, want := range map[string]string{
		"metrics-server": "metrics_server", "metricsserver": "metrics_server", "local-path": "local-path-provisioner",
		"local_path_provisioner": "local-path-provisioner", "helm": "helm", "metallb": "metallb",
	} {
		if _, tag, err := cat.Resolve(name); err != nil || tag != want {
			t.Errorf("%s: tag %q, %v", name, tag, err)
		}
	}
	if cat.HasTag("metrics-server") || !cat.HasTag("metrics_server") || !cat.HasTag("upgrade") {
		t.Errorf("tags: %v", cat.Tags())
	}
	if diff := cmp.Diff([]string{"metrics_server"}, cat.NearestTag("metrics-server")); diff != "" {
		t.Error(diff)
	}
}

func TestConfigFindsTheCheckout(t *testing.T) {
	c := open(t)
	cfg, err := kubespray.ReadConfig(c.ConfigFile())
	if err != nil {
		t.Fatal(err)
	}
	if lacks := cfg.LacksCheckout(c); len(lacks) > 0 {
		t.Errorf("its own ansible.cfg lacks %v", lacks)
	}
	for arg, code := range map[string]string{"inventory/sample": kubespray.InventoryIgnored, "inventory/sample/inventory.ini": kubespray.InventoryEmpty} {
		problems := kubespray.InventoryProblems([]string{arg}, c.Dir, cfg, "")
		if len(problems) != 1 || problems[0].Code != code {
			t.Errorf("problems of %s: %v", arg, problems)
		}
	}
	// One that only groups the hosts of another is fine.
	if problems := kubespray.InventoryProblems([]string{"node1,", "inventory/sample/inventory.ini"}, c.Dir, cfg, ""); len(problems) != 0 {
		t.Errorf("problems of two: %v", problems)
	}
}
