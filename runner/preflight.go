package runner

import "fmt"

// PreflightError says why a run cannot start, and what to do next.
type PreflightError struct {
	What string
	Next string
}

func (e *PreflightError) Error() string { return e.What }

func preflight(next, format string, args ...any) error {
	return &PreflightError{What: fmt.Sprintf(format, args...), Next: next}
}
