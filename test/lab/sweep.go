package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

const (
	dirPrefix = "surespray-lab-"
	// lockFile marks a directory as a lab's: only such a directory is ever removed.
	lockFile = "surespray-lab.lock"
)

// claim makes dir a new lab's, or a new directory if there is no name, and locks it. It
// takes over from a dead lab, and never takes what a living lab or somebody else has.
func claim(dir string) (string, *flock.Flock, error) {
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", dirPrefix); err != nil {
			return "", nil, fmt.Errorf("making the lab's directory: %w", err)
		}
	}
	dir, err := filepath.Abs(dir) // the programs run in it
	if err != nil {
		return "", nil, err
	}
	if !SweepDir(dir) {
		return "", nil, fmt.Errorf("a lab runs in %s already", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, fmt.Errorf("making the lab's directory: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", nil, fmt.Errorf("looking into the lab's directory: %w", err)
	}
	if len(entries) > 0 {
		return "", nil, fmt.Errorf("%s holds files that are no lab's: give a directory of its own", dir)
	}
	lock, locked, err := own(dir)
	if err != nil {
		return "", nil, fmt.Errorf("locking the lab's directory: %w", err)
	}
	if !locked {
		return "", nil, fmt.Errorf("a lab is being started in %s already", dir)
	}
	return dir, lock, nil
}

// Running reports whether a living process holds the lab in dir.
func Running(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, lockFile)); err != nil {
		return false
	}
	lock, free, err := own(dir)
	if err != nil {
		return false
	}
	defer lock.Close()
	return !free
}

// own locks a lab's directory for as long as its process lives.
func own(dir string) (*flock.Flock, bool, error) {
	lock := flock.New(filepath.Join(dir, lockFile))
	locked, err := lock.TryLock()
	return lock, locked, err
}

// sweep ends and removes labs whose process is dead: a living one holds its lock.
func sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), dirPrefix+"*"))
	for _, dir := range dirs {
		SweepDir(dir)
	}
}

// SweepDir ends and removes the lab in dir if its process is dead, and reports whether
// nothing is left of it.
func SweepDir(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, lockFile)); err != nil {
		return os.IsNotExist(err) // no lab, or one that is just being made
	}
	lock, free, err := own(dir)
	if err != nil || !free {
		return false
	}
	defer lock.Close()
	killRecorded(filepath.Join(dir, processesFile))
	if sweepNetwork(filepath.Join(dir, networkFile)) != nil {
		return false
	}
	return os.RemoveAll(dir) == nil
}

// killRecorded ends the programs of the file that are still the same processes.
func killRecorded(path string) {
	content, err := os.ReadFile(path)
	if err != nil {
		return
	}
	var all []record
	if json.Unmarshal(content, &all) != nil {
		return
	}
	for _, r := range all {
		if r.alive() {
			_ = syscall.Kill(-int(r.PID), syscall.SIGKILL)
		}
	}
}
