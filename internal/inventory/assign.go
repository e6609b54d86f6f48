package inventory

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/edit"
)

// AssignError says why no line can be changed.
type AssignError struct{ What, Next string }

func (e *AssignError) Error() string { return e.What }

// Assign returns the change that gives a boolean variable a value: at the setting s that
// is in effect now, or, where s is nil, as a new line in the file of a group's variables
// that fits best. dir is where relative paths start. No change means that the value is
// there already. The errors are [AssignError].
func (inv *Inventory) Assign(s *Setting, group, name string, value bool, dir string) ([]edit.Change, error) {
	if s != nil {
		return s.assign(value)
	}
	files := inv.candidates(group)
	if len(files) == 0 {
		return nil, &AssignError{
			What: fmt.Sprintf("there is no file of variables for group %s to write %s into", group, name),
			Next: fmt.Sprintf("make group_vars/%s/addons.yml beside the inventory, with %s: %t", group, name, value),
		}
	}
	return insert(files[0], dir, name, value)
}

// assign replaces the value where it stands.
func (s *Setting) assign(value bool) ([]edit.Change, error) {
	if s.Value == value {
		return nil, nil
	}
	if change := s.Change(value); change != nil {
		return []edit.Change{*change}, nil
	}
	return nil, &AssignError{
		What: fmt.Sprintf("%s:%d: %s is no plain value there", s.File, s.Line, s.Key),
		Next: fmt.Sprintf("write %s: %t there by hand", s.Key, value),
	}
}

// Change makes a value a boolean where it stands, in the spelling of its file; what follows
// on the line stays. It is nil for a value that is not on one line.
func (s *Setting) Change(value bool) *edit.Change {
	change := &edit.Change{File: s.File, Line: s.ValueLine, Column: s.ValueColumn, New: strconv.FormatBool(value)}
	switch s.Form {
	case INIVars:
		before, _, _ := strings.Cut(s.Raw, "#") // meant as a comment, and one to Python
		change.Old = strings.TrimSpace(before)
		change.New = pythonBool(value)
	case INIHost:
		change.Old, change.New = s.Raw, pythonBool(value)
	default:
		if change.Old = s.Quoted; change.Old == "" {
			change.Old = s.Plain
		}
	}
	if change.Old == "" {
		return nil
	}
	return change
}

func pythonBool(value bool) string {
	if value {
		return "True"
	}
	return "False"
}

// candidates are the files of a group's variables, the best one first: addons.yml, then
// one that holds switches already, then any.
func (inv *Inventory) candidates(group string) []string {
	var files []string
	switches := map[string]int{}
	for _, s := range inv.Settings {
		if s.Group != group || s.Form != YAML || s.Level < LevelAllVars || s.Level == LevelAllVarsPlay || s.Level == LevelGroupVarsPlay {
			continue
		}
		if !slices.Contains(files, s.File) {
			files = append(files, s.File)
		}
		if strings.HasSuffix(s.Key, "_enabled") {
			switches[s.File]++
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return rank(b, switches) - rank(a, switches) })
	return files
}

func rank(file string, switches map[string]int) int {
	if strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".yml"), ".yaml") == "addons" {
		return 1_000_000
	}
	return switches[file]
}

// insert adds a line: below the one that has the variable as a comment, else at the end.
func insert(file, dir, name string, value bool) ([]edit.Change, error) {
	raw, err := os.ReadFile(absolute(dir, file))
	if err != nil {
		return nil, &AssignError{What: err.Error(), Next: "make it readable and writable"}
	}
	root, err := extravars.ReadTree(raw)
	if err != nil || root != nil && (root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0) {
		return nil, &AssignError{What: file + " is not written line by line", Next: fmt.Sprintf("add %s: %t to it by hand", name, value)}
	}
	change := edit.Change{File: file, Column: 1, New: fmt.Sprintf("%s: %t\n", name, value)}
	commented := regexp.MustCompile(`^#\s?` + regexp.QuoteMeta(name) + `\s*:`)
	last := 0
	for line := range bytes.Lines(raw) {
		if bytes.HasPrefix(line, []byte("...")) {
			break // the end of the document
		}
		last++
		if commented.Match(line) {
			change.Line = last + 1
		}
	}
	if change.Line == 0 {
		change.Line = last + 1
	}
	return []edit.Change{change}, nil
}
