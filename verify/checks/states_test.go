package checks

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/surespray/surespray/verify"
)

// readYAML reads a state strictly: a word that nobody knows is a mistake.
func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	body, err := os.ReadFile(path)
	if err == nil {
		err = yaml.UnmarshalStrict(body, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// expect compares findings with what a state wants for each id, or id/subject.
func expect(t *testing.T, got map[string][]verify.Finding, wants map[string]expectation) {
	t.Helper()
	for key, want := range wants {
		id, subject, _ := strings.Cut(key, "/")
		i := slices.IndexFunc(got[id], func(f verify.Finding) bool { return f.Subject == subject })
		if i < 0 {
			t.Errorf("%s: no finding, there are %+v", key, got[id])
			continue
		}
		for _, problem := range want.compare(got[id][i]) {
			t.Errorf("%s: %s\n%s", key, problem, show(got[id][i]))
		}
	}
	if len(wants) == 0 {
		t.Errorf("the state wants nothing: %+v", got)
	}
	unique(t, got)
}
