package lab

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a living lab or somebody else has is neither taken nor removed.
func TestClaim(t *testing.T) {
	foreign := t.TempDir()
	file := filepath.Join(foreign, "precious")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	living, _, err := claim(filepath.Join(t.TempDir(), "living"))
	if err != nil {
		t.Fatal(err)
	}
	if !Running(living) || Running(foreign) {
		t.Errorf("Running: %v for a living lab, %v for a foreign directory", Running(living), Running(foreign))
	}
	for dir, want := range map[string]string{foreign: "no lab's", living: "already"} {
		l := &Lab{Dir: dir, stopPods: func() {}}
		if err := l.prepare(t.Context(), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", dir, err, want)
		}
		if err := l.Stop(); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{file, filepath.Join(living, lockFile)} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// victimEnv makes the test program a lab in the directory that it names, for TestKilledLab.
const (
	victimEnv     = "SURESPRAY_TEST_LAB_VICTIM"
	victimRealEnv = "SURESPRAY_TEST_LAB_VICTIM_REAL" // with real nodes
)

func TestMain(m *testing.M) {
	dir := os.Getenv(victimEnv)
	if dir == "" {
		os.Exit(m.Run())
	}
	o := Options{Dir: dir, Nodes: 1, Log: os.Stderr}
	if os.Getenv(victimRealEnv) != "" {
		o.RealNodes = 2
	}
	if _, err := Start(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("started")
	select {}
}

// The programs of a lab outlive a SIGKILL of its process, and its directory does; the
// next sweep ends and removes them.
func TestKilledLab(t *testing.T) {
	if testing.Short() {
		t.Skip("a real control plane is not for -short")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	dir := killLab(ctx, t)
	if left, _ := exec.Command("pgrep", "-f", dir).Output(); len(left) == 0 {
		t.Error("nothing was left to sweep")
	}
	if !SweepDir(dir) {
		t.Error("the dead lab was not swept")
	}
	eventually(t, 5*time.Second, func() error { // the kernel takes its time to end them
		if left, _ := exec.Command("pgrep", "-fl", dir).Output(); len(left) > 0 {
			return fmt.Errorf("still there:\n%s", left)
		}
		return nil
	})
	assertGone(t, dir)
}

// killLab starts a lab in a process of its own, kills that, and returns the lab's directory.
func killLab(ctx context.Context, t *testing.T, env ...string) string {
	t.Helper()
	// Not a name that a lab of another test would sweep before this one looks.
	dir, err := os.MkdirTemp("", "killed-lab-")
	if err != nil {
		t.Fatal(err)
	}
	victim := exec.CommandContext(ctx, os.Args[0])
	victim.Env = append(append(os.Environ(), victimEnv+"="+dir), env...)
	victim.Stderr = os.Stderr
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	started := bufio.NewScanner(out).Scan()
	_ = victim.Process.Kill()
	_ = victim.Wait() // killed
	if !started {
		t.Fatal("no lab was started")
	}
	return dir
}
