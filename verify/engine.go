package verify

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Defaults of an Engine.
const (
	DefaultWithin   = 30 * time.Second
	DefaultLongest  = 5 * time.Minute
	DefaultEvery    = time.Second
	DefaultParallel = 8
)

// Engine runs checks. The zero value is ready to use.
type Engine struct {
	Within   time.Duration // how long a "not yet" is asked again; 0: DefaultWithin; negative: asked once
	Longest  time.Duration // the same while a rollout or a warm-up is under way; 0: DefaultLongest
	Every    time.Duration // pause between two tries; 0: DefaultEvery
	Parallel int           // how many checks are asked at the same time; 0: DefaultParallel
	Progress func(Event)   // told what happens; calls do not overlap
	// Clock is the time to wait by; nil: this machine's. With one of its own the checks are
	// asked one after the other, so that no wait passes the time of another.
	Clock Clock
}

// Phase is where a check is.
type Phase string

// The phases of a check.
const (
	PhaseStarted Phase = "started"
	PhaseWaiting Phase = "waiting" // the answer was "not yet"
	PhaseDone    Phase = "done"
)

// Event tells the progress of one check.
type Event struct {
	ID, Title string
	Phase     Phase
	Attempt   int
	Waited    time.Duration // since the check was first asked
	Finding   Finding       // the worst of the last answer; empty when started
}

// Run asks the checks in the order that their needs allow and returns the last answer of
// each, in the order given. It ends when every check has an answer that stays, or none
// of the deadlines is left. When ctx is cancelled, answers already settled are kept, and
// the others are unknown.
func (e *Engine) Run(ctx context.Context, checks []Check) []Result {
	r := &run{
		within: cmp.Or(e.Within, DefaultWithin), every: cmp.Or(e.Every, DefaultEvery), clock: e.Clock,
		slots: make(chan struct{}, cmp.Or(e.Parallel, DefaultParallel)), progress: e.Progress,
	}
	if r.clock == nil {
		r.clock = wall{}
	}
	r.start = r.clock.Now()
	if r.longest = cmp.Or(e.Longest, DefaultLongest); e.Within < 0 {
		r.within, r.longest = 0, 0
	}
	units := newUnits(checks)
	if e.Clock != nil {
		r.inTurn(ctx, units)
		return settle(checks, units)
	}
	var wg sync.WaitGroup
	for _, u := range units {
		wg.Go(func() {
			defer close(u.done)
			r.unit(ctx, u)
		})
	}
	wg.Wait()
	return settle(checks, units)
}

// inTurn asks the units one after the other: always the first one whose needs are answered.
func (r *run) inTurn(ctx context.Context, units []*unit) {
	for left := slices.Clone(units); len(left) > 0; {
		i := slices.IndexFunc(left, func(u *unit) bool { return all(u.needs, (*unit).answered) })
		r.unit(ctx, left[i]) // there is one: circles are broken
		close(left[i].done)
		left = slices.Delete(left, i, i+1)
	}
}

// run is one call of Engine.Run.
type run struct {
	within, longest, every time.Duration
	clock                  Clock
	start                  time.Time
	slots                  chan struct{}
	mu                     sync.Mutex
	progress               func(Event)
}

func (r *run) tell(m *member, phase Phase, f Finding) {
	if r.progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e := Event{ID: m.check.ID, Title: m.check.Title, Phase: phase, Attempt: m.attempts, Finding: f}
	if !m.start.IsZero() {
		e.Waited = r.clock.Now().Sub(m.start)
	}
	r.progress(e)
}

// settle makes results of the answers, in the order of the checks.
func settle(checks []Check, units []*unit) []Result {
	members := map[string]*member{}
	for _, u := range units {
		for _, m := range u.members {
			members[m.check.ID] = m
		}
	}
	results := []Result{}
	for _, c := range checks {
		m := members[c.ID]
		for _, f := range m.findings {
			results = append(results, result(m, f))
		}
	}
	return orphans(results)
}

func result(m *member, f Finding) Result {
	r := Result{
		ID: m.check.ID, Subject: f.Subject, Title: m.check.Title, Verdict: f.Verdict, Cause: f.Cause,
		CausedBy: f.CausedBy, Summary: f.Summary, On: f.On, Of: f.Of, Evidence: f.Evidence, Fix: f.Fix,
		Details: f.Details, Attempts: m.attempts, TookMS: m.took.Milliseconds(),
	}
	if r.Evidence == nil {
		r.Evidence = []string{}
	}
	if r.Fix == nil {
		r.Fix = []string{}
	}
	return r
}

// orphans turns a consequence whose cause nobody reports into unknown: a skip alone
// would hide the trouble.
func orphans(results []Result) []Result {
	named := map[string]bool{}
	for _, r := range results {
		if r.CausedBy == "" && r.Verdict != VerdictPass && r.Verdict != VerdictSkip {
			named[r.ID] = true
		}
	}
	for i, r := range results {
		if r.CausedBy != "" && !named[r.CausedBy] {
			results[i].Verdict = VerdictUnknown
			results[i].Summary += " (" + r.CausedBy + " does not name the cause)"
			results[i].CausedBy = ""
		}
	}
	return results
}
