package kubespray

import (
	"regexp"
	"slices"
	"strings"
)

// Planned is a role, or the tasks of a play itself, with what a selection runs of it.
type Planned struct {
	Role  string // "" for tasks of the play itself
	Play  Play
	When  []string // the conditions of the way, without those about the host
	Tasks []Task
}

// Planned lists what a selection asks for and what runs anyway, in the playbook's order.
// Conditions are not evaluated, but ways that the addons to apply rule out are left out:
// where calico is chosen, cilium is not.
func (cat *Catalogue) Planned(sel Selection, apply []Addon) (asked, anyway []Planned) {
	fixed := map[string]string{}
	for _, a := range apply {
		for _, c := range a.Conditions() {
			if name, value, ok := equality(c); ok {
				fixed[name] = value
			}
		}
	}
	for _, t := range cat.Tasks {
		if !sel.Runs(t) || t.Rescue || t.use.ruledOut(fixed) {
			continue
		}
		if sel.Asks(t) && t.Action != argumentSpec {
			asked = planned(asked, t)
		} else {
			anyway = planned(anyway, t)
		}
	}
	return asked, anyway
}

// planned adds a task to the entry of its role in its play.
func planned(list []Planned, t Task) []Planned {
	i := slices.IndexFunc(list, func(p Planned) bool { return p.Role == t.Role && p.Play.Index == t.Play.Index })
	if i >= 0 {
		list[i].Tasks = append(list[i].Tasks, t)
		return list
	}
	p := Planned{Role: t.Role, Play: t.Play, Tasks: []Task{t}}
	if t.use != nil {
		p.When = t.use.conditions()
	}
	return append(list, p)
}

var equal = regexp.MustCompile(`^\(?\s*(\w+)\s*\)?\s*==\s*'([^']*)'$`)

// equality reads NAME == 'value'.
func equality(condition string) (name, value string, ok bool) {
	m := equal.FindStringSubmatch(strings.TrimSpace(condition))
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

func (u *Use) ruledOut(fixed map[string]string) bool {
	return u != nil && slices.ContainsFunc(u.When, func(c string) bool {
		name, value, ok := equality(c)
		chosen, known := fixed[name]
		return ok && known && chosen != value
	})
}
