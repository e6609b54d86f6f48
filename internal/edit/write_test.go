package edit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteKeepsLinkAndMode(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	if err := os.Mkdir(kept, 0o755); err != nil {
		t.Fatal(err)
	}
	path := put(t, kept, "real.yml", "a: 1\nb: 2\n", 0o600)
	link := filepath.Join(dir, "all.yml")
	if err := os.Symlink("kept/real.yml", link); err != nil {
		t.Fatal(err)
	}
	// Both names are one file.
	set := plan(t, Change{link, 1, 4, "1", "x"}, Change{path, 2, 4, "2", "y"})
	if diff := cmp.Diff([]string{link}, set.Files()); diff != "" {
		t.Error(diff)
	}
	if err := set.Write(); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "kept/real.yml" {
		t.Errorf("the link became %q, %v", to, err)
	}
	if got := get(t, path); got != "a: x\nb: y\n" {
		t.Errorf("got %q", got)
	}
	if diff := cmp.Diff([]string{"real.yml"}, names(t, kept)); diff != "" {
		t.Error(diff)
	}
}

func TestWriteKeepsMode(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o644, 0o664, 0o755, 0o755 | fs.ModeSetgid} {
		path := put(t, t.TempDir(), "all.yml", "a\n", mode)
		if err := plan(t, Change{path, 1, 1, "a", "b"}).Write(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != mode {
			t.Errorf("got %v, %v; want %v", info.Mode(), err, mode)
		}
	}
}

func TestWriteKeepsOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may give files away")
	}
	path := put(t, t.TempDir(), "all.yml", "a\n", 0o640)
	if err := os.Chown(path, 1234, 2345); err != nil {
		t.Skipf("this root may not either: %v", err)
	}
	if err := plan(t, Change{path, 1, 1, "a", "b"}).Write(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	if stat.Uid != 1234 || stat.Gid != 2345 || info.Mode() != 0o640 {
		t.Errorf("got %d:%d %v", stat.Uid, stat.Gid, info.Mode())
	}
}

func TestWriteNewFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new.yml")
	mask := syscall.Umask(0o027)
	err := plan(t, Change{path, 1, 1, "", "a: 1\n"}, Change{path, 1, 1, "", "b: 2\n"}).Write()
	syscall.Umask(mask)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
	if got := get(t, path); got != "a: 1\nb: 2\n" {
		t.Errorf("got %q", got)
	}
}

// One of several files changed, came or went: none is written.
func TestWriteConflict(t *testing.T) {
	tests := map[string]func(first, second, third string) error{
		"changed": func(_, second, _ string) error { return os.WriteFile(second, []byte("b # mine\n"), 0o644) },
		"gone":    func(_, second, _ string) error { return os.Remove(second) },
		"came":    func(_, _, third string) error { return os.WriteFile(third, []byte("mine\n"), 0o644) },
		"moved": func(first, second, _ string) error {
			return errors.Join(os.Remove(second), os.Symlink(first, second))
		},
	}
	for name, meanwhile := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			first := put(t, dir, "1", "a\n", 0o644)
			second := put(t, dir, "2", "a\n", 0o644)
			third := filepath.Join(dir, "3")
			set := plan(t, Change{first, 1, 1, "a", "x"}, Change{second, 1, 1, "a", "x"}, Change{third, 1, 1, "", "x\n"})
			if err := meanwhile(first, second, third); err != nil {
				t.Fatal(err)
			}
			before := names(t, dir)
			var conflict *ConflictError
			if err := set.Write(); !errors.As(err, &conflict) || conflict.File == first {
				t.Errorf("got %v", err)
			}
			if get(t, first) != "a\n" {
				t.Error("the first file was written")
			}
			if diff := cmp.Diff(before, names(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWriteTwice(t *testing.T) {
	path := put(t, t.TempDir(), "all.yml", "a\n", 0o644)
	set := plan(t, Change{path, 1, 1, "a", "b"})
	if err := set.Write(); err != nil {
		t.Fatal(err)
	}
	var conflict *ConflictError
	if err := set.Write(); !errors.As(err, &conflict) {
		t.Errorf("got %v", err)
	}
}

// A file that cannot be written leaves the one before it as it was.
func TestWriteNotPermitted(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere; TestWriteNoRoom covers what stays behind")
	}
	tests := []struct {
		name      string
		dir, file os.FileMode
		want      string
	}{
		{"directory", 0o555, 0o644, "the right to write in that directory; nothing was changed"},
		{"file", 0o755, 0o444, "chmod u+w it, or run as its owner; nothing was changed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, closed := t.TempDir(), t.TempDir()
			first := put(t, dir, "1", "a\n", 0o644)
			second := put(t, closed, "2", "a\n", tt.file)
			set := plan(t, Change{first, 1, 1, "a", "x"}, Change{second, 1, 1, "a", "x"})
			if err := os.Chmod(closed, tt.dir); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(closed, 0o755) })
			err := set.Write()
			if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
			if get(t, first) != "a\n" || len(names(t, dir)) != 1 || len(names(t, closed)) != 1 {
				t.Error("something was changed or left behind")
			}
		})
	}
}

// A limit on the size of files stands for a full disk; it binds root too.
func TestWriteNoRoom(t *testing.T) {
	dir := t.TempDir()
	small := put(t, dir, "1", "a\n", 0o644)
	large := put(t, dir, "2", strings.Repeat("a\n", 1<<16), 0o644)
	set := plan(t, Change{small, 1, 1, "a", "x"}, Change{large, 1, 1, "a", "x"})
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	limit := was
	limit.Cur = 1 << 16
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skipf("no limit can be set: %v", err)
	}
	err := set.Write()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), "nothing was changed") || strings.Contains(err.Error(), ".surespray-") {
		t.Errorf("got %v", err)
	}
	if get(t, small) != "a\n" {
		t.Error("the small file was written")
	}
	if diff := cmp.Diff([]string{"1", "2"}, names(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// What cannot be changed in advance is said: a file that was replaced before.
func TestWriteHalf(t *testing.T) {
	dir := t.TempDir()
	first := put(t, dir, "1", "a\n", 0o644)
	second := put(t, dir, "2", "a\n", 0o644)
	set := plan(t, Change{first, 1, 1, "a", "x"}, Change{second, 1, 1, "a", "x"})
	err := set.replace(map[*file]string{set.files[0]: put(t, dir, ".t1", "x\n", 0o644), set.files[1]: filepath.Join(dir, "gone")})
	if err == nil || !strings.Contains(err.Error(), second+": it cannot be replaced") || !strings.Contains(err.Error(), "changed before: "+first) {
		t.Errorf("got %v", err)
	}
}

// foreign is a file of another owner and group.
type foreign struct{ fs.FileInfo }

func (foreign) Sys() any { return &syscall.Stat_t{Uid: 0, Gid: 0} }

// Who cannot give a file to its old group opens it to nobody new.
func TestKeepOwnerNotPermitted(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may give files away")
	}
	for mode, want := range map[fs.FileMode]fs.FileMode{0o640: 0o600, 0o664: 0o644, 0o666 | fs.ModeSetgid: 0o666} {
		path := put(t, t.TempDir(), "all.yml", "a\n", mode)
		temp, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, err := temp.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if got := keepOwner(temp, info, foreign{info}); got != want {
			t.Errorf("%v: got %v, want %v", mode, got, want)
		}
		if err := temp.Close(); err != nil {
			t.Error(err)
		}
	}
}
