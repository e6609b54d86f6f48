package audit

import (
	"maps"
	"slices"
	"testing"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
)

// TestVariables insists that Ansible is asked for whatever the rules look at: with
// everything switched on, no rule may want a value that is not in the list.
func TestVariables(t *testing.T) {
	checkout, err := kubespray.Open("../../test/checkout")
	if err != nil {
		t.Fatal(err)
	}
	types, err := checkout.Types()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{
		"metrics_server_enabled": true, "metrics_server_host_network": true, "metrics_server_kubelet_insecure_tls": false, "metrics_server_container_port": 10250.0,
		"local_path_provisioner_enabled": true, "persistent_volumes_enabled": true, "cinder_csi_enabled": true, "upcloud_csi_enabled": true, "storage_classes": []any{},
		"kube_proxy_mode": "ipvs", "kube_proxy_strict_arp": false, "metallb_enabled": true, "kube_vip_enabled": true, "kube_vip_arp_enabled": true,
		"http_proxy": "", "https_proxy": "x", "no_proxy": "x", "kube_network_plugin": "calico", "calico_mtu": 1500.0, "ipv6_stack": true,
	}
	in := Input{
		Checkout: checkout, Types: types, Defaults: types, Inventory: inventory.Read([]string{"a,"}, inventory.Options{}),
		ExtraVars: &extravars.Vars{}, Core: "2.19.1", Values: values,
	}
	a := newAuditor(in)
	for _, rule := range rules() {
		rule(a)
	}
	for _, name := range slices.Sorted(maps.Keys(a.asked)) {
		if !slices.Contains(Variables(), name) {
			t.Errorf("rules look at %s, and Variables does not name it", name)
		}
	}
	for _, name := range Variables() {
		if name != "ipv4_stack" && !a.asked[name] { // that one is in claims of some releases
			t.Errorf("Variables names %s, and no rule looked at it", name)
		}
	}
}
