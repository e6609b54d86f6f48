package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/audit"
	"github.com/surespray/surespray/internal/edit"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
)

// A case is an archive: settings in its comment (core: 2.18, arg: -e's value), an
// inventory, and "want" with one line for each error and warning, and for those remarks
// that it names:
//
//	SEVERITY FILE:LINE CODE KEY | words of the message and the fix | more words
//
// "fixed/FILE" is what a file is after the mechanical changes.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	checkout, err := kubespray.Open("../../test/checkout")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { run(t, checkout, file) })
	}
}

type wanted struct {
	line  string
	words []string
}

func run(t *testing.T, checkout *kubespray.Checkout, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	var want []wanted
	fixed := map[string]string{}
	arg := ""
	for _, f := range archive.Files {
		text := strings.ReplaceAll(strings.ReplaceAll(string(f.Data), "<BOM>", "\ufeff"), "<CR>", "\r")
		name, isFixed := strings.CutPrefix(f.Name, "fixed/")
		switch {
		case f.Name == "want":
			want = parseWant(text)
			continue
		case isFixed:
			fixed[name] = text
			continue
		case arg == "":
			arg = f.Name
		}
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found := audit.Run(input(t, checkout, dir, arg, string(archive.Comment)))
	compare(t, want, found)
	if len(fixed) > 0 {
		mend(t, found, fixed)
	}
}

func input(t *testing.T, checkout *kubespray.Checkout, dir, arg, comment string) audit.Input {
	t.Helper()
	types, err := checkout.Types()
	if err != nil {
		t.Fatal(err)
	}
	core := "2.18.1"
	var args []string
	for line := range strings.Lines(comment) {
		if v, ok := strings.CutPrefix(line, "core: "); ok {
			core = strings.TrimSpace(v)
		}
		if v, ok := strings.CutPrefix(line, "arg: "); ok {
			args = append(args, strings.TrimSpace(v))
		}
	}
	vars, err := extravars.Parse(args, types, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := inventory.Options{Dir: dir}
	for _, r := range checkout.GroupRules() {
		o.Rules = append(o.Rules, inventory.GroupRule{Group: r.Group, From: r.From})
	}
	facts := ""
	if _, err := os.Stat(filepath.Join(dir, "facts")); err == nil {
		facts = filepath.Join(dir, "facts")
	}
	return audit.Input{
		Checkout: checkout, Types: types, Defaults: types, Inventory: inventory.Read([]string{arg}, o), ExtraVars: vars, Core: core,
		Unusable: kubespray.InventoryProblems([]string{arg}, dir, kubespray.Config{}, core), Facts: facts,
	}
}

func parseWant(text string) []wanted {
	var out []wanted
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		if parts[0] != "" {
			out = append(out, wanted{parts[0], parts[1:]})
		}
	}
	return out
}

func compare(t *testing.T, want []wanted, found []audit.Finding) {
	t.Helper()
	var got, lines []string
	for _, w := range want {
		lines = append(lines, w.line)
	}
	for _, f := range found {
		place := "-"
		if f.File != "" {
			place = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if f.Arg != nil && f.File == "" {
			place = fmt.Sprintf("arg:%d", *f.Arg)
		}
		line := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", f.Severity, place, f.Code, f.Key))
		if f.Severity == extravars.SeverityInfo && !slices.Contains(lines, line) {
			continue
		}
		got = append(got, line)
		if strings.ContainsAny(f.Message+f.Fix, "\r\ufeff") {
			t.Errorf("%s: a carriage return or a byte order mark in %q", line, f.Message+f.Fix)
		}
		if strings.Contains(f.Message+f.Fix, "s3cret") {
			t.Errorf("%s: a secret in %q", line, f.Message+f.Fix)
		}
		for _, w := range want {
			for _, words := range w.words {
				if w.line == line && !strings.Contains(f.Message+" "+f.Fix, words) {
					t.Errorf("%s: %q is not in %q", line, words, f.Message+" "+f.Fix)
				}
			}
		}
	}
	if diff := cmp.Diff(lines, got); diff != "" {
		t.Errorf("want -, found +:\n%s", diff)
	}
}

func mend(t *testing.T, found []audit.Finding, fixed map[string]string) {
	t.Helper()
	var changes []edit.Change
	for _, f := range found {
		if f.Change != nil && !slices.Contains(changes, *f.Change) {
			changes = append(changes, *f.Change)
		}
	}
	set, err := edit.Plan(changes)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Write(); err != nil {
		t.Fatal(err)
	}
	for name, want := range fixed {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", name, diff)
		}
	}
}
