package checks

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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

// judgePools returns one finding for each pool in trouble, or one for all. complete: what
// is not among those found is not there.
func judgePools(found seen[[]unstructured.Unstructured], f Facts, complete bool) []verify.Finding {
	one := func(g verify.Finding) []verify.Finding { return []verify.Finding{g} }
	asked := f.plugin() == "calico"
	switch {
	case found.absent() && f.text("calico_datastore") == "etcd":
		return one(verify.Skip("calico keeps its pools in etcd (calico_datastore), where the API server does not see them"))
	case found.absent() && asked:
		return one(verify.Because(networkPlugin, "the cluster does not know calico's pools"))
	case found.absent():
		return one(verify.Skip("there is no calico in this cluster"))
	case found.blind():
		return one(unseen(found.err))
	}
	var out []verify.Finding
	var fine []string
	wanted := f.askedPools()
	for _, o := range found.value {
		p := readPool(o)
		i := slices.IndexFunc(wanted, func(w askedPool) bool { return w.name == p.name })
		g := judgePool(p)
		switch {
		case g.Verdict != verify.VerdictPass:
		case i >= 0:
			g = comparePool(p, wanted[i])
		case asked && !p.disabled:
			g = verify.Warn("second-pool", "pool %s (%s) is not Kubespray's: pods may get addresses of it", p.name, p.cidr).
				Mend("kubectl get ippools.crd.projectcalico.org "+p.name+" -o yaml (who made it)", "accept it, where it is meant: --accept second-pool="+p.name)
		}
		if g.Verdict != verify.VerdictPass {
			g.Subject, g.Of = p.name, len(found.value)
			out = append(out, g)
			continue
		}
		fine = append(fine, p.String())
	}
	for _, w := range wanted {
		if complete && asked && !slices.ContainsFunc(found.value, func(o unstructured.Unstructured) bool { return o.GetName() == w.name }) {
			g := verify.Fail("pool-missing", "there is no pool %s: new pods get no address, or one of another pool", w.name).Mend(networkFix)
			g.Subject = w.name
			out = append(out, g)
		}
	}
	if len(out) > 0 {
		return out
	}
	return one(verify.Pass("%s", some(fine, 4)))
}

// String tells the pool in a few words.
func (p pool) String() string {
	mode := "no encapsulation"
	switch {
	case p.vxlan != modeNever:
		mode = "VXLAN " + p.vxlan
	case p.ipip != modeNever:
		mode = "IP-in-IP " + p.ipip
	}
	s := fmt.Sprintf("%s: %s, %s, blocks of /%d", p.name, p.cidr, mode, p.blockSize)
	if p.disabled {
		s += " (disabled)"
	}
	return s
}

// judgePool looks at a pool alone.
func judgePool(p pool) verify.Finding {
	if len(p.strange) == 0 {
		return verify.Pass("")
	}
	return verify.Fail("pool-invalid", "pool %s has a value that calico does not know: %s", p.name, p.strange[0]).Seen(p.strange...).
		Mend("calicoctl.sh get ippool "+p.name+" -o yaml on a control plane; mend it with calicoctl.sh, which checks values", networkFix)
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
				"or move the pods to a new pool (https://docs.tigera.io/calico/latest/networking/ipam/migrate-pools); a run does not change a pool that is in use")
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
