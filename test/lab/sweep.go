package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
	"github.com/shirou/gopsutil/v4/process"
)

const dirPrefix = "surespray-lab-"

// own locks a lab's directory for as long as its process lives.
func own(dir string) (*flock.Flock, bool, error) {
	lock := flock.New(filepath.Join(dir, "lock"))
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
	if _, err := os.Stat(filepath.Join(dir, "lock")); err != nil {
		return os.IsNotExist(err) // no lab, or one that is just being made
	}
	lock, free, err := own(dir)
	if err != nil || !free {
		return false
	}
	defer lock.Close()
	killRecorded(filepath.Join(dir, processesFile))
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
		p, err := process.NewProcess(r.PID)
		if err != nil {
			continue
		}
		if born, err := p.CreateTime(); err == nil && born == r.Born {
			_ = syscall.Kill(-int(r.PID), syscall.SIGKILL)
		}
	}
}
