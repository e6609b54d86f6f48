package audit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/inventory"
)

// Variables are the names whose effective values the rules look at, beside those that the
// inventory gives as templates.
func Variables() []string {
	return []string{
		"calico_ipip_mode", "calico_mtu", "calico_vxlan_mode", "calico_vxlan_mode_ipv6", "calico_wireguard_enabled", "cinder_csi_enabled",
		"http_proxy", "https_proxy", "ignore_assert_errors", "ipv4_stack", "ipv6_stack", "kube_network_plugin", "kube_pods_subnet", "kube_proxy_deployed",
		"kube_proxy_mode", "kube_proxy_strict_arp", "kube_service_addresses", "kube_vip_arp_enabled", "kube_vip_enabled",
		"kubelet_rotate_server_certificates", "local_path_provisioner_enabled", "local_path_provisioner_is_default_storageclass",
		"local_path_provisioner_storage_class", "metallb_enabled", "metrics_server_container_port", "metrics_server_enabled",
		"metrics_server_host_network", "metrics_server_kubelet_insecure_tls", "no_proxy", "persistent_volumes_enabled", "storage_classes",
		"upcloud_csi_enabled",
	}
}

// Templated are the boolean variables to which the inventory gives a template: what that
// becomes only Ansible can tell.
func Templated(inv *inventory.Inventory, types extravars.Schema) []string {
	var out []string
	for _, s := range inv.Settings {
		if text, ok := s.Value.(string); ok && isTemplate(text) && types.TypeOf(s.Key) == extravars.Bool {
			out = append(out, s.Key)
		}
	}
	return out
}

// value is a variable's effective value on the first control-plane host: Ansible's word
// where it was asked; else the extra var, the inventory's or the checkout's literal. ok is
// false where only Ansible could tell, and for a variable that has no value.
func (a *auditor) value(name string) (any, bool) {
	a.asked[name] = true
	if a.Values != nil {
		if v, ok := a.Values[name]; ok {
			return v, true
		}
	}
	return a.literal(name, 5)
}

func (a *auditor) literal(name string, depth int) (any, bool) {
	if v, ok := a.ExtraVars.Lookup(name); ok {
		return a.resolve(v, depth)
	}
	if s, ok := a.setting(name); ok {
		return a.resolve(s.Value, depth)
	}
	return a.Defaults.Literal(name)
}

// resolve follows a template that is nothing but another variable.
func (a *auditor) resolve(v any, depth int) (any, bool) {
	switch v := v.(type) {
	case extravars.Vault:
		return nil, false
	case string:
		if !isTemplate(v) {
			return v, true
		}
		inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(v, "{{"), "}}"))
		if depth == 0 || !isName(inner) {
			return nil, false
		}
		return a.literal(inner, depth-1)
	case extravars.Unsafe:
		return string(v), true
	}
	return v, true
}

func isTemplate(s string) bool { return strings.Contains(s, "{{") || strings.Contains(s, "{%") }

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// setting is the inventory's last word on the first control-plane host.
func (a *auditor) setting(name string) (*inventory.Setting, bool) {
	if a.first == "" {
		return a.Inventory.EffectiveIn([]string{"k8s_cluster", "kube_control_plane"}, name)
	}
	return a.Inventory.Effective(a.first, name)
}

// truth is what a boolean says; known is false where it is none.
func (a *auditor) truth(name string) (value, known bool) {
	v, ok := a.value(name)
	if !ok {
		return false, false
	}
	value, known = v.(bool)
	return value, known
}

// isTrue is true for a variable that is known to be true.
func (a *auditor) isTrue(name string) bool {
	value, known := a.truth(name)
	return value && known
}

// isFalse is true for a variable that is known to be false.
func (a *auditor) isFalse(name string) bool {
	value, known := a.truth(name)
	return !value && known
}

// text is a variable as text, "" where it is not known.
func (a *auditor) text(name string) string {
	v, ok := a.value(name)
	if !ok || v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// number is a variable's whole number; a text of digits counts.
func (a *auditor) number(name string) (int, bool) {
	n, err := strconv.Atoi(a.text(name))
	return n, err == nil
}

// at puts a finding where the user set one of these variables: an extra var, or the
// setting that wins. Without one it has no place.
func (a *auditor) at(f Finding, names ...string) Finding {
	for _, name := range names {
		if i, ok := a.argument(name); ok {
			f.Arg = &i
			if f.Key == "" {
				f.Key = name
			}
			return f
		}
		if s, ok := a.setting(name); ok {
			f.File, f.Line = s.File, s.Line
			if f.Key == "" {
				f.Key = name
			}
			return f
		}
	}
	if f.Key == "" && len(names) > 0 {
		f.Key = names[0]
	}
	return f
}

// argument is the index of the last extra var that gives a variable.
func (a *auditor) argument(name string) (int, bool) {
	for i := len(a.ExtraVars.Elements) - 1; i >= 0; i-- {
		if _, ok := a.ExtraVars.Elements[i].Sent.Get(name); ok {
			return i, true
		}
	}
	return 0, false
}
