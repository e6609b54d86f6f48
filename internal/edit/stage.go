package edit

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// stage writes the new content beside the old one and returns where. The path is given
// with an error too if the caller has to remove it.
func (f *file) stage() (string, error) {
	perm := fs.FileMode(0o644) // of a new file, less the umask
	var was fs.FileInfo
	if !f.missing {
		perm = 0o600 // until owner and mode are those of the old file
		var err error
		if was, err = writable(f.target); err != nil {
			return "", err
		}
	}
	// Ansible passes over names that begin with a dot in the directories it reads.
	dir := filepath.Dir(f.target)
	path := filepath.Join(dir, ".surespray-"+rand.Text())
	temp, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", fmt.Errorf("no file can be made in %s: %w; it takes the right to write in that directory", dir, cause(err))
	}
	err = fill(temp, f.new, was)
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return path, fmt.Errorf("no copy can be written in %s: %w; see that there is room and that files can be changed there", dir, cause(err))
	}
	return path, nil
}

// writable refuses a file that its owner protected: replacing would pass over that.
func writable(path string) (fs.FileInfo, error) {
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("it cannot be written: %w; chmod u+w it, or run as its owner", cause(err))
	}
	info, err := w.Stat()
	_ = w.Close() // nothing was written
	return info, err
}

// fill writes a file through to the disk. It gets owner and mode of was, if given.
func fill(temp *os.File, content string, was fs.FileInfo) error {
	if _, err := temp.WriteString(content); err != nil {
		return err
	}
	if was != nil {
		now, err := temp.Stat()
		if err != nil {
			return err
		}
		// After chown, which takes bits away. Some file systems know no modes: ask only
		// for what is not so already.
		if mode := keepOwner(temp, now, was); mode != settable(now) {
			if err := temp.Chmod(mode); err != nil {
				return err
			}
		}
	}
	return temp.Sync()
}

func settable(info fs.FileInfo) fs.FileMode {
	return info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
}

// keepOwner gives a file the owner and group of another where that is allowed, and
// returns the mode it shall have: that of the other. A group that is not the old one
// may do only what all may, so that no secret becomes known to new people.
func keepOwner(temp *os.File, now, was fs.FileInfo) fs.FileMode {
	mode := settable(was)
	have, okHave := now.Sys().(*syscall.Stat_t)
	want, okWant := was.Sys().(*syscall.Stat_t)
	if !okHave || !okWant || (have.Uid == want.Uid && have.Gid == want.Gid) {
		return mode
	}
	if temp.Chown(int(want.Uid), int(want.Gid)) == nil {
		return mode
	}
	mode &^= fs.ModeSetuid
	if have.Gid == want.Gid || temp.Chown(-1, int(want.Gid)) == nil {
		return mode
	}
	mode &^= fs.ModeSetgid | 0o070
	return mode | mode&0o007<<3
}
