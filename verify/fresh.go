package verify

import (
	"context"
	"time"
)

type freshKey struct{}

func withFreshness(ctx context.Context, since time.Time) context.Context {
	return context.WithValue(ctx, freshKey{}, since)
}

// FreshSince returns the time before which nothing may have been read that an answer
// rests on. All checks of one round have the same, and share what they read; a later
// round looks again. False: the engine did not call, and nothing may be shared.
func FreshSince(ctx context.Context) (time.Time, bool) {
	t, ok := ctx.Value(freshKey{}).(time.Time)
	return t, ok
}
