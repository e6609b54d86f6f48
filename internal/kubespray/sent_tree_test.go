package kubespray

import (
	"strings"
	"testing"

	"github.com/surespray/surespray/extravars"
)

// What is sent for every default of a real tree, given as key=value: booleans as
// booleans, text by design byte for byte, versions as text.
func TestTreeSent(t *testing.T) {
	types, err := realTree(t).Types()
	if err != nil {
		t.Fatal(err)
	}
	count := map[extravars.Type]int{}
	for _, name := range types.Names() {
		typ := types.TypeOf(name)
		count[typ]++
		switch {
		case strings.HasSuffix(name, "_version"):
			for _, text := range []string{"1.30", "1.36.4", "v3"} {
				wantSent(t, types, name, text, text)
			}
		case typ == extravars.Bool:
			wantSent(t, types, name, "true", true)
			wantSent(t, types, name, "false", false)
			wantSent(t, types, name, "Off", false)
		case typ == extravars.String:
			for _, text := range []string{"true", "false", "0700", "1.10", "12", "null"} {
				wantSent(t, types, name, text, text)
			}
		case typ == extravars.Int:
			wantSent(t, types, name, "25", int64(25))
		}
	}
	t.Logf("%d booleans, %d texts, %d integers, %d that only Ansible can tell", count[extravars.Bool], count[extravars.String], count[extravars.Int], count[extravars.Unknown])
}

func wantSent(t *testing.T, types *Types, name, text string, want any) {
	t.Helper()
	vars, err := extravars.Parse([]string{name + "=" + text}, types, nil)
	if err != nil {
		t.Errorf("%s=%s: %v", name, text, err)
		return
	}
	if got, _ := vars.Lookup(name); got != want {
		t.Errorf("%s=%s is sent as %#v, want %#v", name, text, got, want)
	}
}
