package verify

import (
	"fmt"
	"slices"
	"strings"
)

// UnknownNameError says that a name is neither an id nor an area.
type UnknownNameError struct {
	Name string
	Have []string // areas and ids that exist
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("no check is called %q; there are: %s", e.Name, strings.Join(e.Have, ", "))
}

// Select returns the checks whose id or area is among the names, with what they need and
// the checks that are asked together with them: a rung of a ladder alone could not say
// where the root is. The order stays. No names: all checks.
func Select(checks []Check, names []string) ([]Check, error) {
	if len(names) == 0 {
		return checks, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		found := false
		for _, c := range checks {
			if c.ID == name || c.In(name) {
				found = true
				addNeeded(checks, c, wanted)
			}
		}
		if !found {
			return nil, &UnknownNameError{Name: name, Have: Names(checks)}
		}
	}
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return !wanted[c.ID] }), nil
}

// Leave parts the checks into those to run and those whose id or area is among the
// names. Others no longer wait for what is left out.
func Leave(checks []Check, names []string) (run, left []Check) {
	for _, c := range checks {
		if slices.Contains(names, c.ID) || slices.Contains(names, c.Area) {
			left = append(left, c)
		} else {
			run = append(run, c)
		}
	}
	return run, left
}

// Names lists the areas and ids, each once, in the order of the checks.
func Names(checks []Check) []string {
	var out []string
	for _, c := range checks {
		for _, name := range append([]string{c.Area, c.ID}, c.Also...) {
			if name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func addNeeded(checks []Check, c Check, wanted map[string]bool) {
	if wanted[c.ID] {
		return
	}
	wanted[c.ID] = true
	for _, other := range checks {
		if slices.Contains(c.Needs, other.ID) || c.Together != "" && c.Together == other.Together {
			addNeeded(checks, other, wanted)
		}
	}
}
