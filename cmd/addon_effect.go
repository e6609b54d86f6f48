package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
)

// checkEffect refuses an addon apply that cannot have an effect. Addons that only fit a
// pattern are left out where they are switched off.
func (s *session) checkEffect() error {
	if len(s.chosen) == 0 {
		return nil
	}
	var kept []chosen
	var off error
	for _, c := range s.chosen {
		asked, known := s.asked(c.addon)
		if asked || !known {
			kept = append(kept, c)
			continue
		}
		off = s.noEffect(c)
		if c.pattern == "" {
			return off
		}
		s.app.output.note("%s leaves out %s: %s", c.pattern, c.addon.Name, s.whyOff(c.addon))
	}
	if len(kept) == 0 {
		if len(s.chosen) == 1 {
			return off
		}
		return exitError{
			code: exitAudit,
			what: fmt.Sprintf("no addon that fits %s is switched on: applying them would do nothing", strings.Join(s.applyNames, " ")),
			next: "switch one on in the inventory's group_vars or by -e; surespray addon list -i … shows the switches",
		}
	}
	if len(kept) < len(s.chosen) {
		catalogue, err := s.checkout.Catalogue("")
		if err != nil {
			return fmt.Errorf("reading the addons of the checkout: %w", err)
		}
		s.chosen = kept
		s.setTags(catalogue)
	}
	s.tellCompanions()
	return s.checkLimit()
}

// unmet asks the effective values what keeps an addon from running.
func (s *session) unmet(addon kubespray.Addon) kubespray.Unmet {
	return addon.Unmet(func(condition string) (holds, known bool) {
		holds, known = s.values.Holds[conditionName(condition)]
		return holds, known
	})
}

// conditionName is the name under which Ansible is asked for one condition.
func conditionName(condition string) string { return "if " + condition }

// whyOff says what keeps an addon from running: its switch, or a condition that no
// switch answers for.
func (s *session) whyOff(addon kubespray.Addon) string {
	u := s.unmet(addon)
	if len(u.Conditions) == 0 || u.Off {
		return fmt.Sprintf("it is switched off (%s)", s.written(addon.Switch))
	}
	why := fmt.Sprintf("its condition %q does not hold (%s)", strings.Join(u.Conditions, "\" and \""), s.written(u.Reads))
	if len(addon.Switch) > 0 {
		why += ", although " + s.written(addon.Switch)
	}
	return why
}

func (s *session) noEffect(c chosen) error {
	u := s.unmet(c.addon)
	e := exitError{code: exitAudit}
	switch {
	case slices.Contains(u.Reads, "kube_network_plugin") && u.Arguments == "":
		e.what = fmt.Sprintf("addon %s is not the network plugin of this inventory (%s): applying it would do nothing", c.addon.Name, s.written(u.Reads))
		e.next = "name the plugin that is chosen; a running cluster does not get another by an addon's tag"
	case len(u.Conditions) > 0 && !u.Off:
		e.what = fmt.Sprintf("addon %s is never installed here: %s", c.addon.Name, s.whyOff(c.addon))
		e.next = "leave it out"
		if u.Arguments != "" {
			e.next = u.Arguments
		}
	default:
		e.what = fmt.Sprintf("addon %s is switched off (%s): applying it would do nothing", c.addon.Name, s.written(c.addon.Switch))
		arguments := u.Arguments
		if arguments == "" {
			arguments = fmt.Sprintf("-e %s=true", strings.Join(c.addon.Switch, "=true -e "))
		}
		e.next = arguments + ", or switch it on in the inventory's group_vars"
	}
	return e
}

// written shows variables with their effective values.
func (s *session) written(names []string) string {
	var parts []string
	for _, name := range names {
		value, known := s.values.Vars[name]
		if !known {
			parts = append(parts, name+" is not defined")
			continue
		}
		parts = append(parts, fmt.Sprintf("%s is %v", name, masked(name, value)))
	}
	return strings.Join(parts, ", ")
}

// masked is a value for people.
func masked(name string, value any) any {
	if extravars.LooksSecret(name) {
		return extravars.Mask
	}
	return value
}
