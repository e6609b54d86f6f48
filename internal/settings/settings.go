// Package settings reads .surespray.yml, the file beside an inventory that says what
// everybody who works with this cluster should not have to say: which kubeconfig is its
// own, what is known and accepted and why, and what a verification leaves out.
//
// Such a file decides what may be overlooked. So nothing in it is passed over in silence:
// a key that is misspelt, a value of another type, an acceptance whose day is over are
// all errors with their line, and they come together.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Name is the name of the file, beside the inventory.
const Name = ".surespray.yml"

// Scopes that a file can ask for.
const (
	ScopeAuto   = "auto"   // what the run can have changed
	ScopeAll    = "all"    // everything, whatever the run touched
	ScopeReport = "report" // as auto, without a word in the exit code
	ScopeOff    = "off"    // no verification
)

// Scopes returns the scopes that there are.
func Scopes() []string { return []string{ScopeAuto, ScopeAll, ScopeReport, ScopeOff} }

// Settings is what the files of all inventories say together. Empty: not said.
type Settings struct {
	Files      []string // that were read, in order
	Cluster    string   // a name for people
	Kubeconfig string   // as reached from the working directory
	Context    string
	Accept     []Accept
	Scope      string   // one of Scopes
	Skip       []string // ids of checks, or areas
}

// Find returns the settings files of inventory arguments (-i), each once, in order, as
// the user reaches them. A list of hosts such as "w1,w2" has none. cwd is where relative
// arguments start.
func Find(inventories []string, cwd string) []string {
	var found []string
	var infos []fs.FileInfo
	for _, arg := range inventories {
		if arg == "" || strings.Contains(arg, ",") || strings.HasPrefix(arg, "@") {
			continue
		}
		path, info, ok := beside(arg, cwd)
		if !ok || slices.Contains(found, path) {
			continue
		}
		// The same file by another path counts once, or it would contradict itself
		// in what is relative to it. Without info it cannot be looked at; Read says so.
		if info != nil && slices.ContainsFunc(infos, func(have fs.FileInfo) bool { return os.SameFile(have, info) }) {
			continue
		}
		found = append(found, path)
		if info != nil {
			infos = append(infos, info)
		}
	}
	return found
}

// beside looks for the settings file of one inventory.
func beside(arg, cwd string) (string, fs.FileInfo, bool) {
	dir := arg
	if info, err := os.Stat(below(cwd, arg)); err != nil || !info.IsDir() {
		dir = filepath.Dir(arg)
	}
	path := filepath.Join(dir, Name)
	if _, err := os.Lstat(below(cwd, path)); err != nil {
		return path, nil, errors.Is(err, fs.ErrPermission)
	}
	info, err := os.Stat(below(cwd, path))
	if err != nil {
		return path, nil, true // a link to nowhere, say: Read tells
	}
	return path, info, true
}

func below(cwd, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}

// Read reads the files in order; relative ones start at the working directory. A later
// scope wins, acceptances and skips add up, and two files must not name two clusters.
// now decides which acceptances are over. The error joins every *Error of every file, for
// Problems to take apart; beside it, Settings holds what is valid.
func Read(files []string, now time.Time) (Settings, error) {
	var s Settings
	var problems []*Error
	singles := map[string]single{}
	for _, file := range files {
		r := &reader{file: file, now: now, singles: map[string]single{}}
		r.read()
		r.agree(singles)
		s.Files = append(s.Files, file)
		s.Accept = append(s.Accept, r.accepted...)
		for _, id := range r.skipped {
			if !slices.Contains(s.Skip, id) {
				s.Skip = append(s.Skip, id)
			}
		}
		s.Scope = orWord(r.wanted, s.Scope)
		slices.SortStableFunc(r.problems, func(a, b *Error) int { return a.Line - b.Line })
		problems = append(problems, r.problems...)
	}
	s.Cluster, s.Kubeconfig, s.Context = singles[keyCluster].text, singles[keyKubeconfig].text, singles[keyContext].text
	return s, join(problems)
}

// Keys of which all files together give one value.
const (
	keyCluster    = "cluster"
	keyKubeconfig = "kubeconfig"
	keyContext    = "context"
)

// single is the value of such a key, and where it stands.
type single struct {
	text string
	file string
	line int
}

// agree adds what this file says to what the files before it said. Which of two clusters
// is meant, nobody but the user can know.
func (r *reader) agree(singles map[string]single) {
	for _, key := range [...]string{keyCluster, keyKubeconfig, keyContext} {
		have, before := r.singles[key], singles[key]
		switch {
		case have.text == "":
		case before.text == "":
			singles[key] = have
		case !same(key, before.text, have.text):
			r.problem(have.line, CodeInvalid, "make them agree, or give the inventories of one cluster only",
				"%s is %q here and %q in %s:%d", key, have.text, before.text, before.file, before.line)
		}
	}
}

// same is true for values that mean the same; a path can be written in several ways.
func same(key, a, b string) bool {
	if key == keyKubeconfig {
		x, errA := filepath.Abs(a)
		y, errB := filepath.Abs(b)
		if errA == nil && errB == nil {
			return x == y
		}
	}
	return a == b
}

// home expands ~ at the start of a path.
func home(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok {
		return path, nil
	}
	if rest != "" && rest[0] != '/' {
		return "", fmt.Errorf("%q is in the home of another user, which is not looked up", path)
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%q cannot be expanded: %w", path, err)
	}
	return filepath.Join(dir, rest), nil
}
