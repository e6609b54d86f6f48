// Package test holds the whole-program tests: each script under scripts/ is one story,
// told with the real surespray, the real ansible-core and, below scripts/lab, a real
// control plane.
package test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/surespray/surespray/test/lab"
)

// binary builds surespray once for all scripts.
func binary(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "surespray"), "github.com/surespray/surespray/cmd/surespray")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// ansible is the bin directory of a virtual environment that make test prepared.
func ansible(t *testing.T, variable string) string {
	t.Helper()
	venv := os.Getenv(variable)
	if venv == "" {
		t.Skipf("%s names no virtual environment with ansible-core; make test sets it", variable)
	}
	return filepath.Join(venv, "bin")
}

func setup(t *testing.T, more ...string) func(*testscript.Env) error {
	t.Helper()
	checkout, err := filepath.Abs("checkout")
	if err != nil {
		t.Fatal(err)
	}
	bin, venv, older := binary(t), ansible(t, "SURESPRAY_TEST_ANSIBLE_219"), ansible(t, "SURESPRAY_TEST_ANSIBLE_218")
	return func(env *testscript.Env) error {
		path := bin + string(os.PathListSeparator) + venv + string(os.PathListSeparator) + env.Getenv("PATH")
		env.Setenv("PATH", path)
		env.Setenv("CHECKOUT", checkout)
		env.Setenv("BIN", bin)
		env.Setenv("ANSIBLE", venv)
		env.Setenv("ANSIBLE218", older)
		env.Setenv("LANG", "C.UTF-8")
		env.Setenv("NO_COLOR", "1")
		env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
		env.Setenv("TMPDIR", filepath.Join(env.WorkDir, ".tmp"))
		env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
		for i := 0; i+1 < len(more); i += 2 {
			env.Setenv(more[i], more[i+1])
		}
		// Another user may run what is here: one script plays a container.
		for _, dir := range []string{bin, filepath.Dir(bin), env.WorkDir, filepath.Dir(env.WorkDir)} {
			if err := os.Chmod(dir, 0o755); err != nil {
				return err
			}
		}
		return os.MkdirAll(env.Getenv("HOME"), 0o755)
	}
}

// TestAnsible tells the stories that need no cluster.
func TestAnsible(t *testing.T) {
	if testing.Short() {
		t.Skip("real ansible-core is not for -short")
	}
	testscript.Run(t, testscript.Params{
		Dir: "scripts/ansible", Setup: setup(t), Cmds: commands(nil), RequireExplicitExec: true, RequireUniqueNames: true,
		Condition: func(name string) (bool, error) { return name == "root" && os.Getuid() == 0, nil },
	})
}

// TestLab tells the stories on a real control plane. They share one, one after the other.
func TestLab(t *testing.T) {
	if testing.Short() {
		t.Skip("a real control plane is not for -short")
	}
	ready := setup(t)
	l, err := lab.Start(t.Context(), lab.Options{Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Stop(); err != nil {
			t.Error(err)
		}
	}()
	for _, script := range scripts(t, "scripts/lab") {
		testscript.RunT(sequential{t}, testscript.Params{
			Files: []string{script}, Cmds: commands(l), RequireExplicitExec: true, RequireUniqueNames: true,
			Setup: func(env *testscript.Env) error {
				env.Setenv("KUBECONFIG", l.Kubeconfig())
				env.Setenv("INVENTORY", l.Inventory())
				return ready(env)
			},
		})
	}
}

// sequential runs scripts one after the other: testscript would run them in parallel.
type sequential struct{ *testing.T }

func (s sequential) Parallel()     {}
func (s sequential) Verbose() bool { return testing.Verbose() }
func (s sequential) Run(name string, f func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { f(sequential{t}) })
}

func scripts(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts in %s (%v)", dir, err)
	}
	return all
}

// commands are what scripts can do besides testscript's own.
func commands(l *lab.Lab) map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		// exits CODE COMMAND...: runs a command and insists on its exit code.
		"exits": func(ts *testscript.TestScript, negated bool, args []string) {
			positive(ts, negated)
			err := ts.Exec(args[1], args[2:]...)
			got := "0"
			if exit, ok := err.(*exec.ExitError); ok { //nolint:errorlint // Exec returns it bare
				got = fmt.Sprint(exit.ExitCode())
			} else if err != nil {
				ts.Fatalf("%v", err)
			}
			if got != args[0] {
				ts.Fatalf("exit code %s, want %s", got, args[0])
			}
		},
		// within SECONDS COMMAND...: tries a command until it succeeds.
		"within": func(ts *testscript.TestScript, negated bool, args []string) {
			positive(ts, negated)
			d, err := time.ParseDuration(args[0] + "s")
			ts.Check(err)
			for end := time.Now().Add(d); ; time.Sleep(300 * time.Millisecond) {
				if err = ts.Exec(args[1], args[2:]...); err == nil || time.Now().After(end) {
					break
				}
			}
			ts.Check(err)
		},
		"lab": func(ts *testscript.TestScript, negated bool, args []string) {
			positive(ts, negated)
			ts.Check(control(l, args))
		},
	}
}

// positive refuses "! COMMAND": these commands fail by themselves.
func positive(ts *testscript.TestScript, negated bool) {
	if negated {
		ts.Fatalf("the command cannot be negated")
	}
}

// control does to the lab what a script asks for.
func control(l *lab.Lab, args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	switch args[0] {
	case "kubectl":
		_, err := l.Kubectl(ctx, "", args[1:]...)
		return err
	case "hold":
		l.HoldPods(true)
		l.KillPods()
	case "release":
		l.HoldPods(false)
	case "stop":
		l.StopProcess(args[1])
	case "start":
		return l.StartProcess(ctx, args[1])
	case "remove-metrics-server":
		_, err := l.Kubectl(ctx, "", "-n", "kube-system", "delete", "--ignore-not-found", "--wait", "deployment/metrics-server",
			"service/metrics-server", "apiservice/v1beta1.metrics.k8s.io")
		return err
	default:
		return fmt.Errorf("lab: no such command: %s", strings.Join(args, " "))
	}
	return nil
}
