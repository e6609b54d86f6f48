package checks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/surespray/surespray/verify"
)

// smallPacket is a payload that fits through any network.
const smallPacket = 512

// judgeMTU judges by what a probe found, where there was one, else by the numbers.
func judgeMTU(hosts map[string]NodeEvidence, traffic []Traffic, pools seen[[]unstructured.Unstructured], f Facts) verify.Finding {
	o := tunnelOverhead(pools, f)
	numbers := compareMTU(hosts, o, f)
	small, large := map[string]bool{}, map[string]Traffic{}
	proven := 0
	for _, t := range traffic {
		if t.Kind != "pod" {
			continue
		}
		way := t.From + " -> " + t.To
		if t.Bytes <= smallPacket {
			small[way] = t.OK
			continue
		}
		if t.OK {
			proven++
			continue
		}
		large[way] = t
	}
	var broken, blocked []string
	for _, way := range slices.Sorted(maps.Keys(large)) {
		line := fmt.Sprintf("%s: %d bytes do not pass: %s", way, large[way].Bytes, large[way].Error)
		if small[way] {
			broken = append(broken, line+"; small packets do")
		} else {
			blocked = append(blocked, line)
		}
	}
	switch {
	case len(broken) > 0:
		fix := numbers.Fix
		if numbers.Verdict != verify.VerdictFail {
			fix = []string{"a link between the nodes carries less than their interfaces say: set calico_mtu to what passes (ping -M do -s SIZE between the nodes), less " + fmt.Sprint(o.bytes)}
		}
		return verify.Fail("mtu-too-large", "small packets pass between pods on different nodes, large ones do not").Seen(broken...).Seen(numbers.Evidence...).Mend(fix...)
	case numbers.Verdict == verify.VerdictFail:
		return numbers
	case len(blocked) > 0:
		return verify.Skip("packets of any size are lost between nodes: that is no question of the MTU").Seen(blocked...)
	case proven > 0:
		return verify.Pass("large packets pass between pods on different nodes").Seen(numbers.Evidence...)
	}
	return numbers
}

// compareMTU compares the tunnel's MTU with what the wire leaves for it, on every host.
func compareMTU(hosts map[string]NodeEvidence, o overhead, f Facts) verify.Finding {
	want, set := f.number("calico_mtu")
	set = set && want > 0 // 0 and nothing: calico finds it out
	least, where := 0, ""
	var bad, looked []string
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		wire, name := wireMTU(hosts[host].MTU)
		if wire == 0 {
			continue
		}
		tunnel, how := tunnelMTU(hosts[host].MTU)
		if set {
			tunnel, how = want, "calico_mtu"
		}
		if tunnel == 0 {
			continue
		}
		looked = append(looked, host)
		if tunnel+o.bytes > wire {
			bad = append(bad, fmt.Sprintf("%s: %s %d, less %d of %s leaves %d; %s is %d", host, name, wire, o.bytes, o.what, wire-o.bytes, how, tunnel))
			if least == 0 || wire-o.bytes < least {
				least, where = wire-o.bytes, how
			}
		}
	}
	switch {
	case len(bad) > 0:
		fix := fmt.Sprintf("set calico_mtu to %d or remove it so that Calico detects it, then surespray run cluster.yml --tags network,download; pods that run keep the old MTU until they are made again", least)
		g := verify.Fail("mtu-too-large", "%s is larger than the network of the nodes carries: at most %d fit (%s takes %d)", where, least, o.what, o.bytes)
		g.On = hostsOf(bad)
		return g.Seen(bad...).Mend(fix)
	case len(looked) == 0:
		return verify.Skip("the MTU of both sides, the nodes' interfaces and the tunnel, was not seen on any host")
	}
	return verify.Pass("the pod network fits into the nodes' interfaces on %d hosts (%s takes %d)", len(looked), o.what, o.bytes)
}

func hostsOf(lines []string) []string {
	var out []string
	for _, l := range lines {
		host, _, _ := strings.Cut(l, ":")
		out = append(out, host)
	}
	return out
}
