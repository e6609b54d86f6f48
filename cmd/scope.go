package cmd

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/internal/settings"
	"github.com/surespray/surespray/verify/checks"
	"github.com/surespray/surespray/verify/cluster"
)

// inScope says what a run can have changed and we can verify: nothing, the addons
// named, or all that is asked for with the ground under it.
func (s *session) inScope(v *verification) (addons []kubespray.Addon, ground bool, err error) {
	switch {
	case v.mode == settings.ScopeOff || s.plan.Flags.Has("check") || s.plan.Flags.Inert():
		return nil, false, nil
	case v.mode == settings.ScopeAll:
		return nil, true, nil
	case !s.installs():
		return nil, false, nil
	}
	all, err := s.checkout.Addons()
	if err != nil {
		return nil, false, fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	for _, addon := range all {
		if asked, known := s.asked(addon); s.selects(addon) && (asked || !known) && len(checkIDs(addon.Name)) > 0 {
			addons = append(addons, addon)
		}
	}
	return addons, len(s.plan.Flags.Tags("tags")) == 0, nil
}

// selects reports whether the run's tags reach an addon.
func (s *session) selects(addon kubespray.Addon) bool {
	return s.plan.Wants(addon.Tags) && !slices.ContainsFunc(s.plan.Flags.Tags("skip-tags"), func(t string) bool { return slices.Contains(addon.Tags, t) })
}

// checkIDs are the checks of an addon.
func checkIDs(addon string) []string {
	ids := []string{}
	for _, c := range checks.For(nil, checks.Facts{}, checks.Options{}) {
		if c.In(addon) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// installs reports whether a playbook of the plan is one that builds the cluster.
func (s *session) installs() bool {
	return slices.ContainsFunc(s.plan.Playbooks, func(p string) bool {
		return within(s.checkout.Dir, p) && slices.Contains([]string{"cluster.yml", "upgrade-cluster.yml", "upgrade_cluster.yml", "scale.yml"}, filepath.Base(p))
	})
}

// value is a variable's effective value, else, where Ansible had no answer, the checkout's
// literal default.
func (s *session) value(name string) any {
	if v, ok := s.values.Vars[name]; ok {
		return v
	}
	if s.saved != nil {
		return s.saved.Values[name] // as it was when the snapshot was taken
	}
	if s.types == nil {
		return nil // a snapshot is read without a checkout
	}
	v, _ := s.types.Literal(name)
	return v
}

// facts are what the effective values say, for the checks.
func (s *session) facts() checks.Facts {
	f := checks.Facts{Inventory: strings.Join(s.inventories(), ",")}
	if s.saved != nil {
		f = *s.saved
	}
	if f.Wanted = maps.Clone(f.Wanted); f.Wanted == nil {
		f.Wanted = map[string]*bool{}
	}
	if s.values != nil {
		f.Hosts = nil
		for _, h := range s.values.Hosts {
			f.Hosts = append(f.Hosts, cluster.Host(h))
		}
		if insecure, ok := s.value("metrics_server_kubelet_insecure_tls").(bool); ok {
			f.KubeletInsecureTLS = &insecure
		}
		if pods, ok := s.value("kube_pods_subnet").(string); ok {
			f.PodsSubnet = pods
		}
		if services, ok := s.value("kube_service_addresses").(string); ok {
			f.ServicesSubnet = services
		}
		f.Values = maps.Clone(f.Values)
		if f.Values == nil {
			f.Values = map[string]any{}
		}
		for _, name := range checks.Variables() {
			if v := s.value(name); v != nil {
				f.Values[name] = v
			}
		}
		for name, asked := range s.values.Holds {
			f.Wanted[name] = &asked
		}
	}
	s.decided(&f)
	s.resolve(&f)
	yes := true
	for _, name := range s.verifyNames {
		f.Wanted[name] = &yes // a name given counts as asked for
	}
	return f
}
