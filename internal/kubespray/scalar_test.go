package kubespray

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/surespray/surespray/extravars"
)

func TestScalars(t *testing.T) {
	tests := []struct {
		yaml  string
		typ   extravars.Type
		value any
	}{
		{"true", extravars.Bool, true},
		{"yes", extravars.Bool, true},
		{"On", extravars.Bool, true},
		{"off", extravars.Bool, false},
		{"No", extravars.Bool, false},
		{"y", extravars.String, "y"},
		{`"true"`, extravars.String, "true"},
		{"'off'", extravars.String, "off"},
		{"0755", extravars.Int, int64(493)},
		{"22:22", extravars.Int, int64(1342)},
		{"-5", extravars.Int, int64(-5)},
		{"1_000", extravars.Int, int64(1000)},
		{"0o17", extravars.String, "0o17"},
		{"1.30", extravars.Float, 1.3},
		{"1.2.3", extravars.String, "1.2.3"},
		{"15s", extravars.String, "15s"},
		{"~", extravars.Null, nil},
		{"", extravars.Null, nil},
		{`""`, extravars.String, ""},
		{"[1, yes]", extravars.List, []any{int64(1), true}},
		{"{a: off}", extravars.Dict, map[string]any{"a": false}},
		{`"{{ x }}"`, extravars.Unknown, "{{ x }}"},
		{"!vault abc", extravars.Unknown, "abc"},
		{"!!str true", extravars.String, "true"},
	}
	for _, test := range tests {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte("x: "+test.yaml), &n); err != nil {
			t.Fatal(err)
		}
		v := field(n.Content[0], "x")
		if got := typeOf(v); got != test.typ {
			t.Errorf("%s: type %v, want %v", test.yaml, got, test.typ)
		}
		if diff := cmp.Diff(test.value, valueOf(v)); diff != "" {
			t.Errorf("%s: %s", test.yaml, diff)
		}
	}
}

func TestAnAnchorInItselfEnds(t *testing.T) {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte("x: &a [*a]"), &n); err != nil {
		t.Skip("the reader refuses it")
	}
	valueOf(field(n.Content[0], "x"))
}
