package verify

import (
	"fmt"
	"slices"
	"time"
)

// take keeps the answer of a round. The last reason survives: where we could not look
// any more, what was seen before stands beside it.
func (m *member) take(answer []Finding, at time.Time) {
	if len(answer) == 0 {
		answer = []Finding{Unknown("internal", "internal error: check %s gave no answer", m.check.ID)}
	}
	m.attempts++
	m.took = at.Sub(m.start)
	if before := worst(m.findings); before.Retry && before.Verdict != VerdictUnknown {
		m.reason = before.Summary
	}
	m.findings = slices.Clone(answer)
	for i, f := range m.findings {
		if f.Verdict == VerdictUnknown && m.reason != "" {
			m.findings[i] = f.Seen("before that: " + m.reason)
		}
	}
}

// conclude says in the last answer how long was waited for it.
func (m *member) conclude() {
	if m.took < time.Second || m.attempts < 2 {
		return
	}
	for i, f := range m.findings {
		switch {
		case f.Retry:
			m.findings[i].Summary = fmt.Sprintf("%s; still so after %s", f.Summary, human(m.took))
		case f.Verdict == VerdictPass:
			m.findings[i].Summary = fmt.Sprintf("%s (after %s)", f.Summary, human(m.took))
		}
	}
}

func human(d time.Duration) string { return d.Round(time.Second).String() }

// pending reports whether an answer may change by itself, and whether something is
// under way that takes its time.
func pending(members []*member) (again, moving bool) {
	for _, m := range members {
		for _, f := range m.findings {
			again = again || f.Retry
			moving = moving || f.Retry && f.Moving
		}
	}
	return again, moving
}

// worst returns the finding that weighs most: fail, unknown, warn, skip, pass.
func worst(findings []Finding) Finding {
	var out Finding
	for i, f := range findings {
		if i == 0 || f.Verdict.Weight() > out.Verdict.Weight() {
			out = f
		}
	}
	return out
}

// Weight orders verdicts: the heavier one is what people must see first.
func (v Verdict) Weight() int {
	return slices.Index([]Verdict{VerdictPass, VerdictSkip, VerdictWarn, VerdictUnknown, VerdictFail}, v)
}
