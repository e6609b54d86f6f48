package checks

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// overhead is what a tunnel takes of every packet.
type overhead struct {
	bytes int
	what  string
}

// tunnelOverhead is the largest that calico's settings can bring: of the live pools,
// else of the inventory.
func tunnelOverhead(pools seen[[]unstructured.Unstructured], f Facts) overhead {
	o := overhead{what: "no encapsulation"}
	more := func(bytes int, what string) {
		if bytes > o.bytes {
			o = overhead{bytes: bytes, what: what}
		}
	}
	vxlan, ipip, vxlan6 := f.text("calico_vxlan_mode"), f.text("calico_ipip_mode"), ""
	if yes(f.flag("ipv6_stack")) {
		vxlan6 = f.text("calico_vxlan_mode_ipv6")
	}
	if pools.ok() && len(pools.value) > 0 {
		vxlan, ipip, vxlan6 = "", "", ""
		for _, object := range pools.value {
			switch p := readPool(object); {
			case p.disabled:
			case p.vxlan != modeNever && p.is6():
				vxlan6 = p.vxlan
			case p.vxlan != modeNever:
				vxlan = p.vxlan
			case p.ipip != modeNever:
				ipip = p.ipip
			}
		}
	}
	on := func(mode string) bool { return mode != "" && mode != modeNever }
	if on(ipip) {
		more(20, "IP-in-IP")
	}
	if on(vxlan) {
		more(50, "VXLAN")
	}
	if yes(f.flag("calico_wireguard_enabled")) {
		more(60, "WireGuard")
	}
	if on(vxlan6) {
		more(70, "VXLAN over IPv6")
	}
	return o
}

// wireMTU is the largest MTU of the host's own interfaces: what does not fit there fits
// nowhere.
func wireMTU(interfaces map[string]int) (mtu int, name string) {
	for _, i := range slices.Sorted(maps.Keys(interfaces)) {
		if !virtual(i) && interfaces[i] > mtu {
			mtu, name = interfaces[i], i
		}
	}
	return mtu, name
}

// tunnelMTU is what pods get: of calico's tunnel, else of a pod's own interface.
func tunnelMTU(interfaces map[string]int) (mtu int, name string) {
	for _, prefix := range []string{"vxlan.calico", "wireguard.cali", "tunl0", "cali"} {
		for _, i := range slices.Sorted(maps.Keys(interfaces)) {
			if strings.HasPrefix(i, prefix) && interfaces[i] > mtu {
				mtu, name = interfaces[i], i
			}
		}
		if mtu > 0 {
			return mtu, name
		}
	}
	return 0, ""
}

// virtual reports whether an interface is none that leads out of the host.
func virtual(name string) bool {
	return slices.ContainsFunc([]string{
		"lo", "cali", "vxlan", "tunl", "wireguard", "wg", "docker", "veth", "cni", "nodelocaldns", "kube-", "br-", "virbr",
		"flannel", "dummy", "cilium", "lxc", "weave", "ovn", "genev", "sit", "ip6tnl", "gre",
	}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
