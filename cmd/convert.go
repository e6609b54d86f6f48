package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/report"
)

// reportAnsible is Ansible's outcome as the report tells it.
func reportAnsible(o runner.Outcome) *report.Ansible {
	a := &report.Ansible{
		ExitCode: o.ExitCode, Class: string(o.Class()), Summary: o.Summary(), LastTask: o.LastTask.Name,
		TookMS: o.End.Sub(o.Start).Milliseconds(), Hosts: map[string]report.Host{}, Failures: []report.Failure{}, Plays: []report.Play{},
	}
	for name, h := range o.Hosts {
		a.Hosts[name] = report.Host(h)
	}
	for _, f := range o.Failures {
		a.Failures = append(a.Failures, report.Failure{
			Host: f.Host, Task: f.Task, Path: f.Path, Message: f.Message, Ignored: f.Ignored, Unreachable: f.Unreachable,
		})
	}
	for _, p := range o.Plays {
		a.Plays = append(a.Plays, report.Play{Name: p.Name, NoHosts: p.NoHosts, Tasks: p.Tasks})
	}
	return a
}

// outcomeError says why a run did not succeed; nil when it did.
func outcomeError(ctx context.Context, o runner.Outcome, p runner.Plan) error {
	if o.Cancelled {
		return fmt.Errorf("%s: %w", o.Summary(), context.Cause(ctx))
	}
	code := o.ExitStatus()
	if code == exitOK {
		return nil
	}
	return exitError{code: code, what: o.Summary(), next: outcomeNext(o, p)}
}

func outcomeNext(o runner.Outcome, p runner.Plan) string {
	switch o.Class() {
	case runner.ClassNothingRan:
		if p.Flags.Has("start-at-task") {
			return "check the name given to --start-at-task; surespray run --list-tasks shows them"
		}
		if len(p.Flags.Tags("tags")) > 0 {
			return fmt.Sprintf("check the switch of what --tags %s installs, --limit and --skip-tags", strings.Join(p.Flags.Tags("tags"), ","))
		}
		return "check -i and the group names"
	case runner.ClassUnreachable:
		return "repair the host, or take it out of the inventory or of --limit, and run again"
	case runner.ClassFailed:
		if f, ok := o.FirstFailure(); ok && f.Path != "" {
			return "look at " + f.Path + " and at the message above, mend it, and run again"
		}
	}
	return ""
}

// reportFindings are findings on extra vars as the report tells them.
func reportFindings(findings []extravars.Finding) []report.Finding {
	var out []report.Finding
	for _, f := range findings {
		arg := f.Arg
		out = append(out, report.Finding{
			Severity: string(f.Severity), Code: f.Code, Key: f.Key, Message: f.Message, File: f.File, Line: f.Line, Arg: &arg, Fix: f.Fix,
		})
	}
	return out
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
