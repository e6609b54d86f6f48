package inventory

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
)

// varsDir is a directory beside which group_vars and host_vars are looked for.
type varsDir struct {
	shown, path string
	play        bool
}

// varsFiles reads group_vars and host_vars in a directory, and notes what stands there
// and is never read.
func (inv *Inventory) varsFiles(dir varsDir) {
	for _, kind := range []string{"group_vars", "host_vars"} {
		entries, err := os.ReadDir(filepath.Join(dir.path, kind))
		if err != nil {
			continue
		}
		r := varsReader{inv: inv, shown: filepath.Join(dir.shown, kind), path: filepath.Join(dir.path, kind), entries: entries, play: dir.play, used: map[string]bool{}}
		if kind == "group_vars" {
			for _, name := range slices.Sorted(maps.Keys(inv.Groups)) {
				r.owner(name, Setting{Group: name, Level: r.level(name == "all", LevelAllVars, LevelGroupVars)})
			}
		} else {
			for _, name := range inv.HostNames() {
				r.owner(name, Setting{Host: name, Level: r.level(true, LevelHostVars, LevelHostVars)})
			}
		}
		r.unused(kind)
	}
}

type varsReader struct {
	inv         *Inventory
	shown, path string
	entries     []os.DirEntry
	play        bool
	used        map[string]bool // names of entries that were read, or were told about
}

func (r *varsReader) level(first bool, a, b Level) Level {
	l := b
	if first {
		l = a
	}
	if r.play {
		l++ // the level beside the playbook follows that beside the inventory
	}
	return l
}

// extensions of files of variables, in the order in which Ansible looks for them. The
// first that is there hides the others.
func extensions() []string { return []string{"", ".yml", ".yaml", ".json"} }

// owner reads the files of one group or host.
func (r *varsReader) owner(name string, like Setting) {
	found := ""
	for _, ext := range extensions() {
		entry := r.entry(name + ext)
		if entry == nil {
			continue
		}
		r.used[name+ext] = true
		if found != "" {
			what := filepath.Join(r.shown, found)
			if r.isDir(found) {
				what += "/"
			}
			r.inv.problem(Problem{
				Code: "vars-file-hidden", Place: Place{filepath.Join(r.shown, name+ext), 1},
				Message: fmt.Sprintf("Ansible does not read it: %s is there too, and comes first", what),
				Fix:     "move its content into " + what,
			})
			continue
		}
		found = name + ext
		if r.isDir(found) {
			like.Dir = filepath.Join(r.shown, found)
			r.directory(filepath.Join(r.shown, found), filepath.Join(r.path, found), like, 20)
		} else {
			like.Dir = filepath.Join(r.shown, name)
			r.file(filepath.Join(r.shown, found), filepath.Join(r.path, found), like)
		}
	}
}

func (r *varsReader) entry(name string) os.DirEntry {
	i, ok := slices.BinarySearchFunc(r.entries, name, func(e os.DirEntry, n string) int { return strings.Compare(e.Name(), n) })
	if !ok {
		return nil
	}
	return r.entries[i]
}

func (r *varsReader) isDir(name string) bool {
	info, err := os.Stat(filepath.Join(r.path, name)) // a link counts as what it leads to
	return err == nil && info.IsDir()
}

// directory reads the files of a directory in name order, and directories in it.
func (r *varsReader) directory(shown, path string, like Setting, depth int) {
	entries, err := os.ReadDir(path)
	if err != nil {
		r.inv.problem(Problem{Code: "vars-unreadable", Place: Place{shown, 1}, Message: "cannot be read: " + reason(err), Fix: "make it readable for the user who runs Ansible"})
		return
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
			continue
		}
		info, err := os.Stat(filepath.Join(path, name))
		ext := filepath.Ext(name)
		switch {
		case err != nil:
		case info.IsDir() && ext == "" && depth > 0:
			r.directory(filepath.Join(shown, name), filepath.Join(path, name), like, depth-1)
		case info.IsDir():
		case slices.Contains(extensions(), ext):
			r.file(filepath.Join(shown, name), filepath.Join(path, name), like)
		default:
			r.inv.ignoredFile(filepath.Join(shown, name), ext)
		}
	}
}

func (r *varsReader) file(shown, path string, like Setting) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		r.inv.problem(Problem{Code: "vars-unreadable", Place: Place{shown, 1}, Message: "it is no regular file: Ansible would wait for it, or read it away", Fix: "put a file in its place"})
		return
	}
	r.inv.Files = append(r.inv.Files, shown)
	raw, err := os.ReadFile(path)
	if err != nil {
		r.inv.problem(Problem{Code: "vars-unreadable", Place: Place{shown, 1}, Message: "cannot be read: " + reason(err), Fix: "make it readable for the user who runs Ansible"})
		return
	}
	if extravars.Encrypted(raw) {
		r.inv.problem(Problem{Code: "not-audited-encrypted", Place: Place{shown, 1}, Message: shown + " is encrypted as a whole, so nothing in it was checked"})
		return
	}
	entries, duplicates, err := extravars.ReadVars(raw)
	var syntax *extravars.SyntaxError
	if errors.As(err, &syntax) {
		r.inv.problem(Problem{Code: "vars-syntax", Place: Place{shown, max(syntax.Line, 1)}, Message: syntax.What + ": Ansible stops at this file", Fix: "mend the YAML"})
		return
	}
	r.inv.duplicates(shown, duplicates)
	for _, e := range entries {
		s := like
		s.Entry, s.File, s.Form = e, shown, YAML
		r.inv.set(&s)
	}
}

func reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
