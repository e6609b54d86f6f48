package checks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// expectation is what a state must give for one id, or id/subject.
type expectation struct {
	Verdict  verify.Verdict
	Cause    string
	CausedBy string `json:"caused_by"`
	Retry    *bool
	Moving   *bool
	On       []string
	Says     []string // words of summary, evidence, fix or details
	Silent   []string // words that must not be there
}

// TestMetricsServerStates judges every state under testdata/metrics-server.
func TestMetricsServerStates(t *testing.T) {
	for _, file := range stateFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			st := readState(t, file)
			got := judgeMetrics(st.metricsState(t))
			for key, want := range st.Want {
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
			unique(t, got)
		})
	}
}

// TestEveryRungHasStates: for each rung there is a state in which it is fine, and one in
// which it is in trouble by itself.
func TestEveryRungHasStates(t *testing.T) {
	passes, fails := map[string]bool{}, map[string]bool{}
	for _, file := range stateFiles(t) {
		for id, findings := range judgeMetrics(readState(t, file).metricsState(t)) {
			for _, f := range findings {
				passes[id] = passes[id] || f.Verdict == verify.VerdictPass
				fails[id] = fails[id] || f.Verdict == verify.VerdictFail || f.CausedBy != ""
			}
		}
	}
	for _, id := range rungs() {
		if !passes[id] || !fails[id] {
			t.Errorf("%s: passing state %v, failing state %v", id, passes[id], fails[id])
		}
	}
}

func stateFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/metrics-server/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no states", err)
	}
	return files
}

func (e expectation) compare(f verify.Finding) []string {
	var out []string
	want := e.Verdict
	if e.CausedBy != "" {
		want = verify.VerdictSkip
	}
	if f.Verdict != want || f.Cause != e.Cause || f.CausedBy != e.CausedBy {
		out = append(out, fmt.Sprintf("want %s %s %s", want, e.Cause, e.CausedBy))
	}
	if e.Retry != nil && *e.Retry != f.Retry || e.Moving != nil && *e.Moving != f.Moving {
		out = append(out, fmt.Sprintf("retry %v moving %v", f.Retry, f.Moving))
	}
	if e.On != nil && !slices.Equal(e.On, f.On) {
		out = append(out, fmt.Sprintf("on %v", f.On))
	}
	for _, w := range e.Says {
		if !strings.Contains(show(f), w) {
			out = append(out, fmt.Sprintf("does not say %q", w))
		}
	}
	for _, w := range e.Silent {
		if strings.Contains(show(f), w) {
			out = append(out, fmt.Sprintf("says %q", w))
		}
	}
	if f.Verdict == verify.VerdictFail && !f.Moving && len(f.Fix) == 0 {
		out = append(out, "no fix")
	}
	return out
}

func show(f verify.Finding) string {
	lines := append([]string{fmt.Sprintf("  %s %s %s retry=%v moving=%v on=%v", f.Verdict, f.Cause, f.CausedBy, f.Retry, f.Moving, f.On), f.Summary}, f.Evidence...)
	return strings.Join(append(append(lines, f.Fix...), f.Details...), "\n    ")
}

func unique(t *testing.T, got map[string][]verify.Finding) {
	t.Helper()
	for id, findings := range got {
		have := map[string]bool{}
		for _, f := range findings {
			if have[f.Subject] {
				t.Errorf("%s %q: two findings", id, f.Subject)
			}
			have[f.Subject] = true
		}
	}
}

// failure makes the error that a word of a state's "errors" stands for.
func failure(t *testing.T, word string, a verify.Access) error {
	t.Helper()
	r := schema.GroupResource{Group: a.Group, Resource: a.Resource}
	e := &cluster.Error{Server: "https://api.example:6443", Access: a}
	switch word {
	case "forbidden":
		e.Kind, e.Err = cluster.KindForbidden, apierrors.NewForbidden(r, "", fmt.Errorf("no"))
	case "not-found":
		e.Kind, e.Err = cluster.KindNotFound, apierrors.NewNotFound(r, "x")
	case "unavailable":
		e.Kind, e.Err = cluster.KindUnavailable, apierrors.NewServiceUnavailable("the server is currently unable to handle the request")
	case "refused-behind":
		e.Kind, e.Err = cluster.KindUnavailable, apierrors.NewServiceUnavailable("error trying to reach service: dial tcp 10.233.65.7:10250: connect: connection refused")
	case "lost":
		e.Kind, e.Err = cluster.KindRefused, fmt.Errorf("dial tcp: connection refused")
	default:
		t.Fatalf("unknown error %q", word)
	}
	return e
}

// state is one file under testdata/metrics-server: what differs from ok.yaml.
type state struct {
	Now, Since    string
	Objects       []map[string]any
	Patch         map[string]map[string]any
	Without       []string
	Errors        map[string]string
	Events        map[string][]corev1.Event
	Log, Previous *string
	Facts         struct {
		Asked          *bool
		InsecureTLS    *bool  `json:"insecure_tls"`
		PodsSubnet     string `json:"pods_subnet"`
		ServicesSubnet string `json:"services_subnet"`
	}
	Want map[string]expectation
}

func readState(t *testing.T, file string) state {
	t.Helper()
	load := func(file string) (st state) {
		body, err := os.ReadFile(file)
		if err == nil {
			err = yaml.UnmarshalStrict(body, &st)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		return st
	}
	st, base := load(file), load(filepath.Join(filepath.Dir(file), "ok.yaml"))
	if filepath.Base(file) == "ok.yaml" {
		return st
	}
	st.Objects = append(base.Objects, st.Objects...)
	if st.Now == "" {
		st.Now = base.Now
	}
	if st.Log == nil {
		st.Log = base.Log
	}
	return st
}

func moment(t *testing.T, s string) time.Time {
	t.Helper()
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
