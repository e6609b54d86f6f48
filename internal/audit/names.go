package audit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
)

// removedVariables tells about variables that the checkout itself refuses by name.
func removedVariables(a *auditor) {
	removed := a.Checkout.Removed()
	for _, name := range slices.Sorted(maps.Keys(removed)) {
		if _, set := a.setting(name); !set {
			if _, given := a.argument(name); !given {
				continue
			}
		}
		r := removed[name]
		a.add(a.at(Finding{
			Severity: extravars.SeverityError, Code: "variable-removed",
			Message: fmt.Sprintf("%s was removed, and the checkout refuses to run with it (%s:%d)", name, r.File, r.Line),
			Fix:     "delete it",
		}, name))
	}
}

// unknownVariables tells about names that stand nowhere in the release: removed ones,
// slips of the pen, and the user's own.
func unknownVariables(a *auditor) {
	if len(a.Inventory.Hosts) == 0 && !a.Inventory.Dynamic {
		return // nothing is read for anybody
	}
	names := a.Defaults.Names()
	removed := a.Checkout.Removed()
	used := a.usedByInventory()
	seen := map[string]bool{}
	for _, s := range a.Inventory.Settings {
		if seen[s.Key] {
			continue
		}
		seen[s.Key] = true
		if _, refused := removed[s.Key]; refused || used[s.Key] || strings.HasPrefix(s.Key, "ansible_") || a.Checkout.Knows(s.Key) {
			continue
		}
		a.add(a.unknown(s, names))
	}
}

func (a *auditor) unknown(s *inventory.Setting, names []string) Finding {
	f := Finding{
		Severity: extravars.SeverityInfo, Code: "variable-unknown", Key: s.Key, File: s.File, Line: s.Line,
		Message: fmt.Sprintf("nothing in this release reads %s", s.Key),
	}
	switch last, was := kubespray.LastKnown(s.Key); {
	case a.Checkout.SampleSets(s.Key):
		f.Message += "; its own inventory/sample sets it"
	case was:
		f.Severity = extravars.SeverityWarning
		f.Message += ": releases up to " + last + " did"
		f.Fix = "delete it; see the release notes for what took its place"
	default:
		if near := misspelt(s.Key, names); near != "" {
			f.Severity = extravars.SeverityWarning
			f.Fix = "did you mean " + near + "?"
		}
	}
	return f
}

// misspelt returns the variable that a name is a slip of the pen for, or "".
func misspelt(name string, names []string) string {
	if len(name) < 7 {
		return ""
	}
	near := kubespray.Nearest(name, names, 1)
	if len(near) == 0 || digits.ReplaceAllString(near[0], "") == digits.ReplaceAllString(name, "") {
		return ""
	}
	if d := kubespray.Distance(name, near[0]); d > 2 || d > 1 && len(name) < 12 {
		return ""
	}
	return near[0]
}

var digits = regexp.MustCompile(`[0-9]+`)

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// usedByInventory are the words in templates of the inventory itself.
func (a *auditor) usedByInventory() map[string]bool {
	used := map[string]bool{}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case string:
			if isTemplate(v) {
				for _, w := range word.FindAllString(v, -1) {
					used[w] = true
				}
			}
		case []any:
			for _, item := range v {
				look(item)
			}
		case extravars.Mapping:
			for _, p := range v {
				look(p.Value)
			}
		}
	}
	for _, s := range a.Inventory.Settings {
		look(s.Value)
	}
	return used
}
