package inventory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/surespray/surespray/internal/inventory"
)

// FuzzINI reads anything as an INI inventory: it never panics, places are inside the file,
// and what is shown holds no line end.
func FuzzINI(f *testing.F) {
	for _, s := range []string{
		"[g]\na x=1 y='b c'\n[g:vars]\nk=True # c\n[h:children]\ng\n", "a[01:10:2] k=\"[1, {'a': (1,)}]\"\n", "[x:y]\n[\n]\n=\n", "a b\n", "a \\\n", "[g:vars]\nx\n", "a k='\n", "\ufeff[g]\na\n",
		"n[a:zz]\n", "n[1:999999999999]\n", "[g]\r\na k=v\r\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { read(t, "hosts.ini", text) })
}

// FuzzYAML reads anything as a YAML inventory and as a file of variables.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"all:\n  hosts:\n    a: {x: 1}\n  children:\n    g:\n      hosts: b\n      vars: {y: yes}\n", "a: &a\n  b: *a\n", "x: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  33\n", "<<: {a: 1}\n<<: {b: 2}\na: 1\n", "? [a]\n: b\n", "- a\n", "a: \"x\\\n  y\"\n", "é: 'ü'\n",
		"all: {children: {all: }}\n", "g: {children: {h: {children: {g: }}}}\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read(t, "hosts.yaml", text)
		read(t, "group_vars/all.yml", text)
	})
}

func read(t *testing.T, name, text string) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{name}
	if strings.Contains(name, "/") {
		if err := os.WriteFile(filepath.Join(dir, "hosts"), []byte("[kube_node]\na\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		args = []string{"hosts"}
	}
	inv := inventory.Read(args, inventory.Options{Dir: dir})
	lines := strings.Count(text, "\n") + 1
	for _, s := range inv.Settings[:min(len(inv.Settings), 200)] {
		if s.File == name && (s.Line < 1 || s.Line > lines) {
			t.Errorf("%s is said to stand on line %d of %d", s.Key, s.Line, lines)
		}
		for _, h := range inv.HostNames()[:min(len(inv.HostNames()), 20)] {
			inv.Effective(h, s.Key)
		}
		inv.Shadowed(s)
	}
	for _, p := range inv.Problems {
		if utf8.ValidString(text) && !utf8.ValidString(p.Message) {
			t.Errorf("the message is no UTF-8: %q", p.Message)
		}
		if p.Message == "" || p.File == "" {
			t.Errorf("a problem without words or place: %+v", p)
		}
	}
}
