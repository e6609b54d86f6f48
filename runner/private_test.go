package runner

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPrivateDirIsSweptAfterAKill(t *testing.T) {
	base := t.TempDir()
	killed, err := NewPrivateDir(base)
	if err != nil {
		t.Fatal(err)
	}
	_ = killed.lock.Close() // what the kernel does when a process dies
	alive, err := NewPrivateDir(base)
	if err != nil {
		t.Fatal(err)
	}
	next, err := NewPrivateDir(base)
	if err != nil {
		t.Fatal(err)
	}
	if exists(killed.Path) {
		t.Error("the dead run's directory is still there")
	}
	if !exists(alive.Path) {
		t.Error("a living run's directory was swept")
	}
	for _, d := range []*PrivateDir{alive, next} {
		if info, err := os.Stat(d.Path); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if err := d.Remove(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(base, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestUTF8Environ(t *testing.T) {
	for in, want := range map[string]string{
		"LC_ALL=C": "C.UTF-8", "LANG=en_US.UTF-8": "", "LANG=POSIX": "C.UTF-8", "LC_ALL=de_DE.utf8": "", "X=1": "C.UTF-8",
	} {
		env := utf8Environ([]string{in})
		got := lookup(env[1:], "LC_ALL")
		if got != want {
			t.Errorf("%s: LC_ALL %q, want %q", in, got, want)
		}
	}
}
