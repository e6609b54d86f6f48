package kubespray

import (
	"fmt"
	"regexp"
	"slices"
)

// Companion is a tag that an addon needs besides its own when it is run alone.
type Companion struct {
	Tag    string `json:"tag"`
	Reason string `json:"reason"`
}

// Companions derives the tags that must be added to one tag of an addon, so that it
// works when nothing else is run: those of roles that come before it under a condition
// that holds whenever its own does, and "download" where any of them leans on it.
func (cat *Catalogue) Companions(a Addon, tag string) []Companion {
	sel := Selection{Tags: []string{tag}}
	main := a.reached(tag)
	if main == nil {
		return nil // a tag of single tasks: who names it wants these and nothing else
	}
	var added []Companion
	needy := ""
	if a.NeedsDownload {
		needy = a.Name
	}
	for _, u := range cat.Uses {
		if needs, _ := sideEffects(u); needs && needy == "" && u.under(main) {
			needy = u.Role // a dependency, such as network_plugin/cni of multus
		}
		if u.Tasks == 0 || !u.whole || !u.inApps() || !comesAlong(main, u) || len(sel.tasksOf([]*Use{u})) > 0 {
			continue
		}
		more := cat.closest(u, main)
		if more == "" {
			continue
		}
		if needs, _ := sideEffects(u); needs && needy == "" {
			needy = u.Role
		}
		sel.Tags = append(sel.Tags, more)
		added = append(added, Companion{more, fmt.Sprintf("%s, which goes before %s, is not selected by the tag %s", u.Role, a.Name, tag)})
	}
	if needy != "" && cat.HasTag(downloadTag) && !slices.Contains(sel.Tags, downloadTag) {
		added = append(added, Companion{downloadTag, needy + " takes files of the download role, which does not run under " + tag})
	}
	return added
}

// downloadTag is the tag of Kubespray's role download.
const downloadTag = "download"

// reached is the first way to the addon that a tag opens as a whole. A tag of single
// tasks opens none.
func (a Addon) reached(tag string) *Use {
	for _, u := range a.Uses {
		if slices.Contains(u.Tags, tag) {
			return u
		}
	}
	return nil
}

// comesAlong reports whether a role stands beside another, and runs whenever that one
// does: its conditions are alternatives that the other's contain, as csi_crd's are, or
// say only that there is a choice, as those of network_plugin/cni.
func comesAlong(main, u *Use) bool {
	if u.Role == main.Role || u.Play.Index != main.Play.Index || u.outer() != main.outer() {
		return false
	}
	conditions := u.conditions()
	for _, c := range conditions {
		if !implied(c, main.conditions()) {
			return false
		}
	}
	return len(conditions) > 0
}

// under is true for what a way brings in by itself.
func (u *Use) under(main *Use) bool {
	for at := u.parent; at != nil; at = at.parent {
		if at == main {
			return true
		}
	}
	return false
}

// outer is the role of the play through which the way leads.
func (u *Use) outer() *Use {
	at := u
	for at.parent != nil {
		at = at.parent
	}
	return at
}

var (
	alternatives = regexp.MustCompile(`\s+or\s+`)
	anyChoice    = regexp.MustCompile(`^\s*(\w+)\s*!=\s*'none'\s*$`)
)

// implied reports whether a condition surely holds where all the others do. It knows
// two forms, and never guesses: "any of these", which is how a role says that several
// addons share it, and "whichever is chosen".
func implied(condition string, others []string) bool {
	if m := anyChoice.FindStringSubmatch(condition); m != nil {
		return slices.ContainsFunc(others, func(o string) bool { return slices.Contains(identifiers(o), m[1]) })
	}
	parts := alternatives.Split(condition, -1)
	return len(parts) > 1 && (slices.Contains(others, condition) ||
		slices.ContainsFunc(parts, func(p string) bool { return isName(p) && slices.Contains(others, p) }))
}

// closest is the tag by which a role without a tag of its own can be had beside
// another: one of its entry's, or, where that has none, one of the way's; of several
// the one that the fewest roles carry. "" for a role that can be asked for by itself.
func (cat *Catalogue) closest(u, main *Use) string {
	tags := u.Own
	if len(tags) == 0 {
		tags = u.Tags
	}
	best, fewest := "", 0
	for _, tag := range open(u.Tags, [][]string{tags}) {
		carried, owners := 0, 0
		for _, other := range cat.Uses {
			if slices.Contains(other.Tags, tag) {
				carried++
			}
			if other.Role != u.Role && slices.Contains(other.Own, tag) {
				owners++
			}
		}
		if owners == 0 && slices.Contains(u.Own, tag) {
			return ""
		}
		if slices.Contains(main.Tags, tag) && (best == "" || carried < fewest) {
			best, fewest = tag, carried
		}
	}
	return best
}
