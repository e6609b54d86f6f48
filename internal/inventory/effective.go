package inventory

import "slices"

// Effective returns the setting of a variable that wins on a host, by Ansible's order of
// places; extra vars are not among them.
func (inv *Inventory) Effective(host, name string) (*Setting, bool) {
	return inv.winner(host, inv.cachedGroups(host), name)
}

// EffectiveIn is Effective for a host that is in these groups and has no values of its own.
func (inv *Inventory) EffectiveIn(groups []string, name string) (*Setting, bool) {
	return inv.winner("", groups, name)
}

func (inv *Inventory) winner(host string, groups []string, name string) (*Setting, bool) {
	var best *Setting
	named := inv.named(name)
	for _, list := range [][]*Setting{named.groups, named.hosts[host]} {
		for _, s := range list {
			if s.reaches(groups) && (best == nil || !s.under(best, groups)) {
				best = s
			}
		}
	}
	return best, best != nil
}

// reaches reports whether a setting is among what a host in these groups gets; one of a
// host's own is.
func (s *Setting) reaches(groups []string) bool {
	return s.Host != "" || s.Group == "all" || slices.Contains(groups, s.Group)
}

// under reports whether a setting loses against another that reaches the same host.
func (s *Setting) under(other *Setting, groups []string) bool {
	if s.Level != other.Level {
		return s.Level < other.Level
	}
	if s.Group != other.Group {
		return slices.Index(groups, s.Group) < slices.Index(groups, other.Group)
	}
	return s.order < other.order
}

// Shadowed returns the setting that wins over s on every host that s reaches, or nil
// where s has the last word on one. Without any host nothing is shadowed.
func (inv *Inventory) Shadowed(s *Setting) *Setting {
	hosts := []string{s.Host}
	if s.Host == "" {
		hosts = inv.HostsOf(s.Group)
	}
	var by *Setting
	for _, h := range hosts {
		winner, ok := inv.Effective(h, s.Key)
		if !ok || winner == s {
			return nil
		}
		by = winner
	}
	return by
}

// Named returns every setting of a variable, in reading order.
func (inv *Inventory) Named(name string) []*Setting { return slices.Clone(inv.named(name).all) }

// named is what there is about one variable.
type named struct {
	all, groups []*Setting
	hosts       map[string][]*Setting
}

func (inv *Inventory) named(name string) *named {
	if inv.byName == nil || inv.indexed != len(inv.Settings) {
		inv.byName, inv.indexed = map[string]*named{}, len(inv.Settings)
		for _, s := range inv.Settings {
			n := inv.byName[s.Key]
			if n == nil {
				n = &named{hosts: map[string][]*Setting{}}
				inv.byName[s.Key] = n
			}
			n.all = append(n.all, s)
			if s.Host == "" {
				n.groups = append(n.groups, s)
			} else {
				n.hosts[s.Host] = append(n.hosts[s.Host], s)
			}
		}
	}
	if n := inv.byName[name]; n != nil {
		return n
	}
	return &named{}
}

func (inv *Inventory) cachedGroups(host string) []string {
	if inv.groupsOf == nil {
		inv.groupsOf = map[string][]string{}
	}
	groups, ok := inv.groupsOf[host]
	if !ok {
		groups = inv.GroupsOf(host)
		inv.groupsOf[host] = groups
	}
	return groups
}
