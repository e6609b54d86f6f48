package kubespray

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Hazard is something that a run destroys, or passes by, and that nobody asked for
// who only wanted an addon again.
type Hazard struct {
	Name   string `json:"name"` // such as cert-manager-namespace; what --accept hazard= takes
	Addon  string `json:"-"`
	Text   string `json:"text"`
	Source string `json:"source,omitempty"` // file:line in the checkout
	Way    string `json:"way,omitempty"`    // the argument that avoids it
	// Destroys: objects of the cluster are lost, whoever selected the tags and why.
	Destroys bool `json:"destroys"`
}

// Hazards derives what is dangerous about an addon in a run with this selection. value
// gives effective values; where it has none the checkout's literal default counts. It
// does not ask whether the addon is switched on.
func (cat *Catalogue) Hazards(a Addon, sel Selection, value func(string) (any, bool)) []Hazard {
	values := valuesOf{a, value}
	hazards := cat.deletedNamespaces(a, sel, values)
	if h, ok := cat.reapplied(a, sel); ok {
		hazards = append(hazards, h)
	}
	return append(hazards, tabledHazards(a, sel, values)...)
}

var deletedNamespace = regexp.MustCompile(`\bdelete\s+(?:namespaces?|ns)\s+(\{\{.*?\}\}|\S+)`)

// deletedNamespaces finds tasks that delete a namespace and would run.
func (cat *Catalogue) deletedNamespaces(a Addon, sel Selection, values valuesOf) []Hazard {
	var hazards []Hazard
	for _, t := range a.Deletes {
		m := deletedNamespace.FindStringSubmatch(t.Deletes)
		if m == nil || !sel.Asks(t) {
			continue
		}
		tag, rest := a.tagOfOnly(t, sel)
		h := Hazard{
			Name: a.Name + "-namespace", Addon: a.Name, Source: fmt.Sprintf("%s:%d", t.File, t.Line), Destroys: true,
			Text: fmt.Sprintf("its role deletes the namespace %s, with the secrets and all else in it (task %q)", values.render(m[1]), t.Name),
		}
		if rest == 0 {
			h.Text += ", and with these tags installs nothing again"
		}
		if tag != "" {
			h.Way = cat.skipping(a, tag, sel)
		}
		hazards = append(hazards, h)
	}
	return hazards
}

// tagOfOnly is the tag of a task by which it can be left out while most of its role
// stays, "" if there is none, and how many tasks of the run then remain.
func (a Addon) tagOfOnly(t Task, sel Selection) (best string, rest int) {
	without := func(tag string, tasks []Task) (n int) {
		for _, other := range tasks {
			if !slices.Contains(other.Tags, tag) {
				n++
			}
		}
		return n
	}
	most := 0
	for _, tag := range t.Tags {
		if n := without(tag, a.allTasks()); n > most && slices.Contains(a.TaskTags, tag) {
			best, most = tag, n
		}
	}
	return best, without(best, sel.tasksOf(a.Uses))
}

func (a Addon) allTasks() []Task {
	var out []Task
	for _, u := range a.Uses {
		out = append(out, u.task...)
	}
	return out
}

// skipping is the argument that leaves a tag out. It is right where only the addon has
// tasks with this tag: elsewhere the same tag may be what installs an upgrade.
func (cat *Catalogue) skipping(a Addon, tag string, sel Selection) string {
	var others []string
	for _, t := range cat.Tasks {
		if t.Role != "" && t.Role != a.Role && slices.Contains(t.Tags, tag) && sel.Asks(t) && !slices.Contains(others, t.Role) {
			others = append(others, t.Role)
		}
	}
	if len(others) == 0 {
		return "--skip-tags " + tag
	}
	return fmt.Sprintf("surespray addon apply %s --skip-tags %s (for this addon alone: in this run the tag would also leave out tasks of %s)", a.Name, tag, few(others, 3))
}

// few joins the first n and counts the rest.
func few(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:n], ", "), len(list)-n)
}
