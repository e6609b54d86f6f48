package explain_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/surespray/surespray/internal/explain"
)

// sources returns the Go files of directories, without their tests.
func sources(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out[file] = string(raw)
		}
	}
	return out
}

// A cause is given to a finding at once, or comes from a classifier.
var givesCause = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:Fail|Warn|NotYet|Underway|Unknown)\("([a-z0-9-]+)"`),
	regexp.MustCompile(`\b[cC]ause(?:, \w+)*\s*(?::=|=|:)\s*"([a-z0-9-]+)"`),
	regexp.MustCompile(`\.Cause(?:, [\w.]+)* = "([a-z0-9-]+)"`),
	regexp.MustCompile(`\boomKilled\s*= "([a-z0-9-]+)"`),
	regexp.MustCompile(`\bdiffer\("([a-z0-9-]+)"`),                                     // pools against the inventory
	regexp.MustCompile(`\{\s*"[^"]+", "((?:node|disk)-[a-z-]+)", "`),                   // what a disk says
	regexp.MustCompile(`(?m)^\s*\{"([a-z-]+)", ".*\[\]string\{`),                       // fatal lines of a log
	regexp.MustCompile(`\breturn "((?:kubelet|node|pod|no|bad)-[a-z-]+)"(?:$|\n|, ")`), // classifiers
}

// Every cause that a check, the engine or a command gives is explained.
func TestEveryCauseIsExplained(t *testing.T) {
	used := map[string]string{}
	for file, text := range sources(t, "verify", "verify/checks", "verify/cluster", "cmd") {
		for _, p := range givesCause {
			for _, m := range p.FindAllStringSubmatch(text, -1) {
				used[m[1]] = file
			}
		}
	}
	// The kinds of errors of which access.go makes a cause api-KIND; it maps the others.
	for file, text := range sources(t, "verify/cluster") {
		for _, m := range regexp.MustCompile(`\bKind(\w+)\s+(?:Kind )?\s*= "([a-z-]+)"`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains([]string{"Forbidden", "NotCaptured", "Unauthorized", "Refused", "Timeout", "NoRoute", "Other"}, m[1]) {
				used["api-"+m[2]] = file
			}
		}
	}
	delete(used, "api-") // a kind follows
	for _, code := range []string{
		"api-dns", "api-tls", "api-error", "kubelet-cert-no-san", "crash-loop", "pod-sandbox", "port-in-use", "oomkilled", "deadline",
		"node-path-denied", "node-disk-full", "pod-to-own-node-blocked", "endpoint-refused", "log-unreadable", "encapsulation-drift", "pool-range-drift", "no-kubeconfig", "bad-kubeconfig",
	} {
		if used[code] == "" {
			t.Errorf("the cause %s is not found in the sources: the patterns no longer fit", code)
		}
	}
	if len(used) < 170 {
		t.Fatalf("only %d causes were found in the sources", len(used))
	}
	for code, file := range used {
		if _, ok := explain.Find(code); !ok {
			t.Errorf("%s gives the cause %s, which nothing explains", file, code)
		}
	}
}

// Every cause that a state under testdata expects is explained, wherever it comes from.
func TestEveryExpectedCauseIsExplained(t *testing.T) {
	files, err := filepath.Glob("../../verify/checks/testdata/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no states", err)
	}
	expected := regexp.MustCompile(`\bcause: ([a-z0-9-]+)`)
	found := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range expected.FindAllStringSubmatch(string(raw), -1) {
			found++
			if _, ok := explain.Find(m[1]); !ok {
				t.Errorf("%s expects the cause %s, which nothing explains", file, m[1])
			}
		}
	}
	if found < 100 {
		t.Fatalf("only %d causes were found in the states", found)
	}
}
