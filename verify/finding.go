package verify

import "fmt"

// Pass says that the question is answered with yes.
func Pass(format string, args ...any) Finding {
	return Finding{Verdict: VerdictPass, Summary: fmt.Sprintf(format, args...)}
}

// Warn says that something deserves a look and breaks nothing.
func Warn(cause, format string, args ...any) Finding {
	return Finding{Verdict: VerdictWarn, Cause: cause, Summary: fmt.Sprintf(format, args...)}
}

// Fail says that it does not work and will not by itself: it ends the wait at once.
func Fail(cause, format string, args ...any) Finding {
	return Finding{Verdict: VerdictFail, Cause: cause, Summary: fmt.Sprintf(format, args...)}
}

// NotYet says that it does not work now and may by itself. It is asked again, and is a
// failure at the deadline.
func NotYet(cause, format string, args ...any) Finding {
	return Finding{Verdict: VerdictFail, Retry: true, Cause: cause, Summary: fmt.Sprintf(format, args...)}
}

// Underway is NotYet while a rollout or a warm-up goes on: the longer deadline counts.
func Underway(cause, format string, args ...any) Finding {
	return Finding{Verdict: VerdictFail, Retry: true, Moving: true, Cause: cause, Summary: fmt.Sprintf(format, args...)}
}

// Unknown says that we looked and could not see.
func Unknown(cause, format string, args ...any) Finding {
	return Finding{Verdict: VerdictUnknown, Cause: cause, Summary: fmt.Sprintf(format, args...)}
}

// Skip says that the question does not apply, or that no route to an answer was given.
func Skip(format string, args ...any) Finding {
	return Finding{Verdict: VerdictSkip, Summary: fmt.Sprintf(format, args...)}
}

// Because marks a consequence: the check named by id tells the root.
func Because(id, format string, args ...any) Finding {
	return Finding{Verdict: VerdictSkip, CausedBy: id, Summary: fmt.Sprintf(format, args...)}
}

// Seen returns the finding with more evidence. Empty lines are left out.
func (f Finding) Seen(evidence ...string) Finding {
	f.Evidence = appendText(f.Evidence, evidence)
	return f
}

// Mend returns the finding with more to do next. Empty lines are left out.
func (f Finding) Mend(fix ...string) Finding {
	f.Fix = appendText(f.Fix, fix)
	return f
}

func appendText(to, more []string) []string {
	out := append([]string(nil), to...)
	for _, s := range more {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
