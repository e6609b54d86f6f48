package kubespray

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const someConfig = `# comment
[defaults]
roles_path = roles:/opt/roles
  :more
library: ./library   ; where modules are
inventory = hosts.ini, other
Callbacks_Enabled = timer,profile_tasks
inventory_ignore_extensions = ~, .ini
not a pair
[inventory]
ignore_patterns = artifacts, credentials
`

func TestReadConfig(t *testing.T) {
	dir := tree(t, map[string]string{"ansible.cfg": someConfig})
	got, err := ReadConfig(filepath.Join(dir, "ansible.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Path:             filepath.Join(dir, "ansible.cfg"),
		RolesPath:        []string{filepath.Join(dir, "roles"), "/opt/roles", filepath.Join(dir, "more")},
		Library:          []string{filepath.Join(dir, "library")},
		Inventory:        []string{filepath.Join(dir, "hosts.ini"), filepath.Join(dir, "other")},
		CallbacksEnabled: []string{"timer", "profile_tasks"},
		IgnoreExtensions: []string{"~", ".ini"},
		IgnorePatterns:   []string{"artifacts", "credentials"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEffectiveConfig(t *testing.T) {
	root := tree(t, looksLike("ks/", map[string]string{
		"ks/ansible.cfg": "[defaults]\nroles_path = roles\nlibrary = ./library\n", "ks/library/kube.py": "",
		"home/.ansible.cfg": "[defaults]\n", "mine/ansible.cfg": "[defaults]\n", "open/ansible.cfg": "", "bare/x": "",
	}))
	if err := os.Chmod(filepath.Join(root, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
	c, err := Open(filepath.Join(root, "ks"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, cwd, env string
		path           string
		export         bool
		notes          int
		lacks          []string
	}{
		{"named", "mine", "../ks/ansible.cfg", "ks/ansible.cfg", false, 0, nil},
		{"a directory named", "bare", "../mine", "mine/ansible.cfg", false, 0, []string{"roles_path", "library"}},
		{"the caller's", "mine", "", "mine/ansible.cfg", false, 0, []string{"roles_path", "library"}},
		{"ignored in a world-writable directory", "open", "", "ks/ansible.cfg", true, 2, nil},
		{"the checkout's before the home's", "bare", "", "ks/ansible.cfg", true, 1, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			env := func(name string) string {
				return map[string]string{"ANSIBLE_CONFIG": test.env, "HOME": filepath.Join(root, "home")}[name]
			}
			got, err := EffectiveConfig(env, filepath.Join(root, test.cwd), c)
			if err != nil {
				t.Fatal(err)
			}
			if got.Path != filepath.Join(root, test.path) || got.Export != test.export || len(got.Notes) < test.notes {
				t.Errorf("got %s, export %v, notes %q", got.Path, got.Export, got.Notes)
			}
			if diff := cmp.Diff(test.lacks, got.LacksCheckout(c)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := EffectiveConfig(func(string) string { return "/nowhere/ansible.cfg" }, root, c); err == nil {
		t.Error("a configuration that does not exist is taken")
	}
}

func FuzzINI(f *testing.F) {
	f.Add([]byte(someConfig))
	f.Add([]byte("\ufeff[a]\nb=c"))
	f.Add([]byte("[\n]\n=\n :\n\t; x"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		last := 0
		for _, e := range readINI(raw) {
			if e.key == "" || e.line <= last {
				t.Fatalf("entry %+v after line %d", e, last)
			}
			last = e.line
			var c Config
			c.set(e, "/x")
		}
	})
}
