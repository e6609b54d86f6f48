package inventory

import (
	"maps"
	"slices"
)

// GroupRule says that a playbook puts the hosts of some groups into another one before it
// does anything else.
type GroupRule struct {
	Group string
	From  []string
}

// link puts every group that nobody lists under all, and every host without a group into
// ungrouped, as Ansible does.
func (inv *Inventory) link() {
	child := map[string]bool{}
	for _, g := range inv.Groups {
		for _, c := range g.Children {
			child[c] = true
		}
	}
	all := inv.Groups["all"]
	for _, name := range slices.Sorted(maps.Keys(inv.Groups)) {
		if name != "all" && !child[name] {
			all.Children = addOnce(all.Children, name)
		}
	}
	for _, name := range inv.order {
		all.Hosts = addOnce(all.Hosts, name)
		if h := inv.Hosts[name]; len(h.Groups) == 0 {
			h.Groups = []string{"ungrouped"}
			inv.Groups["ungrouped"].Hosts = addOnce(inv.Groups["ungrouped"].Hosts, name)
		}
	}
}

// apply adds the groups that the playbook makes. The rules look at the groups as the
// inventory has them: what one rule adds, another does not see.
func (inv *Inventory) apply(rules []GroupRule) {
	before := map[string][]string{}
	for _, name := range inv.order {
		before[name] = inv.GroupsOf(name)
	}
	for _, rule := range rules {
		for _, name := range inv.order {
			if slices.ContainsFunc(rule.From, func(g string) bool { return slices.Contains(before[name], g) }) && !slices.Contains(before[name], rule.Group) {
				inv.host(name, rule.Group, Place{})
			}
		}
		if inv.Groups[rule.Group] == nil || !slices.ContainsFunc(slices.Collect(maps.Values(inv.Groups)), func(g *Group) bool { return slices.Contains(g.Children, rule.Group) }) {
			inv.group(rule.Group, Place{})
			inv.Groups["all"].Children = addOnce(inv.Groups["all"].Children, rule.Group)
		}
	}
}

// GroupsOf returns all groups of a host but all, those of its groups' parents included,
// in the order in which Ansible reads their variables: parents first.
func (inv *Inventory) GroupsOf(host string) []string {
	h := inv.Hosts[host]
	if h == nil {
		return nil
	}
	parents := inv.parents()
	seen := map[string]bool{}
	var add func(string)
	add = func(name string) {
		if name == "all" || seen[name] {
			return
		}
		seen[name] = true
		for _, p := range parents[name] {
			add(p)
		}
	}
	for _, name := range h.Groups {
		add(name)
	}
	depth := map[string]int{}
	out := slices.Sorted(maps.Keys(seen))
	for _, name := range out {
		depth[name] = depthOf(name, parents, len(inv.Groups))
	}
	slices.SortStableFunc(out, func(a, b string) int {
		if d := depth[a] - depth[b]; d != 0 {
			return d
		}
		return inv.priority(a) - inv.priority(b)
	})
	return out
}

// HostsOf returns the hosts of a group and of the groups in it, in inventory order.
func (inv *Inventory) HostsOf(group string) []string {
	if group == "all" {
		return inv.HostNames()
	}
	in := map[string]bool{}
	seen := map[string]bool{}
	var add func(string)
	add = func(name string) {
		g := inv.Groups[name]
		if g == nil || seen[name] {
			return
		}
		seen[name] = true
		for _, h := range g.Hosts {
			in[h] = true
		}
		for _, c := range g.Children {
			add(c)
		}
	}
	add(group)
	return slices.DeleteFunc(inv.HostNames(), func(h string) bool { return !in[h] })
}

func (inv *Inventory) parents() map[string][]string {
	out := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(inv.Groups)) {
		for _, c := range inv.Groups[name].Children {
			out[c] = append(out[c], name)
		}
	}
	return out
}

// depthOf is the longest way up to all; limit ends circles.
func depthOf(name string, parents map[string][]string, limit int) int {
	if name == "all" || limit < 0 {
		return 0
	}
	deepest := 0
	for _, p := range parents[name] {
		deepest = max(deepest, depthOf(p, parents, limit-1))
	}
	return deepest + 1
}

// priority is a group's ansible_group_priority, which only the inventory file may set.
func (inv *Inventory) priority(group string) int {
	for _, s := range slices.Backward(inv.Settings) {
		if s.Key == "ansible_group_priority" && s.Group == group && s.Level <= LevelGroups {
			if n, ok := s.Value.(int64); ok {
				return int(n)
			}
		}
	}
	return 1
}
