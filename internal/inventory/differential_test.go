package inventory_test

import (
	"encoding/json"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/inventory"
)

// listed is the part of `ansible-inventory --list` that is compared.
type listed struct {
	Hosts  map[string]map[string]any
	Groups map[string][]string // direct hosts
}

// TestAgainstAnsible compares what is read with what ansible-inventory reads.
func TestAgainstAnsible(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, variable := range []string{"SURESPRAY_TEST_ANSIBLE_218", "SURESPRAY_TEST_ANSIBLE_219"} {
		venv := os.Getenv(variable)
		if venv == "" {
			t.Logf("%s names no virtual environment with ansible-core; make test sets it", variable)
			continue
		}
		for _, file := range files {
			t.Run(filepath.Base(venv)+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				compare(t, venv, file)
			})
		}
	}
}

func compare(t *testing.T, venv, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	arg := archive.Files[0].Name
	if top, _, below := strings.Cut(arg, "/"); below {
		arg = top // a directory
	}
	cmd := exec.Command(filepath.Join(venv, "bin", "ansible-inventory"), "-i", arg, "--list")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ANSIBLE_TRANSFORM_INVALID_GROUP_CHARS=ignore", "ANSIBLE_DEPRECATION_WARNINGS=0", "LC_ALL=C.UTF-8", "HOME="+dir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ansible-inventory: %v", err)
	}
	want := theirs(t, out)
	got := ours(inventory.Read([]string{arg}, inventory.Options{Dir: dir}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Ansible has -, we have +:\n%s", diff)
	}
}

func theirs(t *testing.T, out []byte) listed {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatal(err)
	}
	l := listed{Hosts: map[string]map[string]any{}, Groups: map[string][]string{}}
	var meta struct {
		HostVars map[string]map[string]any `json:"hostvars"`
	}
	_ = json.Unmarshal(doc["_meta"], &meta)
	for h, vars := range meta.HostVars {
		l.Hosts[h] = vars
	}
	for name, raw := range doc {
		var g struct{ Hosts []string }
		if name != "_meta" && json.Unmarshal(raw, &g) == nil && len(g.Hosts) > 0 {
			slices.Sort(g.Hosts)
			l.Groups[name] = g.Hosts
		}
	}
	return l
}

func ours(inv *inventory.Inventory) listed {
	l := listed{Hosts: map[string]map[string]any{}, Groups: map[string][]string{}}
	for _, h := range inv.HostNames() {
		vars := map[string]any{}
		for _, s := range inv.Settings {
			if s.Key == "ansible_group_priority" {
				continue
			}
			if e, ok := inv.Effective(h, s.Key); ok {
				vars[s.Key] = plain(e.Value)
			}
		}
		if len(vars) > 0 {
			l.Hosts[h] = vars
		}
	}
	for name, g := range inv.Groups {
		if name != "all" && len(g.Hosts) > 0 {
			l.Groups[name] = slices.Sorted(slices.Values(g.Hosts))
		}
	}
	return l
}

// plain is a value as JSON would have it.
func plain(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case extravars.Mapping:
		out := map[string]any{}
		for _, p := range v {
			if k, ok := p.Key.(string); ok {
				out[k] = plain(p.Value)
			}
		}
		return out
	}
	return v
}
