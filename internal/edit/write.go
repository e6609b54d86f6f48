package edit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write does what was planned. The new content of every file is on disk, beside the
// old one, before the first file is replaced: a full disk or a directory that cannot
// be written changes nothing. A link stays a link, what it leads to is replaced. A set
// is written once: after that its files are not as Plan read them.
//
// Errors: *ConflictError when a file is not as Plan read it; nothing was changed then.
// Others name the file and what to do; they say so if some files were replaced before.
func (s *Set) Write() (err error) {
	if err := s.asRead(); err != nil {
		return err
	}
	temps := map[*file]string{}
	defer func() {
		for _, temp := range temps { // the copies may hold secrets
			if rm := os.Remove(temp); rm != nil {
				err = errors.Join(err, fmt.Errorf("a copy was left behind; remove it: %w", rm))
			}
		}
	}()
	for _, f := range s.files {
		if !f.changed() {
			continue
		}
		temp, err := f.stage()
		if temp != "" {
			temps[f] = temp
		}
		if err != nil {
			return fmt.Errorf("change %s: %w; nothing was changed", f.path, err)
		}
	}
	if err := s.asRead(); err != nil { // once more: writing took a while
		return err
	}
	return s.replace(temps)
}

// replace renames the new files to the old names, and takes them out of temps.
func (s *Set) replace(temps map[*file]string) error {
	var done []string
	for _, f := range s.files {
		temp, ok := temps[f]
		if !ok {
			continue
		}
		if err := os.Rename(temp, f.target); err != nil {
			return fmt.Errorf("change %s: it cannot be replaced: %w; %s", f.path, cause(err), soFar(done))
		}
		delete(temps, f)
		done = append(done, f.path)
		syncDir(filepath.Dir(f.target))
	}
	return nil
}

func soFar(done []string) string {
	if len(done) == 0 {
		return "nothing was changed; when that is put right, run the command again"
	}
	return "changed before: " + strings.Join(done, ", ") + "; when that is put right, run the command again for the rest"
}

// asRead fails unless every file to change is what Plan read. Between this and the
// rename somebody may still write; no file system prevents that.
func (s *Set) asRead() error {
	for _, f := range s.files {
		if f.changed() && !f.asRead() {
			return &ConflictError{File: f.path}
		}
	}
	return nil
}

// asRead is true while the same bytes are at the same place.
func (f *file) asRead() bool {
	target, missing, err := resolve(f.path)
	if err != nil || target != f.target || missing != f.missing {
		return false
	}
	if missing {
		return true
	}
	raw, err := os.ReadFile(target)
	return err == nil && string(raw) == f.old
}

// syncDir makes a rename outlast a power cut. Not every file system can do that; the
// file is replaced all the same.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	_ = d.Sync()
	_ = d.Close()
}

// cause is an error without the operation and the path, which may be that of a
// temporary file.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
