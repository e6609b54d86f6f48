package settings

import (
	"errors"
	"fmt"
)

// Codes of an Error.
const (
	CodeUnknownKey = "settings-unknown-key"
	CodeInvalid    = "settings-invalid"
	CodeExpired    = "accept-expired"
)

// Error is one thing that is wrong in a settings file.
type Error struct {
	File    string // as the user reaches it
	Line    int    // from 1
	Code    string // one of the constants above
	Message string // what is wrong
	Fix     string // the next step
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.Message, e.Fix)
}

// Problems takes apart what Read returned.
func Problems(err error) []*Error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return nil
	}
	var out []*Error
	for _, e := range joined.Unwrap() {
		var one *Error
		if errors.As(e, &one) {
			out = append(out, one)
		}
	}
	return out
}

// join is nil for no problems.
func join(problems []*Error) error {
	list := make([]error, len(problems))
	for i, p := range problems {
		list[i] = p
	}
	return errors.Join(list...)
}

// problem notes what is wrong. What nobody can place stands at the first line.
func (r *reader) problem(line int, code, fix, format string, args ...any) {
	r.problems = append(r.problems, &Error{File: r.file, Line: max(line, 1), Code: code, Message: fmt.Sprintf(format, args...), Fix: fix})
}
