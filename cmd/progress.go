package cmd

import (
	"fmt"
	"time"

	"github.com/surespray/surespray/verify"
)

// waitingEvery is the pause between two lines about the same wait.
const waitingEvery = 15 * time.Second

// progress tells on stderr what is waited for, and why: at once, then now and again.
func (a *app) progress() func(verify.Event) {
	told := map[string]time.Duration{}
	return func(e verify.Event) {
		if e.Phase != verify.PhaseWaiting || e.Finding.CausedBy != "" {
			return
		}
		if last, ok := told[e.ID]; ok && e.Waited-last < waitingEvery {
			return
		}
		told[e.ID] = e.Waited
		fmt.Fprintf(a.sys.Err, "surespray: waiting for %s (%s so far): %s\n", e.ID, e.Waited.Round(time.Second), e.Finding.Summary)
	}
}
