package runner

import (
	"errors"
	"os"
	"syscall"
)

// Interrupted is the cause of a context that a signal cancelled.
type Interrupted struct{ Signal os.Signal }

func (e Interrupted) Error() string { return "cancelled by " + e.Signal.String() }

// IsInterrupt reports whether the cause is the terminal's Ctrl-C.
func IsInterrupt(cause error) bool {
	var i Interrupted
	return errors.As(cause, &i) && i.Signal == syscall.SIGINT
}
