package cmd

import (
	"slices"

	"github.com/surespray/surespray/verify/checks"
)

// decided adds what only the inventory's files tell: which addons are off because nobody
// has set their switch, and on which host their manifests are.
func (s *session) decided(f *checks.Facts) {
	if s.checkout == nil || s.values == nil || len(s.inventories()) == 0 || s.readInventory() != nil {
		return
	}
	if hosts := s.inventory.HostsOf("kube_control_plane"); len(hosts) > 0 {
		f.FirstControlPlane = hosts[0]
	}
	addons, err := s.checkout.Addons()
	if err != nil {
		return // then all that is off counts as switched off
	}
	f.ByDefault = map[string]bool{}
	for _, addon := range addons {
		if asked, known := s.asked(addon); known && !asked && !slices.ContainsFunc(addon.Switch, s.isSet) {
			f.ByDefault[addon.Name] = true
		}
	}
}

// isSet reports whether the user gives a variable a value, anywhere.
func (s *session) isSet(name string) bool {
	if _, given := s.plan.ExtraVars.Lookup(name); given {
		return true
	}
	return len(s.inventory.Named(name)) > 0
}
