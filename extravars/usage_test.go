package extravars

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// refusal parses one argument that must be refused.
func refusal(t *testing.T, arg string) *UsageError {
	t.Helper()
	_, err := Parse([]string{arg}, testSchema, nil)
	var usage *UsageError
	if !errors.As(err, &usage) {
		t.Fatalf("%q is not refused: %v", arg, err)
	}
	return usage
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ arg, code, before, says string }{ // before: the text left of the caret
		{"additional_no_proxy=10.0.0.0/8, .corp.example", "extra-var-leftover-token", "additional_no_proxy=10.0.0.0/8, ", `-e 'additional_no_proxy="10.0.0.0/8, .corp.example"'`},
		{"x=A B C", "extra-var-leftover-token", "x=A ", `'x="A B C"'`},
		{"helm_enabled", "extra-var-leftover-token", "", "-e helm_enabled=true"},
		{"helm_enabled: true", "extra-var-leftover-token", "", "-e helm_enabled=true"},
		{"helm_enabled:true", "extra-var-leftover-token", "", "looks like YAML"},
		{"a = 1", "extra-var-leftover-token", "", "Blanks around ="},
		{"a= 1", "extra-var-leftover-token", "a= ", "Blanks around ="},
		{"a =1", "extra-var-leftover-token", "", "Blanks around ="},
		{` {"a":1}`, "extra-var-leftover-token", "", "blank before {"},
		{" @vars.yml", "extra-var-leftover-token", "", "blank before @"},
		{"  a=1", "extra-var-leftover-token", " ", "remove"},
		{"vars.yml", "extra-var-leftover-token", "", "-e @vars.yml"},
		{"x=1 --tags helm", "extra-var-leftover-token", "x=1 ", "option"},
		{`a=["x", "y"]`, "extra-var-leftover-token", `a=["x", `, `'{"a": ["x", "y"]}'`},
		{"-", "extra-var-leftover-token", "", "- has no key="},
		{" ", "extra-var-leftover-token", "", "only blanks"},
		{"a=it's", "extra-var-syntax", "a=it", "quote is never closed"},
		{`a="x`, "extra-var-syntax", "a=", "quote is never closed"},
		{"p={#x", "extra-var-syntax", "p=", "brace is never closed"},
		{`a=1 b=\U99999999`, "extra-var-syntax", "a=1 b=", "escape"},
		{"helm_enabled=maybe", "extra-var-not-boolean", "helm_enabled=", "maybe is not one"},
		{"x=1 helm_enabled=", "extra-var-not-boolean", "x=1 helm_enabled=", "empty"},
		{"helm_enabled=true, x=1", "extra-var-not-boolean", "helm_enabled=", "blanks between them"},
		{"{helm_enabled: true", "extra-var-syntax", "", "bracket is never closed"},
		{`{"a": 1]`, "extra-var-syntax", `{"a": 1`, "closes nothing"},
		{`{"a": "x}`, "extra-var-syntax", `{"a": `, "quote is never closed"},
		{"{a: {{ foo }}}", "extra-var-syntax", "{a: ", "quotes around it"},
		{"[a]", "extra-var-not-a-mapping", "", "mapping"},
		{"[]", "extra-var-not-a-mapping", "", "mapping"},
		{"/tmp/x.yml", "extra-var-path-without-at", "", "-e @/tmp/x.yml"},
		{"./x y.yml", "extra-var-path-without-at", "", "-e '@./x y.yml'"},
		{"@", "extra-var-file", "@", "no file name"},
		{"@/no/such.yml", "extra-var-file", "@", "no such file"},
		{"@" + dir, "extra-var-file", "@", "directory"},
		{"@/dev/stdin", "extra-var-pipe", "@", "standard input"},
		{"@/dev/fd/0", "extra-var-pipe", "@", "pipe"},
	} {
		u := refusal(t, c.arg)
		if u.Code != c.code || !strings.Contains(u.Detail(), c.says) {
			t.Errorf("%q: %s\n%s\nwant %s: %s", c.arg, u.Code, u.Detail(), c.code, c.says)
		}
		if u.Caret < 0 || string([]rune(u.Text)[:u.Caret]) != c.before {
			t.Errorf("%q: the caret is at %d, want it behind %q", c.arg, u.Caret, c.before)
		}
		if strings.Contains(u.Error(), "\n") {
			t.Errorf("%q: more than one line: %s", c.arg, u)
		}
	}
}

func TestAnonymousPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	if u := refusal(t, "@"+descriptorPath(r)); u.Code != "extra-var-pipe" {
		t.Error(u.Detail())
	}
}

func TestLongArgumentIsCut(t *testing.T) {
	u := refusal(t, "x="+strings.Repeat("é", 5000)+" leftover "+strings.Repeat("ü", 5000))
	if n := len([]rune(u.Text)); n > 200 || string([]rune(u.Text)[u.Caret:u.Caret+8]) != "leftover" {
		t.Errorf("%d characters, caret at %d: %s", n, u.Caret, u.Text)
	}
}

// No message holds a value whose name looks secret.
func TestSecretsStayOut(t *testing.T) {
	const secret = "hunter2"
	file := t.TempDir() + "/vars.yml"
	if err := os.WriteFile(file, []byte("registry_password: *"+secret), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{
		"registry_password=hunter2", "registry_password=x hunter2", "registry_password: hunter2", "registry_password:hunter2", "registry_password = hunter2", "registry_password =hunter2",
		"registry_password= hunter2", "registry_password = hunter2=", "registry_password: hunter2=", "registry_password hunter2", "registry_password='hunter2", "a=1 registry_password=\"hunter2",
		"a=b registry_password=x hunter2 c=d", "api_token_ready=hunter2", "registry_password={{hunter2", `registry_password=\U99999999hunter2`, `{"registry_password": "hunter2" x}`, "{registry_password: hunter2",
		"{registry_password: *hunter2}", "{registry_password: !hunter2 x}", "{registry_password: hunter2}", `{"a": {"registry_password": "hunter2"}, "a": ]`,
		"registry_password=C:\\bhunter2", "registry_password=[hunter2, x]", "@" + file, "registry_password=\nhunter2", "registry_password='x' hunter2 hunter2", "{registry_password: 1.5, b: hunter2",
	} {
		vars, err := Parse([]string{arg}, testSchema, nil)
		said := vars.Elements[0].Shown
		var usage *UsageError
		if errors.As(err, &usage) {
			said += usage.Error() + usage.Detail() + usage.Key
		}
		for _, f := range vars.Findings {
			said += f.Message + f.Fix + f.Key
		}
		for _, n := range vars.Elements[0].Notes {
			said += n.Key + n.Text
		}
		if strings.Contains(said, secret) {
			t.Errorf("%q: %s", arg, said)
		}
	}
}
