package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/apenella/go-ansible/v2/pkg/execute"
	"github.com/apenella/go-ansible/v2/pkg/execute/configuration"
)

// Streams are the standard streams of a process that we start.
type Streams struct {
	In       io.Reader // nil: nothing to read
	Out, Err io.Writer
	// Terminal says that there is a terminal to ask questions on. The process then stays
	// in our process group, or it could not, and the terminal's own Ctrl-C reaches it.
	Terminal bool
}

// child is a process with its descendants, as go-ansible's Executor. It copies
// output byte by byte, tells the exit code, and on cancellation ends everything that
// was started.
type child struct {
	cmd     execute.Commander
	dir     string
	env     []string
	streams Streams
	grace   time.Duration   // between the interrupt and the kill
	kill    <-chan struct{} // closed: do not wait for grace to end

	exitCode int
	signal   string
}

var _ configuration.ExecutorEnvVarSetter = (*child)(nil)

// AddEnvVar sets an environment variable of the process.
func (p *child) AddEnvVar(key, value string) { p.env = append(p.env, key+"="+value) }

// Execute runs the process to its end. A non-zero exit is no error: it is in exitCode
// and signal. The error of a cancelled context is its cause.
func (p *child) Execute(ctx context.Context) error {
	argv, err := p.cmd.Command()
	if err != nil {
		return err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.streams.In, p.streams.Out, p.streams.Err
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !p.streams.Terminal}
	// A daemon that keeps our pipe open (an ssh master) must not keep us waiting.
	cmd.WaitDelay = 2 * time.Second
	adoptOrphans()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", argv[0], err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = p.end(cmd.Process.Pid, done, context.Cause(ctx))
		if stop := p.record(cmd.ProcessState, err); stop != nil {
			return stop
		}
		return context.Cause(ctx)
	}
	return p.record(cmd.ProcessState, err)
}

func (p *child) record(state *os.ProcessState, err error) error {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("waiting for the process: %w", err)
	}
	if state == nil {
		return nil
	}
	p.exitCode = state.ExitCode()
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		p.signal = ws.Signal().String()
	}
	return nil
}

// againAfter is how long Ansible gets to obey the terminal's interrupt before we take it
// that there was none.
const againAfter = 5 * time.Second

// end interrupts the process once, waits for it to finish its own way, and kills what
// is left of it and of its descendants.
func (p *child) end(pid int, done <-chan error, cause error) error {
	tree := newTree(pid)
	// On a terminal the kernel has sent the interrupt already, as a rule; a second one
	// would make Ansible drop everything.
	again := time.NewTimer(againAfter)
	defer again.Stop()
	if !p.streams.Terminal || !IsInterrupt(cause) {
		tree.interrupt(!p.streams.Terminal)
		again.Stop()
	}
	grace := time.NewTimer(p.grace)
	defer grace.Stop()
	for kill := p.kill; ; {
		select {
		case err := <-done:
			tree.kill() // whoever outlived the leader
			return err
		case <-again.C: // the interrupt was for us alone
			tree.interrupt(false)
		case <-grace.C:
			tree.kill()
		case <-kill:
			kill = nil
			tree.kill()
		}
	}
}
