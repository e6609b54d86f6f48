package runner

import "fmt"

// PreflightError says why a run cannot start, and what to do next.
type PreflightError struct {
	What string
	Next string
	Err  error // what is below it, if anything
}

func (e *PreflightError) Error() string {
	switch {
	case e.Err == nil:
		return e.What
	case e.What == "":
		return e.Err.Error()
	}
	return e.What + ": " + e.Err.Error()
}

// Unwrap returns what is below.
func (e *PreflightError) Unwrap() error { return e.Err }

func preflight(next, format string, args ...any) error {
	return &PreflightError{What: fmt.Sprintf(format, args...), Next: next}
}
