// Package runner is everything that starts a process: it finds or makes the Ansible
// environment, asks Ansible for effective values, and runs ansible-playbook and tells
// how it ended. A Plan says what will be done; a Runner does it.
package runner

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"
)

//go:embed callback/surespray_events.py
var callbackFile embed.FS

const callbackName = "surespray_events.py"

// Runner carries out one plan. Close it, whatever happened.
type Runner struct {
	Streams Streams
	Grace   time.Duration   // for Ansible to end after an interrupt; 0: 30 seconds
	Kill    <-chan struct{} // closed: wait no longer
	Environ []string        // of the processes; nil: our own

	private   *PrivateDir
	extraVars []string // -e @FILE …
}

// Open makes the private directory and writes the plan's extra vars into it.
func (r *Runner) Open(p Plan) error {
	if r.Environ == nil {
		r.Environ = os.Environ()
	}
	private, err := NewPrivateDir(PrivateBase(func(k string) string { return lookup(r.Environ, k) }))
	if err != nil {
		return err
	}
	r.private = private
	if err := r.write(p); err != nil {
		return errors.Join(err, r.Close())
	}
	return nil
}

func (r *Runner) write(p Plan) error {
	vars, err := r.private.Sub("vars")
	if err != nil {
		return fmt.Errorf("making the private directory: %w", err)
	}
	if r.extraVars, err = p.ExtraVars.Write(vars); err != nil {
		return fmt.Errorf("writing extra vars: %w", err)
	}
	plugins, err := r.private.Sub("plugins")
	if err != nil {
		return fmt.Errorf("making the private directory: %w", err)
	}
	content, err := callbackFile.ReadFile("callback/" + callbackName)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(plugins, callbackName), content, 0o600); err != nil {
		return fmt.Errorf("writing the event plugin: %w", err)
	}
	return nil
}

// Close removes what Open made.
func (r *Runner) Close() error {
	if r.private == nil {
		return nil
	}
	return r.private.Remove()
}

// Run starts ansible-playbook and waits for its end. The error says that we failed;
// how Ansible ended is the Outcome's. When ctx is cancelled, Ansible is interrupted, and
// everything it started has ended when Run returns, with an Outcome of what had run.
func (r *Runner) Run(ctx context.Context, p Plan) (Outcome, error) {
	o := Outcome{Start: time.Now()}
	events := filepath.Join(r.private.Path, "events.jsonl")
	recap := &recapReader{}
	streams := r.Streams
	if !IsTerminal(streams.Out) {
		streams.Out = io.MultiWriter(streams.Out, recap)
	}
	c := &child{
		cmd: p.command(r.extraVars), dir: p.Dir, env: r.environ(p, events),
		streams: streams, grace: r.Grace, kill: r.Kill,
	}
	if c.grace == 0 {
		c.grace = 30 * time.Second
	}
	err := c.Execute(ctx)
	o.End, o.ExitCode, o.Signal = time.Now(), c.exitCode, c.signal
	o.Cancelled = ctx.Err() != nil
	if err != nil && !o.Cancelled {
		return o, err
	}
	collect := collector{outcome: &o, wanted: p.Wants, tasks: map[string]*Task{}}
	if err := readEvents(events, collect.add); err != nil {
		return o, fmt.Errorf("reading Ansible's events: %w", err)
	}
	if !o.Events {
		recap.fill(&o)
	}
	return o, nil
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
