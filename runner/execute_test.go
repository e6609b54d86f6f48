package runner

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func shell(script string, grace time.Duration) (*child, *bytes.Buffer) {
	var out bytes.Buffer
	return &child{
		cmd: command{binary: "/bin/sh", flags: []string{"-c", script}}, env: os.Environ(),
		streams: Streams{Out: &out, Err: &out}, grace: grace,
	}, &out
}

func TestExecuteTellsHowItEnded(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		code         int
		signal       string
		out          string
	}{
		{"success, output byte by byte", `printf 'a\rb'`, 0, "", "a\rb"},
		{"exit code", "exit 4", 4, "", ""},
		{"signal", "kill -TERM $$", -1, "terminated", ""},
		{"a daemon that keeps the pipe", "sleep 30 & exit 3", 3, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, out := shell(tt.script, time.Second)
			if err := c.Execute(t.Context()); err != nil {
				t.Fatal(err)
			}
			if c.exitCode != tt.code || c.signal != tt.signal || out.String() != tt.out {
				t.Errorf("got %d %q %q, want %d %q %q", c.exitCode, c.signal, out, tt.code, tt.signal, tt.out)
			}
		})
	}
}

func TestExecuteSaysWhatCannotStart(t *testing.T) {
	c := &child{cmd: command{binary: "/nonexistent/ansible-playbook"}}
	if err := c.Execute(t.Context()); err == nil || !strings.Contains(err.Error(), "/nonexistent/ansible-playbook") {
		t.Errorf("error %v does not name the program", err)
	}
}

// A worker of ansible-core 2.19 has a session of its own and may outlive its parent.
// Nothing may be left, whether the leader obeys the interrupt or not.
func TestCancelLeavesNoDescendant(t *testing.T) {
	for name, leader := range map[string]string{
		"leader obeys":   `trap 'exit 99' INT`,
		"leader ignores": `trap '' INT`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c, _ := shell(leader+`
				python3 -c '
import os, sys, time
os.setsid()
if os.fork(): time.sleep(300)
open(sys.argv[1], "w").write("%d %d" % (os.getpid(), os.getppid()))
os.rename(sys.argv[1], sys.argv[2])
time.sleep(300)' "$1" "$2" &
				while :; do sleep 0.1; done`, time.Second)
			ready := filepath.Join(dir, "pids")
			c.cmd = command{binary: "/bin/sh", flags: append(c.cmd.(command).flags, "sh", filepath.Join(dir, "tmp"), ready)}
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				for end := time.Now().Add(30 * time.Second); !exists(ready) && time.Now().Before(end); {
					time.Sleep(10 * time.Millisecond)
				}
				cancel(Interrupted{syscall.SIGTERM})
			}()
			if err := c.Execute(ctx); !errors.Is(err, Interrupted{syscall.SIGTERM}) {
				t.Errorf("error %v, want the cause", err)
			}
			content, err := os.ReadFile(ready)
			if err != nil {
				t.Fatal(err)
			}
			for field := range strings.FieldsSeq(string(content)) {
				pid, _ := strconv.Atoi(field)
				if alive(pid) {
					t.Errorf("descendant %d is still alive", pid)
				}
			}
		})
	}
}

// What hangs in our own process group is ended; what Ansible left in another is not, and
// neither is what was there before.
func TestGuardEndsOnlyWhatCameSince(t *testing.T) {
	start := func(own bool) *exec.Cmd {
		cmd := exec.Command("sleep", "60")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: own}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd
	}
	older := start(false)
	end := Guard()
	plugin, daemon := start(false), start(true)
	end()
	if alive(plugin.Process.Pid) {
		t.Error("the plugin still runs")
	}
	for name, cmd := range map[string]*exec.Cmd{"older": older, "daemon": daemon} {
		if syscall.Kill(cmd.Process.Pid, 0) != nil {
			t.Errorf("%s was ended", name)
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			t.Errorf("%s was ended", name)
		}
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// alive reports whether a process runs; one that was killed may take a moment to go.
func alive(pid int) bool {
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return false
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return false
		}
		time.Sleep(20 * time.Millisecond)
	}
	return true
}
