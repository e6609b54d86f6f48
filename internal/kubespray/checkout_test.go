package kubespray

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files below a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// looksLike are the files that make a directory a checkout.
func looksLike(at string, files map[string]string) map[string]string {
	for name, content := range map[string]string{"roles/kubespray_defaults/defaults/main.yml": "a: 1\n", "playbooks/cluster.yml": "[]\n"} {
		if _, ok := files[at+name]; !ok {
			files[at+name] = content
		}
	}
	return files
}

func TestFind(t *testing.T) {
	one := tree(t, looksLike("team/ks/", map[string]string{"team/ks/cluster.yml": "[]\n", "team/inventory/x.ini": "h\n", "else/y": ""}))
	two := tree(t, looksLike("a/", looksLike("b/", map[string]string{})))
	ks := filepath.Join(one, "team", "ks")
	tests := []struct {
		name     string
		in       FindOptions
		dir, how string
		err      any
	}{
		{"flag, relative", FindOptions{Flag: "ks", Env: "/nowhere", Cwd: filepath.Join(one, "team")}, ks, "--kubespray", nil},
		{"flag, wrong", FindOptions{Flag: "inventory", Cwd: filepath.Join(one, "team")}, "", "", new(*NotACheckoutError)},
		{"environment", FindOptions{Env: ks, Cwd: one}, ks, "KUBESPRAY_DIR", nil},
		{"parent of the playbook", FindOptions{Playbook: "../team/ks/cluster.yml", Cwd: filepath.Join(one, "else")}, ks, "parent of ../team/ks/cluster.yml", nil},
		{"current directory", FindOptions{Playbook: "nope.yml", Cwd: ks}, ks, "current directory", nil},
		{"parent", FindOptions{Cwd: filepath.Join(ks, "roles")}, ks, "parent of the current directory", nil},
		{"child", FindOptions{Cwd: filepath.Join(one, "team")}, ks, "child of the current directory", nil},
		{"two children", FindOptions{Cwd: two}, "", "", new(*AmbiguousError)},
		{"none", FindOptions{Cwd: filepath.Join(one, "else")}, "", "", new(*NoCheckoutError)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, how, err := Find(test.in)
			if test.err == nil && err != nil || test.err != nil && !errors.As(err, test.err) {
				t.Fatalf("error %v (%T), want %T", err, err, test.err)
			}
			if dir != test.dir || how != test.how {
				t.Errorf("got %q by %q, want %q by %q", dir, how, test.dir, test.how)
			}
		})
	}
}

func TestFindTakesALinkToASiblingAsOne(t *testing.T) {
	dir := tree(t, looksLike("kubespray-2.31/", map[string]string{}))
	if err := os.Symlink("kubespray-2.31", filepath.Join(dir, "current")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Find(FindOptions{Cwd: dir}); err != nil {
		t.Error(err)
	}
}

func TestPlaybook(t *testing.T) {
	dir := tree(t, looksLike("ks/", map[string]string{"ks/cluster.yml": "- hosts: all\n", "ks/.travis.yml": "a: b\n", "mine/site.yml": "[]\n"}))
	c, err := Open(filepath.Join(dir, "ks"))
	if err != nil {
		t.Fatal(err)
	}
	cwd := filepath.Join(dir, "mine")
	for name, want := range map[string]string{"site.yml": "mine/site.yml", "cluster.yml": "ks/cluster.yml", "../ks/cluster.yml": "ks/cluster.yml"} {
		got, err := c.Playbook(name, cwd)
		if err != nil || got != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	var wrong *PlaybookError
	if _, err := c.Playbook("clutser.yml", cwd); !errors.As(err, &wrong) || !cmp.Equal(wrong.Has, []string{"cluster.yml"}) {
		t.Errorf("error %v", err)
	}
}

func TestVersion(t *testing.T) {
	const commit = "0123456789012345678901234567890123456789"
	const other = "9999999999999999999999999999999999999999"
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing", map[string]string{}, "unknown"},
		{"galaxy", map[string]string{"galaxy.yml": "version: 2.31.0\n"}, "v2.31.0"},
		{"galaxy and a commit", map[string]string{"galaxy.yml": "version: 2.31.0\n", ".git/HEAD": commit + "\n"}, "v2.31.0 (commit 012345678)"},
		{"annotated tag, packed", map[string]string{".git/HEAD": "ref: refs/heads/x\n", ".git/packed-refs": "# pack-refs\n" + commit + " refs/heads/x\n" +
			other + " refs/tags/v2.30.0\n^" + commit + "\n"}, "v2.30.0"},
		{"light tag", map[string]string{".git/HEAD": commit, ".git/refs/tags/v2.28.1": commit, ".git/refs/tags/latest": commit}, "v2.28.1"},
		{"submodule", map[string]string{".git": "gitdir: ../m\n", "../m/HEAD": commit}, "commit 012345678"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := looksLike("ks/", map[string]string{})
			for name, content := range test.files {
				files["ks/"+name] = content
			}
			c, err := Open(filepath.Join(tree(t, files), "ks"))
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Version(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRange(t *testing.T) {
	r := Range{"2.18.0", "2.19.0"}
	for version, want := range map[string]bool{"2.17.14": false, "2.18.0": true, "2.18.19": true, "2.19.0": false, "2.19.0rc1": true, "2.18.0b1": false, "2.18": true} {
		if got := r.Contains(version); got != want {
			t.Errorf("%s in %s: %v", version, r, got)
		}
	}
	if r := r.With("", "2.20"); !r.Contains("2.19.14") || r.Min != "2.18.0" {
		t.Errorf("the user's bound is not applied: %s", r)
	}
}
