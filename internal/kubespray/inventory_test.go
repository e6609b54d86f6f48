package kubespray

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestInventoryProblems(t *testing.T) {
	dir := tree(t, map[string]string{
		"good.ini": "[all]\nh1\n", "bom.ini": "\ufeff[all]\nh1\n", "bom.yml": "\ufeffall: {hosts: {h1: }}\n", "empty.ini": " \n",
		"nohosts.ini": "# x\n[a]\n#h\n[b:children]\na\n[all:vars]\nx=1\n", "hosts.yaml": "all:\n  hosts: {}\n",
		"ini/inventory.ini": "[all]\nh1\n", "ini/group_vars/all.yml": "a: 1\n", "ini/artifacts/x": "",
		"yaml/hosts.yaml": "all: {}\n", "none/group_vars/all.yml": "a: 1\n", "script": "#!/bin/sh\n",
	})
	upstream := Config{Path: "/ks/ansible.cfg", IgnoreExtensions: []string{"~", ".ini"}, IgnorePatterns: []string{"artifacts"}}
	tests := []struct {
		arg  string
		cfg  Config
		core string
		code string
	}{
		{"good.ini", Config{}, "2.19.1", ""},
		{"h1,", Config{}, "", ""},
		{"nothere", Config{}, "", InventoryMissing},
		{"bom.ini", Config{}, "", InventoryBOM},
		{"bom.yml", Config{}, "", ""},
		{"empty.ini", Config{}, "", InventoryEmpty},
		{"nohosts.ini", Config{}, "", InventoryEmpty},
		{"hosts.yaml", Config{}, "", ""},
		{"script", Config{}, "", ""},
		{"ini", upstream, "2.19.1", InventoryIgnored},
		{"ini/", upstream, "", InventoryIgnored},
		{"ini", Config{IgnorePatterns: []string{"artifacts"}}, "2.18.3", InventoryIgnored},
		{"ini", Config{}, "2.19.1", ""},
		{"ini", Config{}, "", ""},
		{"yaml", upstream, "", ""},
		{"none", upstream, "", InventoryEmpty},
	}
	for _, test := range tests {
		t.Run(test.arg+test.core, func(t *testing.T) {
			got := InventoryProblems([]string{test.arg}, dir, test.cfg, test.core)
			code := ""
			if len(got) > 0 {
				code = got[0].Code
			}
			if code != test.code {
				t.Fatalf("got %q, want %q: %v", code, test.code, got)
			}
			if code == InventoryIgnored && !strings.Contains(got[0].Error(), "-i "+filepath.Join(test.arg, "inventory.ini")) {
				t.Errorf("no next step in %q", got[0].Error())
			}
		})
	}
}
