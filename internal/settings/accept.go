package settings

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"gopkg.in/yaml.v3"
)

// Accept says "I know" to a finding.
type Accept struct {
	Code   string    // such as hazard
	Detail string    // such as cert-manager-namespace; empty: not narrowed
	Reason string    // empty only where a flag says it
	Until  time.Time // start of the last day on which it holds; zero: for ever
	File   string    // empty for a flag
	Line   int
}

// String is the acceptance as --accept takes it.
func (a Accept) String() string {
	if a.Detail == "" {
		return a.Code
	}
	return a.Code + "=" + a.Detail
}

// ParseAccept reads the value of --accept: CODE or CODE=DETAIL.
func ParseAccept(arg string) (Accept, error) {
	const form = "write CODE or CODE=DETAIL, such as unreachable=w2"
	code, detail, narrowed := strings.Cut(arg, "=")
	switch {
	case code == "":
		return Accept{}, fmt.Errorf("%q names no code; %s", arg, form)
	case strings.ContainsFunc(code, unicode.IsSpace):
		return Accept{}, fmt.Errorf("the code in %q holds a space; %s", arg, form)
	case narrowed && strings.TrimSpace(detail) == "":
		// An empty variable of a script must not accept more than was meant.
		return Accept{}, fmt.Errorf("%q names nothing after the =; leave the = out to accept every %s, or %s", arg, code, form)
	}
	return Accept{Code: code, Detail: strings.TrimSpace(detail)}, nil
}

// accept reads one entry of the list. One with a problem is not taken.
func (r *reader) accept(n *yaml.Node) {
	before := len(r.problems)
	a := Accept{File: r.file, Line: n.Line}
	var until *yaml.Node
	code, reason := true, true // false when already found wrong
	if !r.mapping(n, "an entry of accept", []field{
		{"code", func(n *yaml.Node) { a.Code, code = r.text(n, "code") }},
		{"detail", func(n *yaml.Node) { a.Detail, _ = r.text(n, "detail") }},
		{"reason", func(n *yaml.Node) { a.Reason, reason = r.text(n, "reason") }},
		{"until", func(n *yaml.Node) { until = follow(n) }},
	}) {
		return
	}
	switch {
	case a.Code == "" && code:
		r.problem(n.Line, CodeInvalid, "add code: CODE, as the finding names it", "an entry of accept has no code")
	case strings.Contains(a.Code, "="):
		code, detail, _ := strings.Cut(a.Code, "=")
		r.problem(n.Line, CodeInvalid, fmt.Sprintf("write code: %s and detail: %s", code, detail), "the code %s holds a detail", shown(a.Code))
	case strings.ContainsFunc(a.Code, unicode.IsSpace):
		r.problem(n.Line, CodeInvalid, "write it as the finding names it", "the code %s holds a space", shown(a.Code))
	}
	if a.Reason == "" && reason {
		r.problem(n.Line, CodeInvalid, "add reason: WHY, for whoever reads it next", "the acceptance of %s has no reason", orWord(a.String(), "nothing"))
	}
	if until != nil {
		a.Until = r.until(until, a)
	}
	if len(r.problems) == before {
		r.accepted = append(r.accepted, a)
	}
}

// until is the last day of an acceptance, in local time.
func (r *reader) until(n *yaml.Node, a Accept) time.Time {
	const example = "write the last day on which it holds, such as until: 2026-12-31, or leave it out"
	if n.Kind != yaml.ScalarNode || isNull(n) {
		r.wrongType(n, "until", "a date", example)
		return time.Time{}
	}
	text := strings.TrimSpace(n.Value)
	day, err := time.ParseInLocation(time.DateOnly, text, r.now.Location())
	switch {
	case err != nil:
		r.problem(n.Line, CodeInvalid, example, "until %s is no date", shown(n.Value))
	case r.now.Format(time.DateOnly) > text: // written so, days sort as text
		r.problem(n.Line, CodeExpired, "mend what it is about, or look again and set a later until",
			"the acceptance of %s held until %s (%s)", orWord(a.String(), "nothing"), text, orWord(a.Reason, "no reason given"))
	}
	return day
}

func orWord(s, word string) string {
	if s == "" {
		return word
	}
	return s
}
