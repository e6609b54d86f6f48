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

// Every code that the sources give to a finding is explained, and nothing else is.
func TestEveryCodeIsExplained(t *testing.T) {
	used := map[string]string{}
	patterns := []*regexp.Regexp{
		regexp.MustCompile(`\bCode:\s+"([a-z0-9_-]+)"`),
		regexp.MustCompile(`\bCode = "([a-z0-9_-]+)"`),
		regexp.MustCompile(`\bCode, f\.Message = "([a-z0-9_-]+)"`),
		regexp.MustCompile(`\b(?:Inventory|Code)[A-Za-z]+\s+= "([a-z0-9_-]+)"`),
		regexp.MustCompile(`"((?:group|host)-vars-unused)"`),
		regexp.MustCompile(`\bvaultMissing = "([a-z0-9_-]+)"`),
	}
	for _, glob := range []string{"../audit/*.go", "../inventory/*.go", "../kubespray/inventory.go", "../settings/*.go", "../../extravars/*.go", "../../cmd/*.go"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal(glob, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range patterns {
				for _, m := range p.FindAllStringSubmatch(string(raw), -1) {
					used[m[1]] = file
				}
			}
		}
	}
	if len(used) < 50 {
		t.Fatalf("only %d codes were found in the sources", len(used))
	}
	for code, file := range used {
		if _, ok := explain.Find(code); !ok && !strings.HasSuffix(code, "-") { // one that ends so has a type behind it
			t.Errorf("%s gives the code %s, which nothing explains", file, code)
		}
	}
}

func TestExplanationsAreWhole(t *testing.T) {
	codes := explain.Codes()
	if len(slices.Compact(slices.Clone(codes))) != len(codes) {
		t.Error("a code is explained twice")
	}
	for _, code := range codes {
		e, _ := explain.Find(code)
		if !strings.HasSuffix(e.Meaning, ".") || !strings.HasSuffix(e.Fix, ".") || e.Link != "" && !strings.HasPrefix(e.Link, "https://") {
			t.Errorf("%s: %+v", code, e)
		}
	}
}
