package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// proc is one running program of the lab.
type proc struct {
	name string
	argv []string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// procs starts and ends programs, and keeps a file of those that run, so that the next
// start can sweep what a killed lab left.
type procs struct {
	dir string // of the lab

	mu      sync.Mutex
	running map[string]*proc
}

// record is a running program in the file.
type record struct {
	PID  int32 `json:"pid"`
	Born int64 `json:"born"` // milliseconds since 1970, so that a reused pid is not ours
}

// recordOf is the record of a running process.
func recordOf(pid int32) (record, error) {
	p, err := process.NewProcess(pid)
	if err != nil {
		return record{}, err
	}
	born, err := p.CreateTime()
	return record{PID: pid, Born: born}, err
}

// alive reports whether the process of the record still runs. The time of its start is
// counted from the machine's, which moves when the clock is set: two seconds are forgiven.
func (r record) alive() bool {
	now, err := recordOf(r.PID)
	const forgiven = 2000
	return err == nil && max(now.Born-r.Born, r.Born-now.Born) < forgiven
}

func (ps *procs) log(name string) string { return filepath.Join(ps.dir, "logs", name+".log") }

// start runs a program in a process group of its own; what it prints goes to its log.
func (ps *procs) start(name string, argv ...string) (*proc, error) {
	out, err := os.OpenFile(ps.log(name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return ps.startTo(name, out, argv...)
}

// startTo is start with an output of one's own, which is closed at the end.
func (ps *procs) startTo(name string, out io.WriteCloser, argv ...string) (*proc, error) {
	p := &proc{name: name, argv: argv, cmd: exec.Command(argv[0], argv[1:]...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.Dir = ps.dir
	p.cmd.Env = append(os.Environ(), "HTTPS_PROXY=", "HTTP_PROXY=", "https_proxy=", "http_proxy=")
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, errors.Join(err, out.Close()))
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		_ = out.Close()
		close(p.done)
	}()
	ps.mu.Lock()
	defer ps.mu.Unlock()
	ps.running[name] = p
	return p, ps.save()
}

// stop ends a program: SIGTERM, and SIGKILL after grace.
func (ps *procs) stop(name string, grace time.Duration) {
	ps.mu.Lock()
	p := ps.running[name]
	delete(ps.running, name)
	_ = ps.save()
	ps.mu.Unlock()
	if p == nil {
		return
	}
	select {
	case <-p.done: // by itself: its number may be another's by now
		return
	default:
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(grace):
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.done
	}
	awaitGroup(p.cmd.Process.Pid)
}

// awaitGroup waits until the last process of a group is gone: nsenter ends before the
// program that it started, which has the port for another moment. A machine whose init
// takes up no orphans keeps them for ever; so not for long.
func awaitGroup(group int) {
	deadline := time.NewTimer(2 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for syscall.Kill(-group, 0) == nil {
		select {
		case <-tick.C:
		case <-deadline.C:
			return
		}
	}
}

func (ps *procs) get(name string) *proc {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return ps.running[name]
}

func (ps *procs) names() []string {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return slices.Collect(maps.Keys(ps.running))
}

// save writes the file of running programs; the caller holds the lock.
func (ps *procs) save() error {
	var all []record
	for _, p := range ps.running {
		if r, err := recordOf(int32(p.cmd.Process.Pid)); err == nil {
			all = append(all, r)
		}
	}
	content, err := json.Marshal(all)
	if err != nil {
		return err
	}
	path := filepath.Join(ps.dir, processesFile)
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

const processesFile = "processes.json"

// await asks until ready is nil. It gives up after a minute, when ctx ends or the program
// p does, with the last reason and the end of the program's log.
func (ps *procs) await(ctx context.Context, p *proc, what string, ready func(context.Context) error) error {
	const within = time.Minute // far more than any start takes
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	last := error(nil)
	for {
		if last = ready(ctx); last == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-p.done:
			return fmt.Errorf("waiting for %s: %s ended (%v):\n%s", what, p.name, p.cmd.ProcessState, ps.tail(p.name))
		case <-ctx.Done():
			return fmt.Errorf("waiting %s for %s: %w\n%s", within, what, last, ps.tail(p.name))
		}
	}
}

// tail is the end of a program's log.
func (ps *procs) tail(name string) string {
	content, err := os.ReadFile(ps.log(name))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
