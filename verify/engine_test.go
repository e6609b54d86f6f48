package verify

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// after answers "not yet" for a while, then pass.
func after(d time.Duration, first Finding) func(context.Context) []Finding {
	var start time.Time
	return func(context.Context) []Finding {
		if start.IsZero() {
			start = time.Now()
		}
		if time.Since(start) < d {
			return []Finding{first}
		}
		return []Finding{Pass("there")}
	}
}

func always(f ...Finding) func(context.Context) []Finding {
	return func(context.Context) []Finding { return f }
}

func TestWaiting(t *testing.T) {
	never := time.Hour
	tests := map[string]struct {
		engine   Engine
		run      func(context.Context) []Finding
		verdict  Verdict
		attempts int
		took     time.Duration
		says     string
	}{
		"a pass ends at once":                {run: always(Pass("fine")), verdict: VerdictPass, attempts: 1, says: "fine"},
		"a fail ends at once":                {run: always(Fail("root", "broken")), verdict: VerdictFail, attempts: 1, says: "broken"},
		"not yet becomes a pass in a second": {run: after(7*time.Second, NotYet("slow", "not there")), verdict: VerdictPass, attempts: 8, took: 7 * time.Second, says: "there (after 7s)"},
		"the last reason survives":           {run: after(never, NotYet("slow", "not there")), verdict: VerdictFail, attempts: 31, took: 30 * time.Second, says: "not there; still so after 30s"},
		"asked once":                         {engine: Engine{Within: -1}, run: after(never, Underway("slow", "not there")), verdict: VerdictFail, attempts: 1, says: "not there"},
		"a rollout gets the longer deadline": {run: after(2*time.Minute, Underway("rollout", "rolling")), verdict: VerdictPass, attempts: 121, took: 2 * time.Minute, says: "there (after 2m0s)"},
		"a rollout is not waited for for ever": {
			run: after(never, Underway("rollout", "rolling")), verdict: VerdictFail, attempts: 301, took: 5 * time.Minute, says: "rolling; still so after 5m0s",
		},
		"a panic is unknown": {run: func(context.Context) []Finding { panic("oops") }, verdict: VerdictUnknown, attempts: 1, says: "internal error in check"},
		"no answer":          {run: always(), verdict: VerdictUnknown, attempts: 1, says: "gave no answer"},
		"a check that hangs": {run: func(ctx context.Context) []Finding { <-ctx.Done(); return []Finding{Unknown("timeout", "no answer")} }, verdict: VerdictUnknown, attempts: 1, took: 30 * time.Second, says: "no answer"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := tt.engine.Run(t.Context(), []Check{{ID: "a.b", Run: tt.run}})
				if len(got) != 1 {
					t.Fatalf("results: %v", got)
				}
				r := got[0]
				if r.Verdict != tt.verdict || r.Attempts != tt.attempts || r.TookMS != tt.took.Milliseconds() || !strings.Contains(r.Summary, tt.says) {
					t.Errorf("got %s after %d attempts and %d ms: %s", r.Verdict, r.Attempts, r.TookMS, r.Summary)
				}
			})
		})
	}
}

func TestLastReasonBesideUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		lost := Unknown("api-unreachable", "connection refused")
		lost.Retry = true
		got := (&Engine{Within: 5 * time.Second}).Run(t.Context(), []Check{{ID: "a", Run: func(context.Context) []Finding {
			if n++; n < 3 {
				return []Finding{NotYet("slow", "0 of 1 ready")}
			}
			return []Finding{lost}
		}}})
		if got[0].Verdict != VerdictUnknown || fmt.Sprint(got[0].Evidence) != "[before that: 0 of 1 ready]" {
			t.Errorf("got %+v", got[0])
		}
	})
}

func TestOrderAndStops(t *testing.T) {
	var order []string
	note := func(id string, f Finding) func(context.Context) []Finding {
		return func(context.Context) []Finding { order = append(order, id); return []Finding{f} }
	}
	stop := Unknown("api-unreachable", "refused")
	stop.Stops = true
	checks := []Check{
		{ID: "c", Needs: []string{"b", "not-selected"}, Run: note("c", Pass("c"))},
		{ID: "b", Needs: []string{"a"}, Run: note("b", Pass("b"))},
		{ID: "a", Run: note("a", Pass("a"))},
		{ID: "y", Needs: []string{"x"}, Run: note("y", Pass("y"))},
		{ID: "z", Needs: []string{"y"}, Run: note("z", Pass("z"))},
	}
	got := (&Engine{Parallel: 1}).Run(t.Context(), append(checks, Check{ID: "x", Needs: []string{"c"}, Run: note("x", stop)}))
	if fmt.Sprint(order) != "[a b c x]" {
		t.Errorf("asked in the order %v", order)
	}
	for _, r := range got {
		if want := map[string]string{"y": "x", "z": "x"}[r.ID]; r.CausedBy != want {
			t.Errorf("%s is caused by %q, want %q", r.ID, r.CausedBy, want)
		}
	}
	if got[0].ID != "c" || got[5].ID != "x" {
		t.Errorf("results are not in the order of the checks: %v", got)
	}
}

func TestTogetherFitsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		rung := func(broken Finding) func(context.Context) []Finding {
			return func(context.Context) []Finding {
				if time.Since(start) < 3*time.Second {
					return []Finding{broken}
				}
				return []Finding{Pass("fine")}
			}
		}
		got := (&Engine{}).Run(t.Context(), []Check{
			{ID: "top", Together: "ladder", Run: rung(NotYet("root", "down"))},
			{ID: "rung", Together: "ladder", Run: rung(Because("top", "down"))},
		})
		for _, r := range got {
			if r.Verdict != VerdictPass || r.Attempts != 4 {
				t.Errorf("%s: %s after %d attempts", r.ID, r.Verdict, r.Attempts)
			}
		}
	})
}

func TestCancelKeepsWhatIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		time.AfterFunc(10*time.Second, cancel)
		got := (&Engine{}).Run(ctx, []Check{
			{ID: "known", Run: always(Pass("fine"))},
			{ID: "waiting", Run: always(NotYet("slow", "0 of 1 ready"))},
			{ID: "behind", Needs: []string{"waiting"}, Run: always(Pass("fine"))},
		})
		want := []Verdict{VerdictPass, VerdictUnknown, VerdictUnknown}
		for i, r := range got {
			if r.Verdict != want[i] {
				t.Errorf("%s: %s", r.ID, r.Verdict)
			}
		}
		if got[1].Cause != "cancelled" || !strings.Contains(fmt.Sprint(got[1].Evidence), "0 of 1 ready") {
			t.Errorf("got %+v", got[1])
		}
	})
}

func TestOverallDeadlineKeepsTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5500*time.Millisecond)
		defer cancel()
		got := (&Engine{}).Run(ctx, []Check{
			{ID: "waiting", Run: always(NotYet("slow", "0 of 1 ready"))},
			{ID: "behind", Needs: []string{"waiting"}, Run: always(Pass("fine"))},
		})
		if got[0].Verdict != VerdictFail || got[0].Summary != "0 of 1 ready; still so after 6s" {
			t.Errorf("got %+v", got[0])
		}
		if got[1].Verdict != VerdictUnknown || got[1].Cause != "deadline" {
			t.Errorf("got %+v", got[1])
		}
	})
}

func TestParallelIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		var checks []Check
		for i := range 20 {
			checks = append(checks, Check{ID: fmt.Sprint(i), Run: func(context.Context) []Finding {
				most.Store(max(most.Load(), now.Add(1)))
				defer now.Add(-1)
				time.Sleep(time.Second)
				return []Finding{Pass("fine")}
			}})
		}
		start := time.Now()
		(&Engine{Parallel: 4}).Run(t.Context(), checks)
		if most.Load() != 4 || time.Since(start) != 5*time.Second {
			t.Errorf("%d at the same time, %s", most.Load(), time.Since(start))
		}
	})
}

func TestBrokenDeclarations(t *testing.T) {
	got := (&Engine{}).Run(t.Context(), []Check{
		{ID: "a", Needs: []string{"b"}, Run: always(Pass("fine"))},
		{ID: "b", Needs: []string{"a"}, Run: always(Pass("fine"))},
		{ID: "orphan", Run: always(Because("gone", "no endpoints"))},
	})
	for _, r := range got {
		if r.Verdict != VerdictUnknown {
			t.Errorf("%s: %s %s", r.ID, r.Verdict, r.Summary)
		}
	}
}

func TestFreshness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var asked []time.Duration
		(&Engine{Within: 2 * time.Second}).Run(t.Context(), []Check{{ID: "a", Run: func(ctx context.Context) []Finding {
			since, _ := FreshSince(ctx)
			asked = append(asked, since.Sub(start))
			return []Finding{NotYet("slow", "no")}
		}}})
		if fmt.Sprint(asked) != "[0s 500ms 1.5s]" {
			t.Errorf("answers may rest on what is as old as %v", asked)
		}
	})
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		e := Engine{Progress: func(e Event) { said = append(said, fmt.Sprint(e.ID, " ", e.Phase, " ", e.Waited)) }}
		e.Run(t.Context(), []Check{{ID: "a", Run: after(time.Second, NotYet("slow", "no"))}})
		if fmt.Sprint(said) != "[a started 0s a waiting 0s a done 1s]" {
			t.Errorf("progress: %v", said)
		}
	})
}

func TestSelect(t *testing.T) {
	checks := []Check{
		{ID: "api.health", Area: "api"},
		{ID: "ms.top", Area: "ms", Together: "ms", Needs: []string{"api.health"}},
		{ID: "ms.pod", Area: "ms", Together: "ms"},
		{ID: "other", Area: "other"},
	}
	for name, want := range map[string]string{"": "[api.health ms.top ms.pod other]", "ms": "[api.health ms.top ms.pod]", "ms.pod": "[api.health ms.top ms.pod]", "other": "[other]"} {
		got, err := Select(checks, strings.Fields(name))
		var ids []string
		for _, c := range got {
			ids = append(ids, c.ID)
		}
		if err != nil || fmt.Sprint(ids) != want {
			t.Errorf("%q: %v %v", name, ids, err)
		}
	}
	if _, err := Select(checks, []string{"nope"}); err == nil || !strings.Contains(err.Error(), "ms.top") {
		t.Errorf("an unknown name: %v", err)
	}
}
