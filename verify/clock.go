package verify

import (
	"context"
	"sync"
	"time"
)

// Clock is the time that an Engine waits by.
type Clock interface {
	Now() time.Time
	// Sleep waits, and returns false when ctx ended before.
	Sleep(ctx context.Context, d time.Duration) bool
}

// wall is the time of this machine.
type wall struct{}

func (wall) Now() time.Time { return time.Now() }

func (wall) Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Simulated is a clock that stands still between two waits and costs no time: what
// happened over minutes is told again at once. NewSimulated makes one.
type Simulated struct {
	mu  sync.Mutex
	now time.Time
}

// NewSimulated returns a clock that shows start.
func NewSimulated(start time.Time) *Simulated { return &Simulated{now: start} }

// Now is the time that the clock shows.
func (s *Simulated) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Sleep moves the clock on.
func (s *Simulated) Sleep(ctx context.Context, d time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
	return ctx.Err() == nil
}
