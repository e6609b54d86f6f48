package runner

import (
	"os"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes descendants whose parent ends children of ours, so that none of
// them gets lost. The kernel may refuse: then those seen before are still known.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// orphanage is the process whose children orphans become.
func orphanage() int32 { return int32(os.Getpid()) }

// reap takes the exit status of orphans that were ended, so that they do not stay as
// zombies while we live. Only their own ids are asked for: the leader is os/exec's.
func reap(pids []int32) {
	for _, pid := range pids {
		_, _ = unix.Wait4(int(pid), nil, unix.WNOHANG, nil)
	}
}
