package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surespray/surespray/verify"
)

// Exit codes that a verification alone can give.
const (
	CodeOK           = 0
	CodeVerifyFailed = 73
	CodeInconclusive = 74
)

// Judge is the exit of a verification: a fail weighs more than an unknown; warnings and
// skips do not count.
func Judge(results []verify.Result) Exit {
	c := verify.Count(results)
	switch {
	case c.Fail > 0:
		return Exit{Code: CodeVerifyFailed, Category: "verify-failed"}
	case c.Unknown > 0:
		return Exit{Code: CodeInconclusive, Category: "inconclusive"}
	}
	return Exit{Code: CodeOK, Category: "ok"}
}

// Closing is the line that ends a command on stderr, fit for a CI log:
//
//	surespray: FAILED 73 metrics-server.apiservice: kubelet-cert-no-san on w3 | next: …
func Closing(d Document) string {
	word := "FAILED"
	if d.Exit.Code == CodeOK {
		word = "OK"
	}
	line := fmt.Sprintf("surespray: %s %d", word, d.Exit.Code)
	what, next := what(d)
	if what != "" {
		line += " " + oneLine(what)
	}
	if next != "" && d.Exit.Code != CodeOK {
		line += " | next: " + oneLine(next)
	}
	return line
}

// what names the reason of the exit, and the next step.
func what(d Document) (reason, next string) {
	if d.Exit.Message != "" {
		return d.Exit.Message, d.Exit.Next
	}
	switch d.Exit.Code {
	case CodeOK:
		return succeeded(d), ""
	case CodeVerifyFailed, CodeInconclusive:
		if w, ok := worst(d.Results); ok {
			reason = w.ID + ": " + orElse(w.Cause, w.Summary)
			if on := where(w); on != "" {
				reason += " on " + on
			}
			if len(w.Fix) > 0 {
				next = w.Fix[0]
			}
			return reason, orElse(d.Exit.Next, next)
		}
	}
	if d.Ansible != nil {
		return orElse(d.Ansible.Summary, "ansible-playbook: "+d.Ansible.Class), d.Exit.Next
	}
	return d.Exit.Category, d.Exit.Next
}

// succeeded says what a good end rests on.
func succeeded(d Document) string {
	switch {
	case len(d.Results) > 0:
		return counts(verify.Count(d.Results))
	case d.Ansible != nil:
		return d.Ansible.Summary + "; nothing was verified"
	case d.Plan != nil:
		return "this is the plan; nothing was started"
	}
	return "nothing was verified"
}

// worst is the result that people must see first.
func worst(results []verify.Result) (verify.Result, bool) {
	if len(results) == 0 {
		return verify.Result{}, false
	}
	return slices.MaxFunc(results, func(a, b verify.Result) int { return a.Verdict.Weight() - b.Verdict.Weight() }), true
}

// where is what a result's cause sits on, for one line.
func where(r verify.Result) string {
	if r.Subject != "" {
		return r.Subject
	}
	return some(r.On, 3)
}

// some joins up to n words, and says how many more there are.
func some(words []string, n int) string {
	if len(words) <= n {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:n], ", "), len(words)-n)
}

// counts says the numbers, the ones that matter most first; what is zero is left out.
func counts(c verify.Counts) string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{c.Fail, "failed"}, {c.Unknown, "unknown"}, {c.Warn, "warned"}, {c.Pass, "passed"}, {c.Skip, "skipped"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	if parts == nil {
		return "nothing was verified"
	}
	return strings.Join(parts, ", ")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// WantsColor reports whether a writer gets colours: a terminal that is not dumb, unless
// NO_COLOR is set.
func WantsColor(getenv func(string) string, terminal bool) bool {
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
