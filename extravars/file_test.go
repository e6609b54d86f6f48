package extravars

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func descriptorPath(f *os.File) string { return fmt.Sprintf("/dev/fd/%d", f.Fd()) }

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The user's files stay at their place between ours.
func TestOrderAroundFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secrets.yml"), "$ANSIBLE_VAULT;1.1;AES256\n3330\n")
	write(t, filepath.Join(dir, "mixed.yml"), "helm_enabled: \"true\"\ncert_manager_token: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  3330303030\n")
	args := []Arg{{Text: "metallb_enabled=true"}, {Text: "@secrets.yml"}, {Text: ""}, {Text: "@mixed.yml"}, {Text: "{a: 2024-01-02}"}, {Text: "metallb_enabled=false"}}
	vars, err := ParseArgs(args, Options{Schema: testSchema, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"-e", "@/p/000.json", "-e", "@" + dir + "/secrets.yml", "-e", "@" + dir + "/mixed.yml", "-e", "@/p/004.yml", "-e", "@/p/005.json"}
	if diff := cmp.Diff(want, vars.Args("/p")); diff != "" {
		t.Error(diff)
	}
	wantFindings := []Finding{
		{Severity: "info", Code: "not-audited-encrypted", Message: "secrets.yml is encrypted as a whole, so nothing in it was checked", File: "secrets.yml", Arg: 1},
		{
			Severity: "error", Code: "string-boolean", Key: "helm_enabled", File: "mixed.yml", Line: 1, Arg: 3, Cores: []Core{Core219},
			Message: "helm_enabled is a boolean, this is text: a condition fails from ansible-core 2.19 on", Fix: "write true or false, without quotes",
		},
	}
	if diff := cmp.Diff(wantFindings, vars.Findings); diff != "" {
		t.Error(diff)
	}
	if !vars.Elements[1].Opaque || !vars.Opaque() {
		t.Error("the vaulted file counts as read")
	}
}

func TestPathsAsAnsibleFindsThem(t *testing.T) {
	o := Options{Dir: "/here/dir", Getenv: func(k string) string { return map[string]string{"HOME": "/home/me", "SUB": "sub", "ABS": "/abs"}[k] }}
	for in, want := range map[string]string{
		"x.yml": "/here/dir/x.yml", "./x.yml": "/here/dir/x.yml", "../x.yml": "/here/x.yml", "/a/../x.yml": "/x.yml", "~/x.yml": "/home/me/x.yml", "$SUB/x.yml": "/here/dir/sub/x.yml",
		"${SUB}x.yml": "/here/dir/subx.yml", "$ABS/x.yml": "/abs/x.yml", "$NONE/x.yml": "/here/dir/$NONE/x.yml", " x.yml": "/here/dir/ x.yml",
	} {
		if got, err := o.absolute(in); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", in, got, err, want)
		}
	}
}

func TestNamedPipeIsPassedUnread(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	vars, err := Parse([]string{"@" + fifo}, nil, nil)
	if err != nil || !vars.Elements[0].Opaque || !cmp.Equal(vars.Args("/p"), []string{"-e", "@" + fifo}) {
		t.Error(err, vars.Args("/p"))
	}
}

// An open file of ours has another number in Ansible: its path is passed.
func TestDescriptorOnFile(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "x.yml"), "a: 1\n")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	vars, err := Parse([]string{"@" + descriptorPath(f)}, nil, nil)
	if err != nil || !cmp.Equal(vars.Args("/p"), []string{"-e", "@" + path}) {
		t.Error(err, vars.Args("/p"))
	}
}

// Of a vaulted file only the header is read, even with a reader of the caller's.
func TestVaultIsNotRead(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "x.yml"), "$ANSIBLE_VAULT;1.1;AES256\n33\n")
	_, err := Parse([]string{"@" + path}, nil, func(string) ([]byte, error) {
		t.Error("the file was read")
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"": "extra-var-not-a-mapping", "# only\n": "extra-var-not-a-mapping", "- a\n": "extra-var-not-a-mapping", "a=1 b=2\n": "extra-var-not-a-mapping",
		"a: 1\n---\nb: 2\n": "extra-var-syntax", "a: b: c\n": "extra-var-syntax", "a: \xe9\n": "extra-var-file", "a: {{ x }}\n": "extra-var-syntax",
	} {
		path := write(t, filepath.Join(t.TempDir(), "x.yml"), text)
		if u := refusal(t, "@"+path); u.Code != want || u.File == "" {
			t.Errorf("%q: %s %s, want %s", text, u.Code, u.Detail(), want)
		}
	}
}

func TestLintOfFile(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "x.yml"), `helm_enabled: "false"
metrics_server_enabled: 0
kube_version: 1.30
docker_iptables_enabled: true
kubelet_max_pods: "110"
dns_servers: "a,b"
labels: '{{ x }}'
helm_enabeld: true
local_path_provisioner_is_default_storageclass: 0700
a:1:
`)
	vars, err := Parse([]string{"x=1", "@" + path}, testSchema, nil)
	if err != nil {
		t.Fatal(err)
	}
	type brief struct {
		Severity  Severity
		Code, Fix string
		Line, Arg int
	}
	var got []brief
	for _, f := range vars.Findings {
		got = append(got, brief{f.Severity, f.Code, f.Fix, f.Line, f.Arg})
	}
	want := []brief{
		{"error", "string-boolean", "write true or false, without quotes", 1, 1},
		{"error", "not-boolean", "write true or false, without quotes", 2, 1},
		{"warning", "version-read-as-number", `put it in quotes: "1.30"`, 3, 1},
		{"warning", "boolean-where-text-expected", `put it in quotes: "true"`, 4, 1},
		{"warning", "string-number", "write it without quotes", 5, 1},
		{"warning", "string-collection", "write it without quotes", 6, 1},
		{"warning", "extra-var-name-typo", "did you mean helm_enabled?", 8, 1},
		{"warning", "octal-read-as-number", `put it in quotes: "0700"`, 9, 1},
		{"warning", "extra-var-invalid-name", "write NAME: VALUE", 10, 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
