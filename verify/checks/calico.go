package checks

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// calicoVariables are those that calico's pools and tunnels are made of.
func calicoVariables() []string {
	return []string{
		"calico_pool_name", "calico_pool_cidr", "calico_pool_cidr_ipv6", "calico_pool_blocksize", "calico_pool_blocksize_ipv6",
		"calico_vxlan_mode", "calico_ipip_mode", "calico_vxlan_mode_ipv6", "calico_ipip_mode_ipv6", "calico_network_backend",
		"calico_mtu", "calico_wireguard_enabled", "calico_datastore", "typha_enabled",
	}
}

// Modes of encapsulation, as calico and Kubespray write them.
const (
	modeAlways      = "Always"
	modeCrossSubnet = "CrossSubnet"
	modeNever       = "Never"
)

// pool is one IPPool as calico understands it.
type pool struct {
	name        string
	cidr        string
	ipip, vxlan string // a mode, else what stands there
	blockSize   int    // calico's default where none is given
	disabled    bool
	strange     []string // values that calico does not know
}

// readPool understands a pool of any release: the definition of the resource accepts
// anything, so that every value is looked at.
func readPool(o unstructured.Unstructured) pool {
	p := pool{name: o.GetName(), ipip: modeNever, vxlan: modeNever}
	spec, _, _ := unstructured.NestedMap(o.Object, "spec")
	p.cidr = word(spec["cidr"])
	p.disabled = word(spec["disabled"]) == "true"
	prefix, err := netip.ParsePrefix(p.cidr)
	switch {
	case err != nil:
		p.strange = append(p.strange, fmt.Sprintf("cidr: %q is no range of addresses", p.cidr))
	case prefix != prefix.Masked():
		p.strange = append(p.strange, fmt.Sprintf("cidr: %s has bits beyond its length", p.cidr))
	}
	p.ipip = p.mode("ipipMode", spec["ipipMode"])
	p.vxlan = p.mode("vxlanMode", spec["vxlanMode"])
	if old, ok := spec["ipip"].(map[string]any); ok && spec["ipipMode"] == nil {
		p.ipip = p.oldMode(old)
	}
	if p.ipip != modeNever && p.vxlan != modeNever {
		p.strange = append(p.strange, fmt.Sprintf("ipipMode: %s and vxlanMode: %s exclude each other", p.ipip, p.vxlan))
	}
	p.blockSize = 26
	low, high := 20, 32
	if prefix.Addr().Is6() {
		p.blockSize, low, high = 122, 116, 128
	}
	if v := spec["blockSize"]; v != nil {
		n, err := strconv.Atoi(word(v))
		if p.blockSize = n; err != nil || n < low || n > high {
			p.strange = append(p.strange, fmt.Sprintf("blockSize: %s is not between %d and %d", word(v), low, high))
		}
	}
	return p
}

// mode reads a mode; no field means Never.
func (p *pool) mode(field string, v any) string {
	if v == nil || v == "" {
		return modeNever
	}
	s := word(v)
	if !slices.Contains([]string{modeAlways, modeCrossSubnet, modeNever}, s) {
		p.strange = append(p.strange, fmt.Sprintf("%s: %q is not one of Always, CrossSubnet, Never", field, s))
	}
	return s
}

// oldMode reads the field that ipipMode was before calico 3.
func (p *pool) oldMode(old map[string]any) string {
	if word(old["enabled"]) != "true" {
		return modeNever
	}
	switch s := cmp.Or(word(old["mode"]), "always"); strings.ToLower(s) {
	case "always":
		return modeAlways
	case "cross-subnet", "crosssubnet":
		return modeCrossSubnet
	default:
		p.strange = append(p.strange, fmt.Sprintf("ipip.mode: %q is not one of always, cross-subnet", s))
		return s
	}
}

// is6 reports whether the pool is of IPv6 addresses.
func (p pool) is6() bool {
	prefix, err := netip.ParsePrefix(p.cidr)
	return err == nil && prefix.Addr().Is6()
}

// word is a scalar as text; "" for nothing.
func word(v any) string {
	if v == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(v))
}
