package cmd

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/report"
)

// The exit codes of surespray; those of Ansible (1, 2, 4, 5, 99, 250) come before them.
const (
	exitOK           = 0
	exitUnreachable  = 4
	exitUsage        = 64
	exitAudit        = 65
	exitNothingRan   = 66
	exitPreflight    = 69
	exitInternal     = 70
	exitVerifyFailed = report.CodeVerifyFailed
	exitInconclusive = report.CodeInconclusive
	exitTerminated   = 143
)

// ExitInterrupted is the exit code of a run that a signal ended.
const ExitInterrupted = 130

// usageError is a mistake in the arguments.
type usageError struct {
	err  error
	next string
}

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(next, format string, args ...any) error {
	return usageError{err: fmt.Errorf(format, args...), next: next}
}

// exitError ends a command with a code of its own.
type exitError struct {
	code int
	what string
	next string
}

func (e exitError) Error() string { return e.what }

// exitOf maps an error to the end of the program: the one place that knows them all.
func exitOf(err error) report.Exit {
	var (
		usage      usageError
		own        exitError
		vars       *extravars.UsageError
		cannot     *runner.PreflightError
		ambiguous  *kubespray.AmbiguousError
		unknown    *kubespray.UnknownAddonError
		manyAddons *kubespray.AmbiguousAddonError
		signal     runner.Interrupted
	)
	switch {
	case err == nil:
		return report.Exit{Code: exitOK, Category: category(exitOK)}
	case errors.As(err, &signal), errors.Is(err, context.Canceled):
		return ended(signalCode(signal), err, "")
	case errors.As(err, &own):
		return ended(own.code, err, own.next)
	case errors.As(err, &usage):
		return ended(exitUsage, err, usage.next)
	case errors.As(err, &vars):
		return ended(exitUsage, err, vars.Next)
	case errors.As(err, &ambiguous), errors.As(err, &unknown), errors.As(err, &manyAddons):
		return ended(exitUsage, err, "")
	case errors.As(err, &cannot):
		return ended(exitPreflight, err, cannot.Next)
	case isCheckoutError(err):
		return ended(exitPreflight, err, "")
	}
	return ended(exitInternal, err, "")
}

func isCheckoutError(err error) bool {
	var (
		none     *kubespray.NoCheckoutError
		not      *kubespray.NotACheckoutError
		playbook *kubespray.PlaybookError
	)
	return errors.As(err, &none) || errors.As(err, &not) || errors.As(err, &playbook)
}

func signalCode(i runner.Interrupted) int {
	if i.Signal == syscall.SIGTERM {
		return exitTerminated
	}
	return ExitInterrupted
}

func ended(code int, err error, next string) report.Exit {
	return report.Exit{Code: code, Category: category(code), Message: err.Error(), Next: next}
}

// category is the word of the design for an exit code.
func category(code int) string {
	switch code {
	case exitOK:
		return "ok"
	case exitUnreachable:
		return "unreachable"
	case exitUsage:
		return "usage"
	case exitAudit:
		return "audit"
	case exitNothingRan:
		return "nothing-ran"
	case exitPreflight:
		return "preflight"
	case exitInternal:
		return "internal"
	case exitVerifyFailed:
		return "verify-failed"
	case exitInconclusive:
		return "inconclusive"
	case ExitInterrupted, exitTerminated:
		return "cancelled"
	}
	return "playbook"
}
