package settings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 5, 4, 23, 30, 0, 0, time.FixedZone("east", 2*3600))

// write puts a file below the working directory, and returns its name.
func write(t *testing.T, path, body string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("HOME", "/home/me")
	one := write(t, "inventory/lab/.surespray.yml", `---
cluster: lab
kubeconfig: artifacts/admin.conf
accept:
  - code: unreachable
    detail: w2
    reason: in repair, ticket 12
    until: 2026-05-04
  - {code: string-boolean, reason: "as ever", until: "2030-01-01"}
verify:
  scope: off
  skip: [nodes.ready, hpa]
`)
	two := write(t, "more/.surespray.yml", "cluster: lab\nkubeconfig: ../inventory/lab/artifacts/admin.conf\ncontext: admin@lab\naccept:\n- {code: hazard, reason: x}\nverify:\n  scope: auto\n  skip: [hpa, network]\n")
	got, err := Read([]string{one, two}, now)
	if err != nil {
		t.Fatal(err)
	}
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, now.Location()) }
	want := Settings{
		Files: []string{one, two}, Cluster: "lab", Kubeconfig: "inventory/lab/artifacts/admin.conf", Context: "admin@lab",
		Accept: []Accept{
			{Code: "unreachable", Detail: "w2", Reason: "in repair, ticket 12", Until: day(2026, 5, 4), File: one, Line: 5},
			{Code: "string-boolean", Reason: "as ever", Until: day(2030, 1, 1), File: one, Line: 9},
			{Code: "hazard", Reason: "x", File: two, Line: 5},
		},
		Scope: "auto", Skip: []string{"nodes.ready", "hpa", "network"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for value, want := range map[string]string{"~/.kube/lab": "/home/me/.kube/lab", "'~'": "/home/me", "/etc/x": "/etc/x", "./a/../b": "more/b"} {
		write(t, two, "kubeconfig: "+value+"\n")
		if got, err := Read([]string{two}, now); err != nil || got.Kubeconfig != want {
			t.Errorf("%s: %q %v", value, got.Kubeconfig, err)
		}
	}
}

func TestReadNothingSaid(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, body := range []string{"", "\n", "# later\n", "---\n", "---\n# x\n---\n", "{}\n", "accept:\n#  - code: x\nverify:\ncluster:\n", "\ufeffcluster:\n"} {
		file := write(t, Name, body)
		got, err := Read([]string{file}, now)
		if diff := cmp.Diff(Settings{Files: []string{file}}, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", body, err, diff)
		}
	}
	if got, err := Read(nil, now); err != nil || got.Files != nil {
		t.Error(got, err)
	}
}

func TestReadProblems(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		name, body string
		want       []string // CODE LINE: message; fix
	}{
		{"unknown key", "clutser: x\n", []string{`settings-unknown-key 1: the file knows no key "clutser"; did you mean cluster?`}},
		{"another word", "\nfoo: x\n", []string{`settings-unknown-key 2: the file knows no key "foo"; what may stand here: cluster, kubeconfig, context, accept, verify`}},
		{"deeper", "verify:\n  scop: auto\naccept:\n- code: a\n  raeson: b\n", []string{
			`settings-unknown-key 2: verify knows no key "scop"; did you mean scope?`,
			`settings-invalid 4: the acceptance of a has no reason; add reason: WHY, for whoever reads it next`,
			`settings-unknown-key 5: an entry of accept knows no key "raeson"; did you mean reason?`,
		}},
		{"keys that are none", "? [a]\n: b\n<<: {cluster: x}\n1: x\n", []string{
			`settings-unknown-key 1: the file knows no key ""; what may stand here: cluster, kubeconfig, context, accept, verify`,
			`settings-unknown-key 3: the file knows no key "<<"; what may stand here: cluster, kubeconfig, context, accept, verify`,
			`settings-unknown-key 4: the file knows no key "1"; what may stand here: cluster, kubeconfig, context, accept, verify`,
		}},
		{"twice", "cluster: a\ncontext: b\ncluster: a\n", []string{`settings-invalid 3: cluster stands here and at line 1; keep one of them`}},
		{"types", "cluster: 12\ncontext: true\nkubeconfig: [a]\nverify: off\naccept: {code: a}\n", []string{
			`settings-invalid 1: cluster must be text, not the number "12"; put it in quotes: "12"`,
			`settings-invalid 2: context must be text, not the boolean "true"; put it in quotes: "true"`,
			`settings-invalid 3: kubeconfig must be text, not a list; write one line of text`,
			`settings-invalid 4: verify must be a mapping of scope, skip, not text; write KEY: VALUE lines`,
			`settings-invalid 5: accept must be a list, not a mapping; write accept: [{code: CODE, reason: WHY}]`,
		}},
		{"types below", "verify:\n  scope: some\n  skip: nodes.ready\naccept: [a]\n", []string{
			`settings-invalid 2: scope "some" is not one of auto, all, report, off; write scope: auto, all, report or off`,
			`settings-invalid 3: skip must be a list, not text; write skip: [nodes.ready]`,
			`settings-invalid 4: an entry of accept must be a mapping of code, detail, reason, until, not text; write KEY: VALUE lines`,
		}},
		{"boolean scope, vault", "verify:\n  scope: false\n  skip: [1.5]\ncluster: !vault x\n", []string{
			`settings-invalid 2: scope must be text, not the boolean "false"; put it in quotes: "false"`,
			`settings-invalid 3: an entry of skip must be text, not the number "1.5"; put it in quotes: "1.5"`,
			`settings-invalid 4: cluster must be text, not something tagged !vault; write one line of text`,
		}},
		{"no mapping", "- a\n", []string{`settings-invalid 1: the file must be a mapping of cluster, kubeconfig, context, accept, verify, not a list; write KEY: VALUE lines`}},
		{"accept", "accept:\n- {}\n- {code: 5}\n- {code: hazard=x, reason: r}\n- {code: a b, reason: ' '}\n-\n", []string{
			`settings-invalid 2: an entry of accept has no code; add code: CODE, as the finding names it`,
			`settings-invalid 2: the acceptance of nothing has no reason; add reason: WHY, for whoever reads it next`,
			`settings-invalid 3: code must be text, not the number "5"; put it in quotes: "5"`,
			`settings-invalid 3: the acceptance of nothing has no reason; add reason: WHY, for whoever reads it next`,
			`settings-invalid 4: the code "hazard=x" holds a detail; write code: hazard and detail: x`,
			`settings-invalid 5: the code "a b" holds a space; write it as the finding names it`,
			`settings-invalid 5: the acceptance of a b has no reason; add reason: WHY, for whoever reads it next`,
			`settings-invalid 6: an entry of accept has no code; add code: CODE, as the finding names it`,
			`settings-invalid 6: the acceptance of nothing has no reason; add reason: WHY, for whoever reads it next`,
		}},
		{"until", "accept:\n- {code: a, detail: b, reason: r, until: 2026-05-03}\n- {code: a, reason: r, until: 2026-02-30}\n- {code: a, reason: r, until: 2026-05-04T10:00:00Z}\n- code: a\n  reason: r\n  until:\n- {code: a, reason: r, until: [x]}\n", []string{
			`accept-expired 2: the acceptance of a=b held until 2026-05-03 (r); mend what it is about, or look again and set a later until`,
			`settings-invalid 3: until "2026-02-30" is no date; write the last day on which it holds, such as until: 2026-12-31, or leave it out`,
			`settings-invalid 4: until "2026-05-04T10:00:00Z" is no date; write the last day on which it holds, such as until: 2026-12-31, or leave it out`,
			`settings-invalid 7: until must be a date, not empty; write the last day on which it holds, such as until: 2026-12-31, or leave it out`,
			`settings-invalid 8: until must be a date, not a list; write the last day on which it holds, such as until: 2026-12-31, or leave it out`,
		}},
		{"encrypted", "$ANSIBLE_VAULT;1.1;AES256\n3330\n", []string{`settings-invalid 1: it is encrypted, and surespray reads it without a password; ansible-vault decrypt .surespray.yml: nothing in it needs to be secret`}},
		{"another home", "kubeconfig: ~you/x\n", []string{`settings-invalid 1: kubeconfig: "~you/x" is in the home of another user, which is not looked up; write the path out`}},
		{"two documents", "cluster: a\n---\ncluster: b\n", []string{`settings-invalid 2: a second document begins here, which would not be read; keep one of them`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read([]string{write(t, Name, tt.body)}, now)
			var got []string
			for _, p := range Problems(err) {
				got = append(got, p.Code+" "+strings.TrimPrefix(p.Error(), Name+":"))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadSyntax(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, body := range []string{"cluster: a\ncontext: [b\n", "a: b: c\n", "\tx: 1\n", "cluster: *none\n", "cluster: a\n---\nb: [\n", "\xff", "cluster: \x00\n"} {
		_, err := Read([]string{write(t, Name, body)}, now)
		if p := Problems(err); len(p) != 1 || p[0].Code != CodeInvalid || p[0].Line < 1 || p[0].Line > 4 {
			t.Errorf("%q: %v", body, err)
		} else if strings.Contains(p[0].Message, "yaml:") {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// TestReadConflict: two inventories of two clusters in one command.
func TestReadConflict(t *testing.T) {
	t.Chdir(t.TempDir())
	files := []string{write(t, "a/"+Name, "cluster: x\nkubeconfig: k\n"), write(t, "b/"+Name, "accept: [{code: c}]\nkubeconfig: k\ncluster: y\n")}
	s, err := Read(files, now)
	want := `b/.surespray.yml:1: the acceptance of c has no reason; add reason: WHY, for whoever reads it next
b/.surespray.yml:2: kubeconfig is "b/k" here and "a/k" in a/.surespray.yml:2; make them agree, or give the inventories of one cluster only
b/.surespray.yml:3: cluster is "y" here and "x" in a/.surespray.yml:1; make them agree, or give the inventories of one cluster only`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if s.Cluster != "x" || len(s.Accept) != 0 {
		t.Errorf("%+v", s)
	}
	var one *Error
	if !errors.As(err, &one) || len(Problems(err)) != 3 || Problems(errors.New("x")) != nil || Problems(nil) != nil {
		t.Error("the problems cannot be taken apart")
	}
}

func TestReadUnreadable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("dir/"+Name, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", Name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/null", "null"); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		Name: ".surespray.yml:1: it cannot be read: no such file or directory; ", "dir/" + Name: "dir/.surespray.yml:1: it is no regular file; ", "null": "null:1: it is no regular file; ",
	} {
		if _, err := Read([]string{file}, now); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	file := write(t, "closed/"+Name, "")
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Read([]string{file}, now); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"lab", "prod/sub", "two,names"} {
		write(t, filepath.Join(dir, d, Name), "")
		write(t, filepath.Join(dir, d, "hosts.ini"), "")
	}
	if err := os.Symlink("lab", filepath.Join(dir, "again")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "dangling"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling", Name)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want []string }{
		{[]string{"lab/hosts.ini"}, []string{"lab/" + Name}},
		{[]string{"lab"}, []string{"lab/" + Name}},
		{[]string{"prod/sub", "./lab/hosts.ini", "lab/", "lab/../lab", "again"}, []string{"prod/sub/" + Name, "lab/" + Name}},
		{[]string{filepath.Join(dir, "lab"), "lab"}, []string{filepath.Join(dir, "lab", Name)}},
		{[]string{"prod", "w1,", "two,names", "@x", "", "none/hosts", "lab/hosts.ini/x", "lab/none.ini"}, []string{"lab/" + Name}},
		{[]string{"dangling"}, []string{"dangling/" + Name}},
		{nil, nil},
	} {
		if got := Find(tt.args, dir); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q", tt.args, got)
		}
	}
	write(t, filepath.Join(dir, Name), "")
	if got := Find([]string{"hosts.ini", "../" + filepath.Base(dir)}, dir); !slices.Equal(got, []string{Name}) {
		t.Errorf("%q", got)
	}
}

func TestParseAccept(t *testing.T) {
	for arg, want := range map[string]Accept{
		"string-boolean":                {Code: "string-boolean"},
		"unreachable=w2":                {Code: "unreachable", Detail: "w2"},
		"hazard=cert-manager-namespace": {Code: "hazard", Detail: "cert-manager-namespace"},
		"network-change=calico:cilium":  {Code: "network-change", Detail: "calico:cilium"},
		"unknown=a=b":                   {Code: "unknown", Detail: "a=b"},
	} {
		got, err := ParseAccept(arg)
		if err != nil || got != want || got.String() != arg {
			t.Errorf("%s: %+v %v", arg, got, err)
		}
	}
	for _, bad := range []string{"", "=", "=w2", "unreachable=", "unreachable= ", " x", "a b=c"} {
		if got, err := ParseAccept(bad); err == nil || !strings.Contains(err.Error(), "such as") || got != (Accept{}) {
			t.Errorf("%q: %+v %v", bad, got, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"cluster: a\nkubeconfig: ~/x\naccept:\n- {code: a, detail: b, reason: c, until: 2026-12-31}\nverify: {scope: off, skip: [a, b]}\n",
		"a: &a [*a]\naccept: *a\n", "accept: &x\n- *x\n", "? {a: b}\n: c\n", "cluster: !!int x\n", "cluster: !<tag:yaml.org,2002:float> x\n", "until: ! 2026-01-01\n---\n--- b\n", "\xff\xfea\x00", "%TAG ! x\n", "$ANSIBLE_VAULT",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r := &reader{file: Name, now: now, singles: map[string]single{}}
		r.parse(body)
		for _, p := range r.problems {
			if p.Line < 1 || p.Message == "" || p.Fix == "" || p.Code == "" || p.File != Name {
				t.Errorf("%+v", p)
			}
		}
		for _, a := range r.accepted {
			if a.Code == "" || a.Reason == "" || a.Line < 1 {
				t.Errorf("%+v", a)
			}
		}
	})
}
