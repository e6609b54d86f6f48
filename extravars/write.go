package extravars

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Write puts each element that is not a file of the user's into a file of its own, and
// returns the arguments for Ansible, in order: "-e", "@PATH" for each element. dir is a
// private directory of mode 0700; the files get 0600 and must not exist. What they say is
// found in no argument. An error leaves the files written so far to the caller.
func (v *Vars) Write(dir string) (argv []string, err error) {
	if v == nil {
		return nil, nil
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("finding the directory for extra vars: %w", err)
	}
	for i, e := range v.Elements {
		if e.ours == nil {
			continue
		}
		if err := writeNew(filepath.Join(dir, e.fileName(i)), e.ours); err != nil {
			return nil, fmt.Errorf("writing extra vars: %w", err)
		}
	}
	return v.Args(dir), nil
}

// Args returns the arguments that Write returns for a directory, and writes nothing.
func (v *Vars) Args(dir string) []string {
	if v == nil {
		return nil
	}
	var argv []string
	for i, e := range v.Elements {
		switch {
		case e.ours != nil:
			argv = append(argv, "-e", "@"+filepath.Join(dir, e.fileName(i)))
		case e.Form == FormFile && (e.Sent != nil || e.Opaque):
			argv = append(argv, "-e", "@"+e.Path)
		}
	}
	return argv
}

func (e Element) fileName(i int) string {
	if e.json {
		return fmt.Sprintf("%03d.json", i)
	}
	return fmt.Sprintf("%03d.yml", i)
}

// Content returns what Write puts into the element's file, and nil where the user's own
// file is passed on or nothing is. json is false for YAML.
func (e Element) Content() (text []byte, json bool) { return e.ours, e.json }

func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}
