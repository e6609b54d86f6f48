package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	attemptLimit = 30 * time.Second // the longest that one try may take
	shareFor     = 5 * time.Second  // a first try may rest on what others read this long ago
	goodbye      = 2 * time.Second  // how long a check may take to notice the end of its context
)

// unit waits for what the unit needs and asks its members until their answers stay.
func (r *run) unit(ctx context.Context, u *unit) {
	for _, n := range u.needs {
		<-n.done // it ends by itself when ctx does
	}
	var open []*member
	for _, m := range u.members {
		if m.findings == nil && !r.stopped(m) {
			open = append(open, m)
		}
	}
	if len(open) > 0 {
		r.ask(ctx, open)
	}
	for _, m := range open {
		for _, f := range m.findings {
			if f.Stops {
				m.stop = m.check.ID
			}
		}
		r.tell(m, PhaseDone, worst(m.findings))
	}
}

// stopped skips a member that needs a check which says that nothing behind it can be
// answered. Needs within the same unit are not looked at: they are asked at once.
func (r *run) stopped(m *member) bool {
	for _, n := range m.needs {
		if n.stop == "" {
			continue
		}
		m.stop = n.stop
		m.findings = []Finding{Because(n.stop, "not looked at, because of %s", n.stop)}
		r.tell(m, PhaseDone, m.findings[0])
		return true
	}
	return false
}

// ask asks the members in rounds, until none answers "not yet" or the deadline is over.
func (r *run) ask(ctx context.Context, members []*member) {
	within, every := r.limits(members)
	start := r.clock.Now()
	since, deadline, moved := later(r.start, start.Add(-shareFor)), start.Add(within), start
	for _, m := range members {
		m.start = start
		r.tell(m, PhaseStarted, Finding{})
	}
	for {
		if ctx.Err() != nil || !r.round(ctx, members, since) {
			r.interrupt(ctx, members)
			return
		}
		again, moving := pending(members)
		if !again {
			break
		}
		if moving {
			moved = r.clock.Now()
			deadline = earlier(start.Add(max(r.longest, within)), moved.Add(within+every))
		}
		left := deadline.Sub(r.clock.Now())
		if left <= 0 {
			break
		}
		for _, m := range members {
			r.tell(m, PhaseWaiting, worst(m.findings))
		}
		if !r.clock.Sleep(ctx, min(every, left)) {
			r.interrupt(ctx, members)
			return
		}
		since = r.clock.Now().Add(-min(every, left) / 2)
	}
	for _, m := range members {
		m.conclude()
	}
}

func (r *run) limits(members []*member) (within, every time.Duration) {
	for _, m := range members {
		w := cmp.Or(m.check.Within, r.within)
		if r.longest == 0 {
			w = 0
		}
		within = max(within, w)
		e := cmp.Or(m.check.Every, r.every)
		if every == 0 || e < every {
			every = e
		}
	}
	return within, every
}

// round asks every member once, at the same time. False: ctx ended, and nothing of the
// round is kept.
func (r *run) round(ctx context.Context, members []*member, since time.Time) bool {
	answers := make([][]Finding, len(members))
	var wg sync.WaitGroup
	for i, m := range members {
		wg.Go(func() { answers[i] = r.once(withFreshness(ctx, since), m.check) })
	}
	wg.Wait()
	if ctx.Err() != nil {
		return false
	}
	for i, m := range members {
		m.take(answers[i], r.clock.Now())
	}
	return true
}

// once asks a check one time, in one of the slots.
func (r *run) once(ctx context.Context, c Check) []Finding {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, attemptLimit)
	defer cancel()
	answer := make(chan []Finding, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				answer <- []Finding{Unknown("internal", "internal error in check %s", c.ID).Seen(fmt.Sprint(p))}
			}
		}()
		answer <- c.Run(ctx)
	}()
	select {
	case f := <-answer:
		return f
	case <-ctx.Done():
	}
	select {
	case f := <-answer:
		return f
	case <-time.After(goodbye):
		f := Unknown("no-answer", "there was no answer within %s: a plugin of the kubeconfig, or a proxy on the way, may hang", attemptLimit)
		f.Stops = true // what stands on it would hang as well
		return []Finding{f}
	}
}

// interrupt settles members whose asking ended with the context.
func (r *run) interrupt(ctx context.Context, members []*member) {
	for _, m := range members {
		m.took = r.clock.Now().Sub(m.start)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && m.findings != nil {
			m.conclude()
			continue
		}
		cause, said := "cancelled", "cancelled before there was an answer"
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			cause, said = "deadline", "there was no time left to look"
		}
		f := Unknown(cause, "%s", said)
		if last := worst(m.findings); last.Summary != "" {
			f = f.Seen("last seen: " + last.Summary).Seen(last.Evidence...)
		}
		m.findings = []Finding{f}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
