package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/surespray/surespray/verify"
)

// inGroup is how many members of a group are told in full without -v.
const inGroup = 3

// trouble writes what is broken, could not be seen or deserves a look.
func (t *text) trouble(g []verify.Result) {
	first := g[0]
	head := first.ID
	if first.Cause != "" {
		head += ": " + first.Cause
	}
	if on := subjects(g); on != "" {
		head += " on " + on
	}
	t.printf("%s %s\n", t.verdict(first.Verdict), t.paint(head, color.Bold))
	shown := g
	if len(g) > inGroup && !t.verbose {
		shown = g[:inGroup]
	}
	var fixes []string
	for _, r := range shown {
		t.lines("", r.Summary)
		t.lines("  ", r.Evidence...)
		if t.verbose {
			t.lines("  ", r.Details...)
		}
	}
	for _, r := range g {
		for _, f := range r.Fix {
			if !slices.Contains(fixes, f) {
				fixes = append(fixes, f)
			}
		}
	}
	if n := len(g) - len(shown); n > 0 {
		t.lines("", fmt.Sprintf("and %d more of the same (-v shows them)", n))
	}
	if first.Accepted != "" {
		t.lines("", "accepted: "+first.Accepted)
	}
	for i, f := range fixes {
		label := "  or: "
		if i == 0 {
			label = " fix: "
		}
		t.printf("        %s%s\n", t.paint(label, color.FgCyan), indentRest(f, "              "))
	}
	t.printf("\n")
}

// subjects names what a group is about: "w3", or "3 of 620: w1, w2, w3".
func subjects(g []verify.Result) string {
	if len(g) == 1 {
		return where(g[0])
	}
	names := make([]string, len(g))
	for i, r := range g {
		names[i] = r.Subject
	}
	count := fmt.Sprint(len(g))
	if g[0].Of > 0 {
		count = fmt.Sprintf("%d of %d", len(g), g[0].Of)
	}
	return count + ": " + some(names, 8)
}

func (t *text) pass(g []verify.Result) {
	for _, r := range g {
		id := r.ID
		if r.Subject != "" {
			id += " " + r.Subject
		}
		t.printf("%s %-32s %s\n", t.verdict(r.Verdict), id, r.Summary)
		if t.verbose {
			t.lines("  ", r.Evidence...)
			t.lines("  ", r.Details...)
		}
	}
}

// skips folds what was not looked at: one line for each cause, one for each reason.
func (t *text) skips(results []verify.Result) {
	var order []string
	ids := map[string][]string{}
	for _, r := range results {
		if r.Verdict != verify.VerdictSkip {
			continue
		}
		why := r.Summary
		if r.CausedBy != "" {
			why = "because of " + r.CausedBy
		}
		if ids[why] == nil {
			order = append(order, why)
		}
		ids[why] = append(ids[why], strings.TrimSpace(r.ID+" "+r.Subject))
	}
	for _, why := range order {
		t.printf("%s %s: %s\n", t.verdict(verify.VerdictSkip), strings.Join(ids[why], ", "), why)
	}
	if !t.verbose {
		return
	}
	for _, r := range results {
		if r.Verdict == verify.VerdictSkip && r.CausedBy != "" {
			t.lines("", strings.TrimSpace(r.ID+" "+r.Subject)+": "+r.Summary)
			t.lines("  ", r.Evidence...)
		}
	}
}

func (t *text) lines(indent string, lines ...string) {
	for _, l := range lines {
		t.printf("         %s%s\n", indent, indentRest(l, "         "+indent+"  "))
	}
}

func indentRest(s, indent string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+indent)
}
