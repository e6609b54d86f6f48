package kubespray

import (
	"testing"

	"github.com/surespray/surespray/extravars"
)

const someDefaults = `
flag: false
word: "false"
number: 3
nothing:
reference: "{{ flag }}"
circle: "{{ circle2 }}"
circle2: "{{ circle }}"
template: "{{ flag and word }}"
around: "v{{ number }}"
`

func TestTypes(t *testing.T) {
	c, err := Open(tree(t, looksLike("", map[string]string{
		"roles/a/defaults/main.yml":         someDefaults + "disagree: true\nagree: true\nundecided: true\nport: 6443\n",
		"roles/b/c/defaults/main/x.yaml":    "disagree: \"true\"\nagree: false\nundecided: \"{{ unknown_thing }}\"\nport: \"6443\"\nkept: yes\n",
		"roles/b/c/tasks/defaults/main.yml": "not_a_default: true\n",
		"roles/b/defaults/other.yml":        "not_a_default: true\n",
	})))
	if err != nil {
		t.Fatal(err)
	}
	types, err := c.Types()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]extravars.Type{
		"flag": extravars.Bool, "word": extravars.String, "number": extravars.Int, "nothing": extravars.Null,
		"reference": extravars.Bool, "circle": extravars.Unknown, "template": extravars.Unknown, "around": extravars.Unknown,
		"disagree": extravars.String, "agree": extravars.Bool, "undecided": extravars.Bool, "port": extravars.String,
		"kept": extravars.Bool, "not_a_default": extravars.Unknown, "never_heard_of": extravars.Unknown,
	}
	for name, typ := range want {
		if got := types.TypeOf(name); got != typ {
			t.Errorf("%s: %v, want %v", name, got, typ)
		}
	}
	d := types.Defaults("kept")
	if len(d) != 1 || d[0].File != "roles/b/c/defaults/main/x.yaml" || d[0].Line != 5 || d[0].Value != true {
		t.Errorf("kept: %+v", d)
	}
	if v, ok := types.Literal("reference"); !ok || v != false {
		t.Errorf("reference follows to %v, %v", v, ok)
	}
}
