package audit

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/surespray/surespray/extravars"
)

// noProxy tells when a hand-written no_proxy leaves out what the generated one has.
func noProxy(a *auditor) {
	list := a.text("no_proxy")
	if list == "" || a.text("http_proxy") == "" && a.text("https_proxy") == "" {
		return
	}
	var missing []string
	for _, name := range []string{"kube_pods_subnet", "kube_service_addresses"} {
		if subnet, err := netip.ParsePrefix(a.text(name)); err == nil && !covered(list, subnet) {
			missing = append(missing, fmt.Sprintf("%s (%s)", subnet, name))
		}
	}
	if len(missing) == 0 {
		return
	}
	a.add(a.at(Finding{
		Severity: extravars.SeverityWarning, Code: "no-proxy-missing-ranges", Key: "no_proxy",
		Message: fmt.Sprintf("no_proxy replaces the list that Kubespray makes, and lacks %s: the API server sends what it asks of aggregated APIs to the proxy", strings.Join(missing, " and ")),
		Fix:     "remove no_proxy and put the extra entries into additional_no_proxy",
	}, "no_proxy"))
}

// covered reports whether an entry of a no_proxy list holds a whole range.
func covered(list string, subnet netip.Prefix) bool {
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "*" {
			return true
		}
		if p, err := netip.ParsePrefix(entry); err == nil && p.Bits() <= subnet.Bits() && p.Contains(subnet.Addr()) {
			return true
		}
	}
	return false
}

// tunnelMTU tells when packets in calico's tunnel cannot pass the wire.
// Sources of the sizes: https://docs.tigera.io/calico/latest/networking/configuring/mtu
func tunnelMTU(a *auditor) {
	if p := a.text("kube_network_plugin"); p != "calico" {
		return
	}
	mtu, ok := a.number("calico_mtu")
	if !ok || mtu <= 0 {
		return
	}
	overhead, by := a.overhead()
	wire, from := a.wireMTU()
	f := Finding{Severity: extravars.SeverityError, Code: "mtu-too-large", Key: "calico_mtu"}
	switch {
	case overhead == 0 && wire == 0:
		return
	case wire == 0:
		if mtu <= usualMTU-overhead {
			return
		}
		f.Severity = extravars.SeverityWarning
		f.Message = fmt.Sprintf("calico_mtu %d with %s (%d bytes) needs a wire MTU of %d or more, and the wire's is not known (%d is usual)", mtu, by, overhead, mtu+overhead, usualMTU)
		wire = usualMTU
	case mtu > wire-overhead:
		f.Message = fmt.Sprintf("calico_mtu %d with %s (%d bytes) needs a wire MTU of %d, and the wire has %d (%s): large packets between nodes are lost", mtu, by, overhead, mtu+overhead, wire, from)
	default:
		return
	}
	f.Fix = fmt.Sprintf("set calico_mtu to %d or remove it so that Calico detects it", wire-overhead)
	a.add(a.at(f, "calico_mtu"))
}

const usualMTU = 1500

// overhead is what calico's encapsulation adds to a packet.
func (a *auditor) overhead() (bytes int, by string) {
	by = "no encapsulation"
	take := func(n int, name string) {
		if n > bytes {
			bytes, by = n, name
		}
	}
	if mode := a.text("calico_ipip_mode"); mode != "Never" && mode != "" {
		take(20, "IP-in-IP")
	}
	if mode := a.text("calico_vxlan_mode"); mode != "Never" && mode != "" {
		take(50, "VXLAN")
	}
	if a.isTrue("calico_wireguard_enabled") {
		take(60, "WireGuard")
	}
	if mode := a.text("calico_vxlan_mode_ipv6"); a.isTrue("ipv6_stack") && mode != "Never" && mode != "" {
		take(70, "VXLAN over IPv6")
	}
	return bytes, by
}

// wireMTU is the smallest MTU of the nodes' default interfaces by the facts of earlier
// runs, 0 where there are none.
func (a *auditor) wireMTU() (mtu int, from string) {
	if a.Facts == "" {
		return 0, ""
	}
	for _, host := range a.Inventory.HostsOf("k8s_cluster") {
		for _, name := range []string{host, "s1_" + host} {
			path := filepath.Join(a.Facts, name)
			raw, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			var facts struct {
				IPv4 struct {
					MTU int `json:"mtu"`
				} `json:"ansible_default_ipv4"`
			}
			if json.Unmarshal(raw, &facts) == nil && facts.IPv4.MTU > 0 && (mtu == 0 || facts.IPv4.MTU < mtu) {
				mtu, from = facts.IPv4.MTU, "facts of "+host+" in "+path
			}
		}
	}
	return mtu, from
}
