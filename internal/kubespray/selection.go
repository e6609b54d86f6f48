package kubespray

import "slices"

// Selection is what --tags and --skip-tags select. The zero value is a full run.
type Selection struct{ Tags, Skip []string }

// Full is true without --tags, and where they ask for everything.
func (s Selection) Full() bool { return len(s.Tags) == 0 || slices.Contains(s.Tags, "all") }

// Runs reports whether Ansible would come to a task: its own tags are selected, and
// those of every dynamic include before it.
func (s Selection) Runs(t Task) bool {
	return s.selects(t.Tags) && !slices.ContainsFunc(t.Gates, func(gate []string) bool { return !s.selects(gate) })
}

// Asks reports whether a task runs because its tags are asked for, and not only
// because of "always".
func (s Selection) Asks(t Task) bool {
	if !s.Runs(t) {
		return false
	}
	if s.Full() || !slices.Contains(t.Tags, "always") {
		return true
	}
	t.Tags = slices.DeleteFunc(slices.Clone(t.Tags), func(tag string) bool { return tag == "always" })
	return s.selects(t.Tags)
}

// selects is Ansible's own rule for the tags of one task.
func (s Selection) selects(tags []string) bool {
	has := func(list []string, special string) bool { return slices.Contains(list, special) }
	shares := func(list []string) bool {
		return slices.ContainsFunc(list, func(t string) bool { return has(tags, t) }) || len(tags) == 0 && has(list, "untagged")
	}
	always, never := has(tags, "always"), has(tags, "never")
	asked := s.Full() && !never || always || shares(s.Tags) || has(s.Tags, "tagged") && len(tags) > 0 && !never
	switch {
	case !asked || len(s.Skip) == 0:
		return asked
	case has(s.Skip, "all"):
		return always && !has(s.Skip, "always")
	}
	return !shares(s.Skip) && (!has(s.Skip, "tagged") || len(tags) == 0)
}

// tasksOf returns the tasks of the ways to a role that a selection asks for, in the
// order of the playbook.
func (s Selection) tasksOf(uses []*Use) []Task {
	var out []Task
	for _, u := range uses {
		for _, t := range u.task {
			if t.Action != argumentSpec && s.Asks(t) {
				out = append(out, t)
			}
		}
	}
	return out
}
