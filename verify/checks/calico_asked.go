package checks

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"

	"github.com/surespray/surespray/verify"
)

// askedPool is a pool that the inventory asks for. Empty fields are not known.
type askedPool struct {
	name, suffix string // of its variables: "", or "_ipv6"
	cidr         string
	cidrName     string // the variable that gives it
	ipip, vxlan  string
	blockSize    string
}

// askedPools are those that Kubespray makes.
func (f Facts) askedPools() []askedPool {
	name := cmp.Or(f.text("calico_pool_name"), "default-pool")
	out := []askedPool{f.askedPool(name, "")}
	if yes(f.flag("ipv6_stack")) {
		out = append(out, f.askedPool(name+"-ipv6", "_ipv6"))
	}
	return out
}

func (f Facts) askedPool(name, suffix string) askedPool {
	p := askedPool{
		name: name, suffix: suffix, cidr: f.text("calico_pool_cidr" + suffix), cidrName: "calico_pool_cidr" + suffix,
		ipip: f.text("calico_ipip_mode" + suffix), vxlan: f.text("calico_vxlan_mode" + suffix), blockSize: f.text("calico_pool_blocksize" + suffix),
	}
	if p.cidr == "" {
		p.cidrName = "kube_pods_subnet" + suffix
		p.cidr = f.text(p.cidrName)
		if suffix == "" {
			p.cidr = cmp.Or(p.cidr, f.PodsSubnet)
		}
	}
	return p
}

// comparePool compares a pool with what the inventory asks for. Kubespray stops at such a
// difference in the middle of its next full run.
func comparePool(p pool, w askedPool) verify.Finding {
	var lines, keep []string
	cause := ""
	differ := func(c, field, live, want, variable string) {
		if want == "" || live == want {
			return
		}
		cause = cmp.Or(cause, c)
		lines = append(lines, fmt.Sprintf("%s: %s live, %s wanted (%s)", field, live, want, variable))
		keep = append(keep, variable+": "+live)
	}
	differ("encapsulation-drift", "vxlanMode", p.vxlan, w.vxlan, "calico_vxlan_mode"+w.suffix)
	differ("encapsulation-drift", "ipipMode", p.ipip, w.ipip, "calico_ipip_mode"+w.suffix)
	if !sameRange(p.cidr, w.cidr) {
		differ("pool-range-drift", "cidr", p.cidr, w.cidr, w.cidrName)
	}
	differ("pool-blocksize-drift", "blockSize", fmt.Sprint(p.blockSize), w.blockSize, "calico_pool_blocksize"+w.suffix)
	if cause == "encapsulation-drift" && w.suffix == "" {
		keep = append(keep, "calico_network_backend: "+backend(p))
	}
	switch {
	case cause != "":
		return verify.Fail(cause, "pool %s is not what the inventory asks for: %s", p.name, strings.Join(lines, "; ")).
			Mend("keep what the cluster has, in group_vars: "+strings.Join(keep, ", "),
				"move the pods to a new pool (https://docs.tigera.io/calico/latest/networking/ipam/migrate-pools); a run does not change a pool that is in use")
	case p.disabled:
		return verify.Fail("pool-disabled", "pool %s is disabled: new pods get no address of it", p.name).
			Mend("kubectl patch ippools.crd.projectcalico.org " + p.name + " --type merge -p '{\"spec\":{\"disabled\":false}}'")
	}
	return verify.Pass("")
}

// backend is calico_network_backend for what a pool does.
func backend(p pool) string {
	if p.vxlan != modeNever {
		return "vxlan"
	}
	return "bird"
}

// sameRange compares two ranges by meaning.
func sameRange(a, b string) bool {
	x, err1 := netip.ParsePrefix(a)
	y, err2 := netip.ParsePrefix(b)
	return err1 == nil && err2 == nil && x == y
}
