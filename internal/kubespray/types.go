package kubespray

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
)

// Default is one place where a role gives a variable a default.
type Default struct {
	File string         // below the checkout, with slashes
	Line int            // from 1
	Type extravars.Type // Unknown where only Ansible can tell
	// Value is the literal: bool, int64, float64, string, nil, []any or
	// map[string]any. A template stays its text.
	Value any
	// Template is true when Value is the text of a template.
	Template bool
}

// Types holds the type of every variable with a default in the checkout's roles.
// It is an [extravars.Schema].
type Types struct {
	types    map[string]extravars.Type
	defaults map[string][]Default
	names    []string
}

var _ extravars.Schema = (*Types)(nil)

// TypeOf returns the type of a variable, Unknown for one without any default.
func (t *Types) TypeOf(name string) extravars.Type { return t.types[name] }

// Names returns every variable with a default, sorted.
func (t *Types) Names() []string { return slices.Clone(t.names) }

// Defaults returns the places that give a variable a default, in path order.
func (t *Types) Defaults(name string) []Default { return slices.Clone(t.defaults[name]) }

// Literal returns the value of a variable's first literal default, following
// templates that are nothing but a reference to another variable.
func (t *Types) Literal(name string) (any, bool) { return t.literal(name, referenceDepth) }

func (t *Types) literal(name string, depth int) (any, bool) {
	for _, d := range t.defaults[name] {
		if !d.Template {
			return d.Value, true
		}
	}
	for _, d := range t.defaults[name] {
		if ref := pureReference(d.Value.(string)); ref != "" && depth > 0 {
			return t.literal(ref, depth-1)
		}
	}
	return nil, false
}

// Types reads the defaults of all roles, once.
func (c *Checkout) Types() (*Types, error) {
	c.typesOnce.Do(func() { c.types, c.typesErr = c.readTypes() })
	return c.types, c.typesErr
}

func (c *Checkout) readTypes() (*Types, error) {
	files, err := c.defaultFiles()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; the checkout is incomplete, clone it again", c.RolesPath(), err)
	}
	c.docs.preload(files)
	t := &Types{types: map[string]extravars.Type{}, defaults: map[string][]Default{}}
	for _, file := range files {
		doc := c.docs.get(file)
		if doc.err != nil {
			return nil, doc.err
		}
		rel := c.rel(file)
		pairs(doc.root, func(k, v *node) {
			d := Default{File: rel, Line: k.Line, Type: typeOf(v), Value: valueOf(v)}
			d.Template = isTemplate(text(v)) && !customTag(v)
			t.defaults[k.Value] = append(t.defaults[k.Value], d)
		})
	}
	t.names = slices.Sorted(maps.Keys(t.defaults))
	t.settle()
	return t, nil
}

// settle gives each name one type.
func (t *Types) settle() {
	for _, name := range t.names {
		t.types[name] = t.settled(name, nil, referenceDepth)
	}
}

// referenceDepth bounds how far a default that refers to another is followed.
const referenceDepth = 10

// Told is the type of a variable once templates are evaluated: told has the type of each
// template, by its text.
func (t *Types) Told(name string, told map[string]extravars.Type) extravars.Type {
	return t.settled(name, told, referenceDepth)
}

// settled is a name's type by all its defaults. A template that is nothing but a
// reference has the type of what it refers to; any other is Ansible's to evaluate.
func (t *Types) settled(name string, told map[string]extravars.Type, depth int) extravars.Type {
	decided := slices.Clone(t.defaults[name])
	for i, d := range decided {
		if !d.Template || depth == 0 {
			continue
		}
		text := d.Value.(string)
		if ref := pureReference(text); ref != "" {
			decided[i].Type = t.settled(ref, told, depth-1)
		}
		if decided[i].Type == extravars.Unknown {
			decided[i].Type = told[text]
		}
	}
	return agree(decided)
}

// agree is the rule for defaults that differ: text if any is text, boolean only if
// all are. A default that says nothing (null, undecided) does not count.
func agree(defaults []Default) extravars.Type {
	var seen []extravars.Type
	for _, d := range defaults {
		if d.Type != extravars.Unknown && !slices.Contains(seen, d.Type) {
			seen = append(seen, d.Type)
		}
	}
	if len(seen) > 1 {
		seen = slices.DeleteFunc(seen, func(x extravars.Type) bool { return x == extravars.Null })
	}
	switch {
	case len(seen) == 1:
		return seen[0]
	case slices.Contains(seen, extravars.String):
		return extravars.String
	case len(seen) == 2 && slices.Contains(seen, extravars.Int) && slices.Contains(seen, extravars.Float):
		return extravars.Float
	}
	return extravars.Unknown
}

// defaultFiles lists roles/**/defaults/main.y{a,}ml and defaults/main/*.y{a,}ml.
func (c *Checkout) defaultFiles() ([]string, error) {
	var files []string
	err := filepath.WalkDir(c.RolesPath(), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"tasks", "templates", "files", "handlers", "molecule", "vars", "meta"}, entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && isDefaults(path):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

func isDefaults(path string) bool {
	dir, base := filepath.Split(path)
	name, ext, _ := strings.Cut(base, ".")
	if ext != "yml" && ext != "yaml" && ext != "json" {
		return false
	}
	dir = filepath.Clean(dir)
	if filepath.Base(dir) == "defaults" {
		return name == "main"
	}
	return filepath.Base(dir) == "main" && filepath.Base(filepath.Dir(dir)) == "defaults"
}
