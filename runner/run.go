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

	private *PrivateDir
}

// Open makes the private directory with the event plugin in it.
func (r *Runner) Open() error {
	if r.Environ == nil {
		r.Environ = os.Environ()
	}
	private, err := NewPrivateDir(PrivateBase(func(k string) string { return lookup(r.Environ, k) }))
	if err != nil {
		return err
	}
	r.private = private
	if err := r.writePlugin(); err != nil {
		return errors.Join(err, r.Close())
	}
	return nil
}

func (r *Runner) writePlugin() error {
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

// writeExtraVars makes a directory for one call of Ansible, with the plan's extra vars.
func (r *Runner) writeExtraVars(name string, p Plan) (dir string, args []string, err error) {
	if dir, err = r.private.Sub(name); err != nil {
		return "", nil, fmt.Errorf("making the private directory: %w", err)
	}
	if args, err = p.ExtraVars.Write(dir); err != nil {
		return "", nil, fmt.Errorf("writing extra vars: %w", err)
	}
	return dir, args, nil
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
	o := Outcome{Start: time.Now(), Inert: p.Flags.Inert()}
	dir, extraVars, err := r.writeExtraVars("run", p)
	if err != nil {
		return o, err
	}
	events := filepath.Join(dir, "events.jsonl")
	recap := &recapReader{}
	streams := r.Streams
	if !IsTerminal(streams.Out) {
		streams.Out = io.MultiWriter(&lossy{to: streams.Out}, recap)
	}
	c := &child{
		cmd: p.command(extraVars), dir: p.Dir, env: r.environ(p, events),
		streams: streams, grace: r.Grace, kill: r.Kill,
	}
	if c.grace == 0 {
		c.grace = 30 * time.Second
	}
	err = c.Execute(ctx)
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

// HasTerminal reports whether there is a terminal that Ansible or ssh may ask questions
// on, even where stdin is none: they open it themselves.
func HasTerminal() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
