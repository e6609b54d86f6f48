package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/surespray/surespray/verify"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestGolden(t *testing.T) {
	for name, d := range documents() {
		for suffix, o := range map[string]struct {
			format  Format
			options Options
		}{
			".txt": {Text, Options{}}, ".verbose.txt": {Text, Options{Verbose: true}}, ".color.txt": {Text, Options{Color: true}}, ".json": {JSON, Options{}}, ".sarif": {SARIF, Options{}},
		} {
			if suffix == ".color.txt" && name != "broken" {
				continue
			}
			t.Run(name+suffix, func(t *testing.T) {
				var b bytes.Buffer
				if err := Render(&b, o.format, d, o.options); err != nil {
					t.Fatal(err)
				}
				golden(t, name+suffix, b.Bytes())
			})
		}
	}
}

func TestClosing(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"ok", "broken", "unknown", "cancelled", "failed", "usage"} {
		b.WriteString(Closing(documents()[name]) + "\n")
	}
	golden(t, "closing.txt", []byte(b.String()))
}

func TestJudge(t *testing.T) {
	for want, verdicts := range map[int][]verify.Verdict{
		0:  {verify.VerdictPass, verify.VerdictWarn, verify.VerdictSkip},
		73: {verify.VerdictUnknown, verify.VerdictFail, verify.VerdictPass},
		74: {verify.VerdictUnknown, verify.VerdictWarn},
	} {
		var results []verify.Result
		for _, v := range verdicts {
			results = append(results, verify.Result{Verdict: v})
		}
		if got := Judge(results); got.Code != want {
			t.Errorf("%v: %+v", verdicts, got)
		}
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	for _, name := range []string{"ok", "broken"} {
		if err := WriteFile(path, JSON, documents()[name]); err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(body, []byte(`"code": 73`)) {
		t.Errorf("%s %v", body, err)
	}
	if err := WriteFile(filepath.Join(dir, "none", "report.json"), JSON, Document{}); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("a directory that is missing: %v", err)
	}
	if err := WriteFile(path, "yaml", Document{}); err == nil {
		t.Error("an unknown format was written")
	}
	if again, _ := os.ReadFile(path); !bytes.Equal(again, body) {
		t.Error("a failure changed the file")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := WriteFile(os.DevNull, Text, documents()["ok"]); err != nil {
		t.Errorf("a device: %v", err)
	}
}

func TestParseTarget(t *testing.T) {
	if f, path, err := ParseTarget("json=out/a=b.json"); err != nil || f != JSON || path != "out/a=b.json" {
		t.Error(f, path, err)
	}
	for _, bad := range []string{"json", "json=", "=x", "yaml=x"} {
		if _, _, err := ParseTarget(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, r := range renderers() {
		if f, err := ParseFormat(string(r.format)); err != nil || f != r.format {
			t.Error(f, err)
		}
	}
	if _, err := ParseFormat("yaml"); err == nil || err.Error() != `format "yaml" is not one of: text, json, sarif` {
		t.Error(err)
	}
}

func TestWantsColor(t *testing.T) {
	env := map[string]string{}
	get := func(k string) string { return env[k] }
	if !WantsColor(get, true) || WantsColor(get, false) {
		t.Error("a terminal decides")
	}
	env["NO_COLOR"] = "1"
	if WantsColor(get, true) {
		t.Error("NO_COLOR is not honoured")
	}
}
