package report

import (
	"fmt"
	"strings"

	"github.com/fatih/color"
)

// fieldsTold is how many fields of a changed object are told without -v.
const fieldsTold = 4

// changes writes what became of the addons' objects: an addon of which nothing changed is
// one line with the others of its kind.
func (t *text) changes(d Document) {
	if len(d.Changes) == 0 && len(d.Leftover) == 0 {
		return
	}
	if len(d.Changes) > 0 {
		t.printf("Changes to the addons' objects:\n")
	}
	var same []string
	sameObjects := 0
	for _, addon := range byAddon(d.Changes) {
		if n, all := count(addon, "unchanged"); all && !t.verbose {
			same, sameObjects = append(same, addon[0].Addon), sameObjects+n
			continue
		}
		t.changesOf(addon)
	}
	if len(same) > 0 {
		t.printf("  %s: unchanged (%s)\n", strings.Join(same, ", "), objects(sameObjects))
	}
	for _, addon := range byAddon(d.Leftover) {
		names := make([]string, len(addon))
		for i, l := range addon {
			names[i] = objectName(l.Kind, l.Namespace, l.Name)
		}
		t.printf("  %s %s: %s still there; %s, and Kubespray removes nothing\n", t.paint("left over", color.FgYellow, color.Bold),
			t.paint(addon[0].Addon, color.Bold), isAre(names), addon[0].Switch)
	}
	t.printf("\n")
}

// changesOf writes one addon: the counts, and each object that is not like most.
func (t *text) changesOf(addon []Change) {
	var counts []string
	for _, kind := range []string{"created", "re-created", "changed", "gone", "unknown", "unchanged"} {
		if n, _ := count(addon, kind); n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	t.printf("  %s: %s\n", t.paint(addon[0].Addon, color.Bold), strings.Join(counts, ", "))
	_, allCreated := count(addon, "created")
	for _, c := range addon {
		if !t.verbose && (c.Change == "unchanged" || allCreated) {
			continue
		}
		t.printf("    %-10s %s", c.Change, c.object())
		fields := c.Fields
		if n := len(fields) - fieldsTold; n > 0 && !t.verbose {
			fields = append(fields[:fieldsTold:fieldsTold], fmt.Sprintf("and %d more", n))
		}
		if len(fields) > 0 {
			t.printf(": %s", strings.Join(fields, ", "))
		}
		t.printf("\n")
	}
}

// byAddon groups what stands side by side.
func byAddon[T interface{ addon() string }](list []T) [][]T {
	var groups [][]T
	for _, item := range list {
		if n := len(groups); n > 0 && groups[n-1][0].addon() == item.addon() {
			groups[n-1] = append(groups[n-1], item)
			continue
		}
		groups = append(groups, []T{item})
	}
	return groups
}

func (c Change) addon() string   { return c.Addon }
func (l Leftover) addon() string { return l.Addon }

func count(list []Change, change string) (n int, all bool) {
	for _, c := range list {
		if c.Change == change {
			n++
		}
	}
	return n, n == len(list)
}

func objects(n int) string {
	if n == 1 {
		return "1 object"
	}
	return fmt.Sprintf("%d objects", n)
}

func isAre(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names, ", ") + " are"
}
