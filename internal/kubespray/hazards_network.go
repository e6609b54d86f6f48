package kubespray

import (
	"fmt"
	"slices"
	"strings"
)

// reapplied is the hazard of a network plugin that is applied again without the checks
// of a full run.
func (cat *Catalogue) reapplied(a Addon, sel Selection) (Hazard, bool) {
	if !a.IsNetworkPlugin() || sel.Full() || len(sel.tasksOf(a.Uses)) == 0 {
		return Hazard{}, false
	}
	h := Hazard{Name: "cni-reapply", Addon: a.Name}
	for _, u := range cat.UsesOf(a.Role) {
		if u.whole || len(u.task) == 0 || u.inside("network_plugin") {
			continue
		}
		if len(sel.tasksOf([]*Use{u})) > 0 {
			return Hazard{}, false
		}
		h.Source = fmt.Sprintf("%s:%d", u.task[0].File, u.task[0].Line)
	}
	h.Text = "the network plugin is applied again to a cluster that may use it, and nothing in this checkout compares what runs with the inventory first"
	if h.Source != "" {
		h.Text = "the network plugin is applied again to a cluster that may use it, past its own check of what runs against the inventory: these tags leave that out"
	}
	return h, true
}

// IsNetworkPlugin is true for a role below a network_plugin that is chosen by
// kube_network_plugin: applying it again touches the network of the nodes.
func (a Addon) IsNetworkPlugin() bool {
	return strings.Contains("/"+a.Role, "/network_plugin/") && slices.Contains(a.Switch, networkSwitch)
}

const networkSwitch = "kube_network_plugin"

// inside is true when the way leads through a role.
func (u *Use) inside(role string) bool {
	for at := u.parent; at != nil; at = at.parent {
		if at.Role == role {
			return true
		}
	}
	return false
}
