package report

import (
	"fmt"
	"strings"
)

// plan writes what was to be run: the command, and for an addon what its tags select,
// unless something kept it from running.
func (t *text) plan(p Plan, full bool) {
	t.printf("Plan: %s\n      in %s\n", strings.Join(p.Argv, " "), p.Dir)
	for _, a := range p.Added {
		t.printf("      adds the tag %s: %s\n", a.Tag, a.Reason)
	}
	if !full {
		return
	}
	t.planned("Runs by these tags:", p.Roles, true)
	t.planned("Runs anyway:", p.Always, t.verbose)
}

// planned writes a list of roles; what runs anyway is one line unless more is asked for.
func (t *text) planned(title string, roles []PlannedRole, full bool) {
	if len(roles) == 0 {
		return
	}
	t.printf("%s\n", title)
	if !full {
		var parts []string
		for _, r := range roles {
			parts = append(parts, fmt.Sprintf("%s (%d)", r.name(), r.Tasks))
		}
		t.printf("  %s\n", strings.Join(parts, ", "))
		return
	}
	for _, r := range roles {
		t.printf("  %s: %s", r.name(), tasks(r.Tasks))
		if len(r.When) > 0 {
			t.printf(", if %s", strings.Join(r.When, " and "))
		}
		t.printf("\n")
		for _, name := range r.Names {
			t.printf("    %s\n", name)
		}
		if more := r.Tasks - len(r.Names); more > 0 && len(r.Names) > 0 {
			t.printf("    and %d more\n", more)
		}
	}
}

// name is the role's, or the play's for tasks of its own.
func (r PlannedRole) name() string {
	if r.Role == "" {
		return fmt.Sprintf("play %q", r.Play)
	}
	return r.Role
}

func tasks(n int) string {
	if n == 1 {
		return "1 task"
	}
	return fmt.Sprintf("%d tasks", n)
}
