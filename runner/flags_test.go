package runner

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One row for each flag: what was given, and what Ansible gets.
func TestArgv(t *testing.T) {
	all := func(Flag) bool { return true }
	for _, f := range AnsibleFlags() {
		given, want := []string{"a b", "-c"}, []string{"--" + f.Name + "=a b", "--" + f.Name + "=-c"}
		switch f.Kind {
		case Switch:
			given, want = []string{"true"}, []string{"--" + f.Name}
		case Count:
			given, want = []string{"true", "true", "true"}, []string{"-vvv"}
		case Single:
			want = want[1:]
		}
		if f.Name == ExtraVarsFlag {
			want = nil // by file, elsewhere
		}
		if diff := cmp.Diff(want, AnsibleArgs{f.Name: given}.argv(all)); diff != "" {
			t.Errorf("%s: %s", f.Name, diff)
		}
	}
	if got := (AnsibleArgs{}).argv(all); len(got) != 0 {
		t.Errorf("no flag given, got %v", got)
	}
}

func TestTagsAreSplitAtCommas(t *testing.T) {
	a := AnsibleArgs{"tags": {"a, b,", "c"}}
	if diff := cmp.Diff([]string{"a", "b", "c"}, a.Tags("tags")); diff != "" {
		t.Error(diff)
	}
}

func TestShellQuote(t *testing.T) {
	got := ShellQuote([]string{"a", "b c", "it's", "", "--x=1,2", "{\"a\": 1}"})
	if want := `a 'b c' 'it'\''s' '' --x=1,2 '{"a": 1}'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFlagTableIsSound(t *testing.T) {
	var names []string
	for _, f := range AnsibleFlags() {
		names = append(append(names, f.Name), f.Aliases...)
		if f.Usage == "" || strings.HasPrefix(f.Name, "-") {
			t.Errorf("flag %+v", f)
		}
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(names) {
		t.Errorf("a name stands twice in %v", names)
	}
}
