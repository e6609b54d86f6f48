package cluster

import (
	"context"
	"sync"
	"time"

	"github.com/surespray/surespray/verify"
)

// shared keeps what was read, so that checks of one round read each thing once. An entry
// is used as long as its reading began after the time that verify.FreshSince asks for.
type shared struct {
	mu      sync.Mutex
	entries map[string]*entry
	now     func() time.Time // the engine's clock; nil: this machine's
}

type entry struct {
	began time.Time
	done  chan struct{}
	value any
	err   error
	cut   bool // the reader's own context ended
}

// Share returns what read returns, or what another caller with the same key read since
// the time that verify.FreshSince(ctx) asks for. A reading that is under way is waited
// for. Outside an engine nothing is shared.
func Share[T any](ctx context.Context, c *Cluster, key string, read func(context.Context) (T, error)) (T, error) {
	since, ok := verify.FreshSince(ctx)
	if !ok {
		return read(ctx)
	}
	for {
		e, mine := c.shared.entry(key, since)
		if mine {
			return fill(ctx, e, read)
		}
		select {
		case <-e.done:
		case <-ctx.Done():
			var none T
			return none, c.wrap(ctx.Err(), verify.Access{}, "")
		}
		if e.cut && ctx.Err() == nil {
			c.shared.drop(key, e) // who read for us was cut off; we are not
			continue
		}
		v, _ := e.value.(T)
		return v, e.err
	}
}

// entry returns the entry to wait for, or a new one that the caller must fill.
func (s *shared) entry(key string, since time.Time) (e *entry, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil && !e.began.Before(since) {
		return e, false
	}
	if s.entries == nil {
		s.entries = map[string]*entry{}
	}
	e = &entry{began: s.time(), done: make(chan struct{})}
	s.entries[key] = e
	return e, true
}

func (s *shared) time() time.Time {
	if s.now != nil {
		return s.now()
	}
	return time.Now()
}

func (s *shared) drop(key string, e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[key] == e {
		delete(s.entries, key)
	}
}

// fill reads for all who wait. A panic leaves them an entry that was cut off.
func fill[T any](ctx context.Context, e *entry, read func(context.Context) (T, error)) (v T, err error) {
	e.cut = true
	defer close(e.done)
	v, err = read(ctx)
	e.value, e.err, e.cut = v, err, ctx.Err() != nil
	return v, err
}
