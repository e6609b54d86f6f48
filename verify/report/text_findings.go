package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
)

// RenderFindings writes the findings of an audit for people: errors and warnings with
// their fix; what is merely worth knowing in one line, unless o.Verbose wants it all.
func RenderFindings(w io.Writer, findings []Finding, o Options) error {
	var b strings.Builder
	t := &text{w: &b, verbose: o.Verbose, color: o.Color}
	t.findings(findings)
	t.printf("%s\n", t.paint(CountFindings(findings), color.Bold))
	_, err := io.WriteString(w, b.String())
	return err
}

// CountFindings says how many findings there are of each severity.
func CountFindings(findings []Finding) string {
	count := map[string]int{}
	for _, f := range findings {
		count[f.Severity]++
	}
	return fmt.Sprintf("%s, %s, %s", plural(count["error"], "error"), plural(count["warning"], "warning"), plural(count["info"], "remark"))
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func (t *text) findings(findings []Finding) {
	folded := map[string]int{}
	for _, f := range findings {
		if f.Severity == "info" && !t.verbose {
			folded[f.Code]++
			continue
		}
		t.finding(f)
	}
	if len(folded) > 0 {
		var codes []string
		for code, n := range folded {
			codes = append(codes, fmt.Sprintf("%d %s", n, code))
		}
		slices.Sort(codes)
		t.printf("%s\n", t.paint("remarks: "+strings.Join(codes, ", ")+" (-v shows them)", color.Faint))
	}
	if len(findings) > 0 {
		t.printf("\n")
	}
}

func (t *text) finding(f Finding) {
	at := f.File
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if at != "" {
		at += ": "
	}
	code := f.Code
	if f.Detail != "" {
		code += "=" + f.Detail // as --accept takes it
	}
	t.printf("%s %s%s: %s\n", t.severity(f.Severity), at, code, f.Message)
	if f.Accepted != "" {
		t.printf("         accepted: %s\n", f.Accepted)
	}
	if f.Fix != "" {
		t.printf("         fix: %s\n", f.Fix)
	}
}

func (t *text) severity(s string) string {
	word := fmt.Sprintf("%-8s", s)
	switch s {
	case "error":
		return t.paint(word, color.FgRed, color.Bold)
	case "warning":
		return t.paint(word, color.FgYellow, color.Bold)
	}
	return t.paint(word, color.Faint)
}
