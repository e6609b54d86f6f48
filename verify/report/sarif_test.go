package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// sarifObjects are the objects of SARIF 2.1.0 that may occur, by where they stand, with
// the properties that the standard requires of each ("!") or allows and we use.
func sarifObjects() map[string]string {
	return map[string]string{
		"":                       "$schema version! runs!",
		"runs":                   "tool! results",
		"runs.tool":              "driver!",
		"runs.tool.driver":       "name! rules",
		"runs.tool.driver.rules": "id! shortDescription",
		"runs.tool.driver.rules.shortDescription": "text!",
		"runs.results":                                             "ruleId! ruleIndex! level! message! locations partialFingerprints! suppressions",
		"runs.results.message":                                     "text!",
		"runs.results.locations":                                   "physicalLocation logicalLocations",
		"runs.results.locations.physicalLocation":                  "artifactLocation! region",
		"runs.results.locations.physicalLocation.artifactLocation": "uri!",
		"runs.results.locations.physicalLocation.region":           "startLine!",
		"runs.results.locations.logicalLocations":                  "name!",
		"runs.results.partialFingerprints":                         "surespray/v1!",
		"runs.results.suppressions":                                "kind! justification!",
	}
}

// shape checks a value against the table.
func shape(t *testing.T, at string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			shape(t, at, one)
		}
	case map[string]any:
		allowed := strings.Fields(sarifObjects()[at])
		for _, name := range allowed {
			if name, must := strings.CutSuffix(name, "!"); must && v[name] == nil {
				t.Errorf("%s lacks %s", at, name)
			}
		}
		for name, value := range v {
			if !slices.Contains(allowed, name) && !slices.Contains(allowed, name+"!") {
				t.Errorf("%s has %s", at, name)
			}
			shape(t, strings.TrimPrefix(at+"."+name, "."), value)
		}
	case string:
		if v == "" {
			t.Errorf("%s is empty", at)
		}
	}
}

func TestSARIF(t *testing.T) {
	for name, d := range documents() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Render(&b, SARIF, d, Options{}); err != nil {
				t.Fatal(err)
			}
			var tree any
			var log sarifLog
			if err := json.Unmarshal(b.Bytes(), &tree); err != nil {
				t.Fatal(err)
			}
			shape(t, "", tree)
			if err := json.Unmarshal(b.Bytes(), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
				t.Fatal(err, log)
			}
			run := log.Runs[0]
			seen := map[string]bool{}
			for i, r := range run.Results {
				if rules := run.Tool.Driver.Rules; r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
					t.Errorf("result %d points to another rule than %s", i, r.RuleID)
				}
				if !slices.Contains([]string{"error", "warning", "note"}, r.Level) {
					t.Errorf("result %d: level %s", i, r.Level)
				}
				if (r.Suppressions == nil) != (run.Results[0].Suppressions == nil) {
					t.Errorf("result %d: suppressions are told of some results only", i)
				}
				fingerprint := r.PartialFingerprints["surespray/v1"]
				if seen[fingerprint] {
					t.Errorf("result %d: fingerprint twice", i)
				}
				seen[fingerprint] = true
				for _, l := range r.Locations {
					if p := l.PhysicalLocation; p != nil && p.Region != nil && p.Region.StartLine < 1 {
						t.Errorf("result %d: line %d", i, p.Region.StartLine)
					}
				}
			}
		})
	}
}

func TestSARIFURI(t *testing.T) {
	for file, want := range map[string]string{
		"inventory/lab/all.yml": "inventory/lab/all.yml",
		"./group vars/all.yml":  "group%20vars/all.yml",
		"../x.yml":              "../x.yml",
		"/etc/a b":              "file:///etc/a%20b",
		"//etc/x":               "file:///etc/x",
		"a:b/c":                 "./a:b/c",
		"50%?#[é]":              "50%25%3F%23%5B%C3%A9%5D",
		"\xff":                  "%FF",
	} {
		got := sarifURI(file)
		if u, err := url.Parse(got); got != want || err != nil || strings.TrimPrefix(u.Path, "./") == "" {
			t.Errorf("%s: %s %v", file, got, err)
		}
	}
}

// TestSARIFFingerprint: a finding stays the same when lines shift, and only then.
func TestSARIFFingerprint(t *testing.T) {
	base := Finding{Code: "c", File: "f", Key: "k", Line: 3, Message: "m"}
	fingerprint := func(f Finding) string { return fmt.Sprint(sarifFinding(f).PartialFingerprints) }
	moved := base
	moved.Line, moved.Message = 9, "other words"
	if fingerprint(base) != fingerprint(moved) {
		t.Error("a line shift makes another finding")
	}
	for _, other := range []Finding{{Code: "d", File: "f", Key: "k"}, {Code: "c", File: "g", Key: "k"}, {Code: "c", File: "f", Key: "j"}, {Code: "c", File: "f", Key: "k", Detail: "w2"}} {
		if fingerprint(base) == fingerprint(other) {
			t.Errorf("%+v is the same", other)
		}
	}
}
