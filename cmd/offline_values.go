package cmd

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/cluster"
)

// folderValues are the values that a snapshot has: its values.yaml, else the literal ones
// of its inventory or its group_vars. nil: it has none.
func (s *session) folderValues(snap *cluster.Snapshot) *runner.Values {
	v := &runner.Values{Vars: map[string]any{}, Holds: map[string]bool{}}
	from := "values.yaml"
	switch {
	case snap.Values != nil:
		v.Vars = snap.Values
	case s.saved != nil:
		return nil // no inventory was given when it was taken
	default:
		if v.Vars, from = literalValues(snap.Dir); v.Vars == nil {
			return nil
		}
	}
	s.holds(v)
	if s.saved != nil {
		for _, h := range s.saved.Hosts {
			v.Hosts = append(v.Hosts, runner.InventoryHost(h))
		}
		for addon, asked := range s.saved.Wanted {
			if asked != nil {
				v.Holds[addon] = *asked
			}
		}
	}
	s.app.output.note("values: %s", filepath.Join(snap.Dir, from))
	return v
}

// holds says which addons are asked for, as far as their switches alone tell: NAME_enabled
// is the switch of most, the catalogue knows the others.
func (s *session) holds(v *runner.Values) {
	for name, value := range v.Vars {
		addon, isSwitch := strings.CutSuffix(name, "_enabled")
		if on, ok := value.(bool); ok && isSwitch {
			v.Holds[strings.ReplaceAll(addon, "_", "-")] = on
		}
	}
	if s.checkout == nil {
		return
	}
	addons, err := s.checkout.Addons()
	if err != nil {
		return // only names and defaults would come from it
	}
	for _, a := range addons {
		if len(a.Switch) != 1 {
			continue
		}
		value, given := v.Vars[a.Switch[0]]
		if !given {
			value, _ = s.types.Literal(a.Switch[0])
		}
		if on, ok := value.(bool); ok {
			v.Holds[a.Name] = on
		}
	}
}

// literalValues reads the variables that a folder's inventory gives its first control
// plane, or its group_vars a host that would be one. What only Ansible could evaluate is
// left out. nil: there is neither.
func literalValues(dir string) (values map[string]any, from string) {
	groups := []string{"k8s_cluster", "kube_control_plane"}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	for _, name := range []string{"inventory.ini", "hosts.yaml", "hosts.yml", "hosts.ini", "inventory.yaml", "inventory.yml", "inventory"} {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		inv := inventory.Read([]string{path}, inventory.Options{Dir: dir})
		if hosts := inv.HostsOf("kube_control_plane"); len(hosts) > 0 {
			return literals(inv, func(key string) (*inventory.Setting, bool) { return inv.Effective(hosts[0], key) }), name
		}
		return literals(inv, func(key string) (*inventory.Setting, bool) { return inv.EffectiveIn(groups, key) }), name
	}
	if info, err := os.Stat(filepath.Join(dir, "group_vars")); err != nil || !info.IsDir() {
		return nil, ""
	}
	o := inventory.Options{Dir: dir, Ignores: func(string) bool { return true }} // no other file of the folder is an inventory
	for _, group := range groups {
		o.Rules = append(o.Rules, inventory.GroupRule{Group: group}) // else nobody would read its variables
	}
	inv := inventory.Read([]string{dir}, o)
	return literals(inv, func(key string) (*inventory.Setting, bool) { return inv.EffectiveIn(groups, key) }), "group_vars"
}

func literals(inv *inventory.Inventory, effective func(string) (*inventory.Setting, bool)) map[string]any {
	out := map[string]any{}
	for _, s := range inv.Settings {
		winner, ok := effective(s.Key)
		if !ok || templated(winner.Value) {
			continue
		}
		out[s.Key] = winner.Value
	}
	return out
}

// templated reports whether only Ansible knows a value: a template, or something
// encrypted, anywhere in it.
func templated(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, "{{") || strings.Contains(v, "{%") || strings.HasPrefix(v, "$ANSIBLE_VAULT")
	case []any:
		return slices.ContainsFunc(v, templated)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), templated)
	case map[any]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), templated)
	}
	return false
}
