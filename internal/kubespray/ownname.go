package kubespray

import "path"

// carriers says how many roles name a tag in their own entries: among the addons,
// and among all roles. The second count includes shells such as ingress_controller,
// which have no tasks and only lead on to addons.
type carriers struct{ addons, all map[string]map[string]bool }

func newCarriers(uses []*Use, addons map[string][]*Use) carriers {
	c := carriers{map[string]map[string]bool{}, map[string]map[string]bool{}}
	for _, u := range uses {
		for _, tag := range u.Own {
			note(c.all, tag, u.Role)
			if len(addons[u.Role]) > 0 {
				note(c.addons, tag, u.Role)
			}
		}
	}
	return c
}

func note(m map[string]map[string]bool, tag, role string) {
	if m[tag] == nil {
		m[tag] = map[string]bool{}
	}
	m[tag][role] = true
}

// pick returns the tag that is the role's alone among the addons, or "". Of several
// it takes one that no shell has either, and then the one most like the role's name.
func (c carriers) pick(role string, own []string) string {
	best := ""
	for _, tag := range own {
		if len(c.addons[tag]) == 1 && (best == "" || c.better(role, tag, best)) {
			best = tag
		}
	}
	return best
}

func (c carriers) better(role, tag, other string) bool {
	if a, b := len(c.all[tag]), len(c.all[other]); a != b {
		return a < b
	}
	base := kebab(path.Base(role))
	return Distance(base, kebab(tag)) < Distance(base, kebab(other))
}
