package extravars

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConditions(t *testing.T) {
	vars, err := Parse([]string{
		"no=false yes=true empty= zero=0 tpl={{x}}", "{f: false, t: true, n: ~, zero: 0, one: 1, nil: [], list: [x], none: {}, d: 2024-01-02, u: !unsafe '{{ x }}', v: !vault x, tpl: '{% if x %}', fl: 0.0}",
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []map[Core]map[string]any{
		{
			Core218: {"no": true, "yes": true, "empty": false, "zero": true},
			Core219: {"no": "error", "yes": "error", "empty": "error", "zero": "error"},
		},
		{
			Core218: {"f": false, "t": true, "n": false, "zero": false, "one": true, "nil": false, "list": true, "none": false, "d": true, "u": true, "fl": false},
			Core219: {
				"f": false, "t": true, "n": "error", "zero": "error", "one": "error", "nil": "error", "list": "error", "none": "error", "d": "error", "u": "error", "fl": "error",
			},
		},
	}
	for i, e := range vars.Elements {
		for _, core := range Cores() {
			if diff := cmp.Diff(want[i][core], e.Condition(core)); diff != "" {
				t.Error(core, diff)
			}
		}
	}
}

func TestMappingIsShown(t *testing.T) {
	m := Mapping{
		{"a", "<x>"},
		{int64(1), nil},
		{true, math.NaN()},
		{"v", Vault("$ANSIBLE_VAULT")},
		{"u", Unsafe("{{ x }}")},
		{"d", Date("2024-01-02")},
		{"f", 1.0},
		{"in", []any{Mapping{{"db_password", "hunter2"}, {"n", int64(2)}}}},
		{"api_token", "hunter2"},
	}
	got, err := json.Marshal(m.Masked())
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"a":"\u003cx\u003e","1":null,"true":"NaN","v":"\u003cvault\u003e","u":"{{ x }}","d":"2024-01-02","f":1.0,"in":[{"db_password":"***","n":2}],"api_token":"***"}`
	if string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got, _ := json.Marshal(Mapping(nil)); string(got) != "null" {
		t.Errorf("%s", got)
	}
}

func TestLooksSecret(t *testing.T) {
	for name, want := range map[string]bool{
		"registry_password": true, "ansible_become_pass": true, "vault_token": true, "AWS_SECRET_ACCESS_KEY": true, "apiKey": true, "etcd_private-key": true, "credentials": true, "my.key": true,
		"helm_enabled": false, "kube_version": false, "keyboard": false, "compass": false, "monkey": false, "bypass_checks": false,
	} {
		if LooksSecret(name) != want {
			t.Errorf("%s: want %t", name, want)
		}
	}
}
