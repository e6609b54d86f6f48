package verify

import (
	"context"
	"testing"
	"time"
)

// What happens over minutes is told at once, and each wait is as long as it would be.
func TestSimulatedClock(t *testing.T) {
	start := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	clock := NewSimulated(start)
	warming := func(id string, until time.Duration, needs ...string) Check {
		return Check{ID: id, Needs: needs, Run: func(context.Context) []Finding {
			if clock.Now().Sub(start) < until {
				return []Finding{Underway("warming-up", "not before %s", until)}
			}
			return []Finding{Pass("there")}
		}}
	}
	e := Engine{Clock: clock}
	real := time.Now()
	results := e.Run(t.Context(), []Check{
		warming("last", 100*time.Second, "first"), warming("first", 75*time.Second), warming("never", time.Hour),
	})
	if time.Since(real) > 5*time.Second {
		t.Errorf("it took %s", time.Since(real))
	}
	for i, want := range []struct {
		verdict Verdict
		took    int64
	}{{VerdictPass, 25_000}, {VerdictPass, 75_000}, {VerdictFail, 300_000}} {
		if r := results[i]; r.Verdict != want.verdict || r.TookMS != want.took {
			t.Errorf("%s: %s after %d ms, want %s after %d", r.ID, r.Verdict, r.TookMS, want.verdict, want.took)
		}
	}
}
