package edit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Set is what some changes make of some files, for Diff to show and Write to do.
type Set struct{ files []*file }

// file is one file of a set: what it was when read, and what it shall be.
type file struct {
	path     string // as the first change names it
	target   string // where the bytes are: absolute, links followed
	missing  bool   // Write makes it
	old, new string
	changes  []Change
	splices  []splice
}

// Plan reads the files that changes name and works out what becomes of them. It
// writes nothing. The order of changes matters only for lines that are inserted at
// the same place: they come in the order given. Paths that lead to the same file by
// symbolic links are one file, shown under the name that came first.
//
// Errors: *ConflictError where Old does not stand at its place, *OverlapError, and
// plain ones for what cannot be read or is no text file.
func Plan(changes []Change) (*Set, error) {
	set := &Set{}
	known := map[string]*file{}
	for _, c := range changes {
		if err := c.check(); err != nil {
			return nil, err
		}
		target, missing, err := resolve(c.File)
		if err != nil {
			return nil, fmt.Errorf("change %s: %w", c.File, err)
		}
		f := known[target]
		if f == nil {
			f = &file{path: c.File, target: target, missing: missing}
			known[target] = f
			set.files = append(set.files, f)
		}
		f.changes = append(f.changes, c)
	}
	for _, f := range set.files {
		if err := f.plan(); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// Files names the files that will change, as the user reaches them.
func (s *Set) Files() []string {
	var out []string
	for _, f := range s.files {
		if f.changed() {
			out = append(out, f.path)
		}
	}
	return out
}

// Empty is true when Write has nothing to do.
func (s *Set) Empty() bool { return len(s.Files()) == 0 }

func (f *file) changed() bool { return f.missing || f.old != f.new }

func (f *file) plan() error {
	if !f.missing {
		raw, err := os.ReadFile(f.target)
		if err != nil {
			return fmt.Errorf("change %s: it cannot be read: %w; run as a user who may read it", f.path, cause(err))
		}
		f.old = string(raw)
	}
	if utf16(f.old) {
		return fmt.Errorf("change %s: it is UTF-16; save it as UTF-8 first", f.path)
	}
	starts := lineStarts(f.old)
	for _, c := range f.changes {
		s, ok := locate(f.old, starts, c)
		if !ok {
			return &ConflictError{File: c.File, Line: c.Line}
		}
		f.splices = append(f.splices, s)
	}
	if err := f.sort(); err != nil {
		return err
	}
	f.splice()
	return nil
}

// resolve follows links to where the bytes of a file are, or would be.
func resolve(path string) (target string, missing bool, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", false, err
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular(): // reading a pipe would wait for ever
		return "", false, fmt.Errorf("it is no regular file (%s); name the file itself", info.Mode().Type())
	case err == nil:
		target, err = filepath.EvalSymlinks(path)
		return target, false, err
	case !errors.Is(err, fs.ErrNotExist):
		return "", false, fmt.Errorf("it cannot be reached: %w; see that its path is right and may be entered", cause(err))
	}
	if _, err := os.Lstat(path); err == nil {
		return "", false, errors.New("it is a link to a file that does not exist; make that file, or remove the link")
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", false, fmt.Errorf("there is no directory for it; make it first: mkdir -p %s", filepath.Dir(path))
	}
	return filepath.Join(dir, filepath.Base(path)), true, nil
}
