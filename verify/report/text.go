package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/surespray/surespray/verify"
)

// text writes for people, the trouble first.
type text struct {
	w       io.Writer
	verbose bool
	color   bool
}

// renderText writes the report for people: what ran, what was looked at, what is broken
// with its cause and its fix, and the rest in one line each.
func renderText(w io.Writer, d Document, o Options) error {
	t := &text{w: w, verbose: o.Verbose, color: o.Color}
	t.ansible(d)
	t.changes(d)
	t.cluster(d.Cluster)
	t.findings(d.Findings)
	groups := group(d.Results)
	for _, v := range []verify.Verdict{verify.VerdictFail, verify.VerdictUnknown, verify.VerdictWarn} {
		for _, g := range groups {
			if g[0].Verdict == v {
				t.trouble(g)
			}
		}
	}
	for _, g := range groups {
		if g[0].Verdict == verify.VerdictPass {
			t.pass(g)
		}
	}
	t.skips(d.Results)
	t.end(d)
	return nil
}

func (t *text) printf(format string, args ...any) { fmt.Fprintf(t.w, format, args...) }

// paint colours for this writer only.
func (t *text) paint(s string, attributes ...color.Attribute) string {
	c := color.New(attributes...)
	if t.color {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(s)
}

func (t *text) verdict(v verify.Verdict) string {
	word := fmt.Sprintf("%-8s", v)
	switch v {
	case verify.VerdictFail:
		return t.paint(strings.ToUpper(word), color.FgRed, color.Bold)
	case verify.VerdictUnknown:
		return t.paint(strings.ToUpper(word), color.FgMagenta, color.Bold)
	case verify.VerdictWarn:
		return t.paint(strings.ToUpper(word), color.FgYellow, color.Bold)
	case verify.VerdictPass:
		return t.paint(word, color.FgGreen)
	}
	return t.paint(word, color.Faint)
}

// cluster says what was looked at: the cluster, and by which files.
func (t *text) cluster(c Cluster) {
	said := false
	for i, line := range [][]struct{ format, value string }{
		{{"%s", c.Name}, {"%s", c.Server}, {"Kubernetes %s", c.Version}, {"uid %s", c.UID}},
		{{"kubeconfig %s", c.Kubeconfig}, {"context %s", c.Context}, {"inventory %s", c.Inventory}, {"checkout %s", c.Checkout}},
	} {
		var parts []string
		for _, p := range line {
			if p.value != "" {
				parts = append(parts, fmt.Sprintf(p.format, p.value))
			}
		}
		if len(parts) > 0 {
			t.printf("%s%s\n", []string{"Cluster: ", "         "}[i], strings.Join(parts, ", "))
			said = true
		}
	}
	if said {
		t.printf("\n")
	}
}

func (t *text) end(d Document) {
	if len(d.Results) > 0 {
		t.printf("\n%s", t.paint(counts(d.Summary), color.Bold))
		t.printf(" (exit %d, %s)\n", d.Exit.Code, d.Exit.Category)
	}
	if d.Exit.Message != "" {
		t.printf("%s %s\n", t.paint("error:", color.FgRed, color.Bold), d.Exit.Message)
		if d.Exit.Next != "" {
			t.printf("next: %s\n", d.Exit.Next)
		}
	}
}

// group puts results side by side that say the same about several subjects.
func group(results []verify.Result) [][]verify.Result {
	var groups [][]verify.Result
	for _, r := range results {
		i := slices.IndexFunc(groups, func(g []verify.Result) bool {
			return r.Subject != "" && g[0].Subject != "" && g[0].ID == r.ID && g[0].Verdict == r.Verdict && g[0].Cause == r.Cause
		})
		if i < 0 {
			groups = append(groups, []verify.Result{r})
			continue
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}
