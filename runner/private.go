package runner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// PrivateDir is a directory that only we can read. It holds what Ansible must read and
// nobody else may see, and what Ansible tells us.
type PrivateDir struct {
	Path string
	lock *flock.Flock
}

const privatePrefix = "surespray-run-"

// NewPrivateDir makes a private directory and sweeps those that killed runs left.
// base is where to make it: $XDG_RUNTIME_DIR, else the system's temporary directory.
func NewPrivateDir(base string) (*PrivateDir, error) {
	sweep(base)
	for {
		d, err := makePrivate(base)
		if d != nil || err != nil {
			return d, err
		}
	}
}

// makePrivate returns nil where another run's sweep was quicker than our lock.
func makePrivate(base string) (*PrivateDir, error) {
	path, err := os.MkdirTemp(base, privatePrefix)
	if err != nil {
		return nil, preflight("set TMPDIR to a directory that this user can write",
			"no private directory for extra vars can be made: %v", err)
	}
	lock := flock.New(filepath.Join(path, "lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", path, errors.Join(err, os.RemoveAll(path)))
	}
	if !locked {
		return nil, nil
	}
	return &PrivateDir{Path: path, lock: lock}, nil
}

// Remove deletes the directory with all that is in it.
func (d *PrivateDir) Remove() error {
	err := os.RemoveAll(d.Path)
	_ = d.lock.Close()
	return err
}

// Sub makes a directory inside.
func (d *PrivateDir) Sub(name string) (string, error) {
	path := filepath.Join(d.Path, name)
	return path, os.Mkdir(path, 0o700)
}

// PrivateBase returns where private directories are made in this environment.
func PrivateBase(getenv func(string) string) string {
	if dir := getenv("XDG_RUNTIME_DIR"); dir != "" {
		if probe, err := os.MkdirTemp(dir, privatePrefix); err == nil {
			_ = os.Remove(probe)
			return dir
		}
	}
	return os.TempDir()
}

// sweep removes directories whose owner is dead: a living one holds its lock.
func sweep(base string) {
	dirs, _ := filepath.Glob(filepath.Join(base, privatePrefix+"*"))
	for _, dir := range dirs {
		lock := flock.New(filepath.Join(dir, "lock"), flock.SetFlag(os.O_RDWR))
		if free, err := lock.TryLock(); err != nil || !free {
			continue // somebody else's, just being made, or in use
		}
		_ = os.RemoveAll(dir)
		_ = lock.Close()
	}
}
