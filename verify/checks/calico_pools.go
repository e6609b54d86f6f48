package checks

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/surespray/surespray/verify"
)

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
