package test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surespray/surespray/test/lab"
)

// A fault is one row of the matrix: something that is broken in a lab, on real
// components, and what verify has to say about it.
type fault struct {
	name  string
	harm  step     // makes the fault, and waits where it shows late
	while step     // done while verify waits
	mend  step     // undoes it
	args  []string // of surespray verify

	id, subject, verdict, cause string
	fix                         string   // words of the result's fix
	also                        []string // checks that may fail, or be unknown, for the same reason
}

// A step does something to a lab.
type step func(context.Context, *site) error

// site is a lab with the surespray that looks at it.
type site struct {
	*lab.Lab
	binary, checkout, home, path string
	spoilt                       bool // a fault could not be undone
}

// answer is what the matrix looks at of a result.
type answer struct {
	ID, Subject, Verdict, Cause, Summary string
	CausedBy                             string `json:"caused_by"`
	Evidence, Fix                        []string
	Attempts                             int
}

func (r answer) String() string {
	if r.Verdict == "skip" {
		return fmt.Sprintf("skip %s/%s by=%s", r.ID, r.Subject, r.CausedBy)
	}
	return fmt.Sprintf("%s %s/%s %s: %s\n     seen %q\n     fix  %q", r.Verdict, r.ID, r.Subject, r.Cause, r.Summary, r.Evidence, r.Fix)
}

type document struct {
	Results []answer
	Exit    struct{ Code int }
}

func (d document) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit code %d\n", d.Exit.Code)
	for _, r := range d.Results {
		if r.Verdict == "pass" || r.Verdict == "skip" && r.CausedBy == "" {
			continue
		}
		fmt.Fprintf(&b, "  %s\n", r)
	}
	return b.String()
}

// TestFaults breaks one thing after the other in two labs, and insists that verify names
// that very thing, alone, and how to mend it. Between two faults all is well again.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("a real control plane is not for -short")
	}
	venv, bin := ansible(t, "SURESPRAY_TEST_ANSIBLE_219"), binary(t)
	checkout, err := filepath.Abs("checkout")
	if err != nil {
		t.Fatal(err)
	}
	at := func(t *testing.T, l *lab.Lab) *site {
		return &site{
			Lab: l, binary: filepath.Join(bin, "surespray"), checkout: checkout, home: t.TempDir(),
			path: venv + string(os.PathListSeparator) + os.Getenv("PATH"),
		}
	}
	t.Run("kwok", func(t *testing.T) {
		t.Parallel()
		l := start(t, lab.Options{Log: os.Stderr})
		runFaults(t, at(t, l), simulatedSetup(), simulatedFaults())
	})
	t.Run("real", func(t *testing.T) {
		lab.RequireRealNodes(t)
		t.Parallel()
		l := start(t, lab.Options{RealNodes: 2, Log: os.Stderr})
		runFaults(t, at(t, l), realSetup(), realFaults())
	})
}

func start(t *testing.T, o lab.Options) *lab.Lab {
	t.Helper()
	l, err := lab.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Stop(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func runFaults(t *testing.T, s *site, setup step, rows []fault) {
	if err := setup(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if d, err := s.healthy(t.Context(), 2*time.Minute); err != nil {
		t.Fatalf("before any fault: %v\n%s\n%s", err, d, s.lastWords(t.Context()))
	}
	for _, row := range rows {
		if t.Run(row.name, func(t *testing.T) { row.run(t, s) }); s.spoilt {
			t.Fatal("what this fault did is not undone: no other is made")
		}
	}
}

// run makes the fault, hears what verify says, undoes it, and waits until all is well.
func (f fault) run(t *testing.T, s *site) {
	ctx, began := t.Context(), time.Now()
	defer func() {
		mending := time.Now()
		if f.mend != nil {
			if err := f.mend(ctx, s); err != nil {
				t.Errorf("mending: %v", err)
			}
			if d, err := s.healthy(ctx, 2*time.Minute); err != nil {
				s.spoilt = true
				t.Fatalf("afterwards: %v\n%s", err, d)
			}
		}
		t.Logf("well again after %s, all in %s", time.Since(mending).Round(time.Second), time.Since(began).Round(time.Second))
	}()
	if f.harm != nil {
		if err := f.harm(ctx, s); err != nil {
			t.Fatalf("breaking: %v", err)
		}
	}
	broken := time.Now()
	meanwhile := make(chan error, 1)
	go func() {
		if f.while == nil {
			meanwhile <- nil
			return
		}
		meanwhile <- f.while(ctx, s)
	}()
	d, err := s.verify(ctx, f.args...)
	if err := errors.Join(err, <-meanwhile); err != nil {
		t.Fatal(err)
	}
	t.Logf("broken after %s, judged in %s", broken.Sub(began).Round(time.Second), time.Since(broken).Round(time.Second))
	if problems := f.judge(d); len(problems) > 0 {
		t.Errorf("%s\n%s", strings.Join(problems, "\n"), d)
	}
}

// judge says what is wrong with a document, seen from this row.
func (f fault) judge(d document) (problems []string) {
	i := slices.IndexFunc(d.Results, func(r answer) bool {
		return r.ID == f.id && (f.subject == "" || r.Subject == f.subject) && r.Verdict == f.verdict
	})
	switch {
	case i < 0:
		problems = append(problems, fmt.Sprintf("no %s of %s %s", f.verdict, f.id, f.subject))
	case d.Results[i].Cause != f.cause:
		problems = append(problems, fmt.Sprintf("the cause is %q, want %q", d.Results[i].Cause, f.cause))
	case !strings.Contains(strings.Join(d.Results[i].Fix, "\n"), f.fix):
		problems = append(problems, fmt.Sprintf("the fix is %q, want %q", d.Results[i].Fix, f.fix))
	}
	if i >= 0 && f.while != nil && d.Results[i].Attempts < 2 {
		problems = append(problems, "it was not waited for")
	}
	for j, r := range d.Results {
		if j != i && (r.Verdict == "fail" || r.Verdict == "unknown") && !slices.Contains(f.also, r.ID) {
			problems = append(problems, fmt.Sprintf("also %s %s: %s", r.ID, r.Subject, r.Verdict))
		}
		if r.CausedBy != "" && !slices.ContainsFunc(d.Results, func(root answer) bool { return root.ID == r.CausedBy && root.Verdict != "pass" }) {
			problems = append(problems, fmt.Sprintf("%s %s points to %s, where no trouble is", r.ID, r.Subject, r.CausedBy))
		}
	}
	if err := d.flawless(); f.harm == nil && f.verdict == "pass" && err != nil {
		problems = append(problems, err.Error())
	}
	if want := map[string]int{"fail": 73, "unknown": 74}[f.verdict]; d.Exit.Code != want {
		problems = append(problems, fmt.Sprintf("exit code %d, want %d", d.Exit.Code, want))
	}
	return problems
}

// verify runs surespray verify and returns its document.
func (s *site) verify(ctx context.Context, args ...string) (document, error) {
	argv := append([]string{"verify", "-o", "json", "--kubeconfig", s.Kubeconfig()}, args...)
	for i, a := range argv {
		argv[i] = strings.NewReplacer("$INVENTORY", s.Inventory(), "$CHECKOUT", s.checkout, "$HOME", s.home).Replace(a)
	}
	cmd := exec.CommandContext(ctx, s.binary, argv...)
	cmd.Dir = s.home
	cmd.Env = append(os.Environ(), "HOME="+s.home, "PATH="+s.path, "KUBECONFIG=", "XDG_CACHE_HOME="+filepath.Join(s.home, "cache"), "NO_COLOR=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var d document
	if exit := (&exec.ExitError{}); err != nil && !errors.As(err, &exit) {
		return d, err
	}
	if err := json.Unmarshal(out, &d); err != nil {
		return d, fmt.Errorf("surespray %s: %w\n%s%s", strings.Join(argv, " "), err, out, stderr.String())
	}
	if code := cmd.ProcessState.ExitCode(); code != d.Exit.Code {
		return d, fmt.Errorf("it exits with %d, and its document says %d", code, d.Exit.Code)
	}
	return d, nil
}

// healthy waits until a whole verification finds nothing: no fail, no unknown, no warning.
func (s *site) healthy(ctx context.Context, within time.Duration) (d document, err error) {
	for end := time.Now().Add(within); ; time.Sleep(time.Second) {
		if d, err = s.verify(ctx, "--within", "20s"); err == nil {
			err = d.flawless()
		}
		if err == nil || time.Now().After(end) {
			return d, err
		}
	}
}

// lastWords are what the addons said before they ended.
func (s *site) lastWords(ctx context.Context) string {
	var b strings.Builder
	for _, name := range []string{"-n=kube-system deployment/metrics-server", "-n=local-path-storage deployment/local-path-provisioner"} {
		out, _ := s.Kubectl(ctx, "", append([]string{"logs", "--previous", "--tail=20"}, strings.Fields(name)...)...)
		fmt.Fprintf(&b, "%s:\n%s\n", name, out)
	}
	return b.String()
}

func (d document) flawless() error {
	for _, r := range d.Results {
		switch r.Verdict {
		case "fail", "unknown", "warn":
			return fmt.Errorf("%s %s: %s", r.ID, r.Subject, r.Verdict)
		}
	}
	return nil
}
