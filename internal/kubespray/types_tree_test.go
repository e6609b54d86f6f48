package kubespray

import (
	"strings"
	"testing"

	"github.com/surespray/surespray/extravars"
)

func TestTreeTypes(t *testing.T) {
	types, err := realTree(t).Types()
	if err != nil {
		t.Fatal(err)
	}
	booleans := 0
	for _, name := range types.Names() {
		typ := types.TypeOf(name)
		if typ == extravars.Bool {
			booleans++
		}
		if strings.HasSuffix(name, "_version") && (typ == extravars.Bool || typ == extravars.Int || typ == extravars.Float) {
			t.Errorf("%s is %v: a version must stay text", name, typ)
		}
		literal := 0
		for _, d := range types.Defaults(name) {
			if d.Type == extravars.Bool {
				literal++
			}
		}
		if literal > 0 && literal == len(types.Defaults(name)) && typ != extravars.Bool {
			t.Errorf("%s has only boolean defaults and is %v", name, typ)
		}
	}
	if booleans < 270 {
		t.Errorf("%d booleans, expected about 275", booleans)
	}
	for name, want := range map[string]extravars.Type{
		"helm_enabled": extravars.Bool, "metrics_server_enabled": extravars.Bool, "kube_network_node_prefix": extravars.Int,
		"kubelet_csr_approver_enabled": extravars.Bool, "kube_apiserver_port": extravars.String,
		"local_path_provisioner_is_default_storageclass": extravars.String, "docker_iptables_enabled": extravars.String,
		"external_vsphere_insecure": extravars.String, "alb_ingress_aws_debug": extravars.String, "global_as_num": extravars.String,
		"openstack_lbaas_create_monitor": extravars.String, "calico_ipv4pool_ipip": extravars.String, "metallb_port": extravars.String,
		"local_volume_provisioner_directory_mode": extravars.String, "cilium_mtu": extravars.String,
	} {
		if got := types.TypeOf(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func BenchmarkTreeTypes(b *testing.B) {
	benchmark(b, func(c *Checkout) error { _, err := c.Types(); return err })
}

func BenchmarkTreeCatalogue(b *testing.B) {
	benchmark(b, func(c *Checkout) error { _, err := c.Catalogue(""); return err })
}

func benchmark(b *testing.B, read func(*Checkout) error) {
	dir := treeDir()
	if dir == "" {
		b.Skip("needs a real tree: set KUBESPRAY_DIR to a Kubespray checkout")
	}
	for b.Loop() {
		c, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		if err := read(c); err != nil {
			b.Fatal(err)
		}
	}
}
