package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surespray/surespray/verify/cluster"
)

// Pinned is what a checkout installs for one addon, with the settings of the inventory.
type Pinned struct {
	Image     string        // of its main workload, as the manifest has it
	Version   string        // its tag
	Workloads []cluster.Ref // that may run it, the main one first
}

// NodeEvidence is what was seen on one host.
type NodeEvidence struct {
	MTU map[string]int `json:"mtu"`       // by network interface
	CNI []string       `json:"cni_net_d"` // the files in /etc/cni/net.d; nil: not looked at
}

// Traffic is what a probe found between two nodes.
type Traffic struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Kind  string `json:"kind"`  // pod, host or dns
	Bytes int    `json:"bytes"` // of the payload
	OK    bool   `json:"ok"`
	Error string `json:"error"`
}

// Variables are those whose effective values the checks use, sorted.
func Variables() []string {
	names := slices.Concat(driftVariables(), calicoVariables(), localPathVariables(), []string{
		"kube_network_plugin", "cilium_deploy_additionally", "enable_network_policy", "kube_network_plugin_multus",
		"kube_version", "kube_pods_subnet", "kube_pods_subnet_ipv6", "ipv6_stack", "dns_mode", "coredns_svc_name",
		"kubelet_rotate_server_certificates", "kubelet_csr_approver_enabled", "metrics_server_kubelet_insecure_tls",
		"helm_version", "custom_cni_chart_release_name",
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// text is a variable's value as text; "" where it is not known or empty.
func (f Facts) text(name string) string {
	switch v := f.Values[name].(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	default:
		return fmt.Sprint(v)
	}
}

// flag is a variable's value as Kubespray takes it in its conditions; nil: not known.
func (f Facts) flag(name string) *bool {
	var on bool
	switch v := f.Values[name].(type) {
	case bool:
		on = v
	case string:
		on = slices.Contains([]string{"true", "yes", "on", "1", "y", "t"}, strings.ToLower(strings.TrimSpace(v)))
	default:
		return nil
	}
	return &on
}

// number is a variable's value as a whole number.
func (f Facts) number(name string) (int, bool) {
	n, err := strconv.Atoi(f.text(name))
	return n, err == nil
}

// no reports whether something is known to be off.
func no(b *bool) bool { return b != nil && !*b }

// plugin is the network plugin that the inventory asks for; "" where it is not known.
// Settings of calico's mean calico, which is Kubespray's default.
func (f Facts) plugin() string {
	if name := f.text("kube_network_plugin"); name != "" {
		return name
	}
	for name := range f.Values {
		if strings.HasPrefix(name, "calico_") {
			return "calico"
		}
	}
	return ""
}
