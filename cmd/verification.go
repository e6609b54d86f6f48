package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/internal/settings"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/checks"
	"github.com/surespray/surespray/verify/cluster"
	"github.com/surespray/surespray/verify/report"
)

// verification is the way to the cluster and what to look at there.
type verification struct {
	kubeconfig string
	context    string
	mode       string   // --verify: one of settings.Scopes
	skip       []string // ids and areas that are left out
	within     time.Duration
	snapshot   string // --snapshot: a folder in the place of a cluster
	recording  bool   // what is read is kept

	since   time.Time // when the run ended that is verified; zero without one
	applied []string  // addons that it has applied
	cluster *cluster.Cluster
	found   cluster.Location

	recorder *cluster.Recorder

	probing
}

// bindCluster adds the flags that say which cluster.
func (v *verification) bindCluster(c *cobra.Command) {
	c.Flags().StringVar(&v.kubeconfig, "kubeconfig", "", "the cluster's kubeconfig `FILE` (default: the inventory's artifacts/admin.conf, then KUBECONFIG)")
	c.Flags().StringVar(&v.context, "context", "", "the `NAME` of the kubeconfig's context (default: its current one)")
}

// bind adds the flags of a run's verification.
func (v *verification) bind(c *cobra.Command) {
	v.bindCluster(c)
	v.bindProbes(c)
	c.Flags().StringVar(&v.mode, "verify", "", "what to verify after the run: auto (what it can have changed; the default), all, report (as auto, without a word in the exit code), or off")
	c.Flags().StringArrayVar(&v.skip, "verify-skip", nil, "leave a check or an area `NAME` out of the verification, repeatable")
	c.Flags().DurationVar(&v.within, "within", 5*time.Minute, "how long to wait for what is not there yet")
	then := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if v.mode != "" && !slices.Contains(settings.Scopes(), v.mode) {
			return usagef(c.CommandPath()+" --help", "--verify %s: not one of %s", v.mode, strings.Join(settings.Scopes(), ", "))
		}
		if then != nil {
			return then(c, args)
		}
		return nil
	}
}

// settle takes what no flag says from the environment, then from .surespray.yml.
func (v *verification) settle(s *session) error {
	first := func(into *string, values ...string) {
		for _, value := range values {
			if *into == "" {
				*into = value
			}
		}
	}
	env := s.app.sys.Getenv
	first(&v.kubeconfig, env("SURESPRAY_KUBECONFIG"), s.settings.Kubeconfig)
	first(&v.context, env("SURESPRAY_CONTEXT"), s.settings.Context)
	first(&v.mode, env("SURESPRAY_VERIFY"), s.settings.Scope, settings.ScopeAuto)
	if !slices.Contains(settings.Scopes(), v.mode) {
		return usagef("--verify auto, or --verify off", "SURESPRAY_VERIFY=%s: not one of %s", v.mode, strings.Join(settings.Scopes(), ", "))
	}
	names := verify.Names(checks.For(nil, checks.Facts{}, checks.Options{}))
	for _, name := range v.skip {
		if !slices.Contains(names, name) {
			return usagef("surespray checks list", "no check and no area is called %q", name)
		}
	}
	return nil
}

// beforeRun stops a run whose kubeconfig, given by flag, is missing or another
// cluster's. No API yet is a first installation, and fine.
func (v *verification) beforeRun(ctx context.Context, s *session) error {
	if v.kubeconfig == "" {
		return nil
	}
	if err := v.open(s); err != nil {
		_, next := noWay(err)
		return exitError{code: exitInconclusive, what: err.Error(), next: next}
	}
	return v.refuseForeign(ctx, s)
}

// refuseForeign looks once whether the cluster is the inventory's.
func (v *verification) refuseForeign(ctx context.Context, s *session) error {
	list, err := verify.Select(checks.For(v.cluster, s.facts(), checks.Options{}), []string{"api-server.identity"})
	if err != nil {
		return err
	}
	defer runner.Guard()()
	engine := verify.Engine{Within: -1}
	results := engine.Run(ctx, list)
	for _, r := range results {
		// A certificate or a user that does not fit says "another cluster" as well.
		if slices.Contains([]string{"wrong-cluster", "api-tls", "api-unauthorized"}, r.Cause) {
			s.app.output.doc.Results = results
			s.app.output.doc.Cluster = v.describe(ctx, s)
			s.app.output.doc.Exit = report.Judge(results)
			return errStopped
		}
		if r.ID == "api-server.health" && r.Verdict != verify.VerdictPass {
			s.app.output.note("the API server does not answer before the run (%s): it is taken for a first installation", r.Summary)
		}
	}
	return nil
}

// errStopped ends a command whose exit is in its document already.
var errStopped = errors.New("stopped before the start")

// noWay says why there is no way to the cluster, and what to do.
func noWay(err error) (cause, next string) {
	var bad *cluster.KubeconfigError
	if errors.As(err, &bad) {
		return "bad-kubeconfig", "check --kubeconfig, KUBECONFIG and --context"
	}
	return "no-kubeconfig", "give --kubeconfig FILE, or have Kubespray fetch it: surespray run cluster.yml --tags client -e kubeconfig_localhost=true"
}

// open finds the kubeconfig, opens it, and says which.
func (v *verification) open(s *session) error {
	if err := v.find(s); err != nil {
		return err
	}
	s.app.output.note("kubeconfig %s (%s)", v.found, v.found.How)
	return nil
}

func (v *verification) find(s *session) (err error) {
	v.found, err = cluster.Locate(cluster.LocateOptions{Flag: v.kubeconfig, Artifacts: s.artifacts(), Env: s.app.sys.Getenv("KUBECONFIG")})
	if err != nil {
		return err
	}
	options := cluster.Options{Kubeconfig: v.found.Files, Context: v.context}
	if !v.recording {
		v.cluster, err = cluster.Open(options)
		return err
	}
	if v.recorder, err = cluster.Record(options); err == nil {
		v.cluster = v.recorder.Cluster()
	}
	return err
}

// server is the address of the API server, "" where there is no way to one.
func (v *verification) server() string {
	if v.cluster == nil {
		return ""
	}
	return v.cluster.Server()
}

// artifacts are where Kubespray puts the kubeconfig with kubeconfig_localhost.
func (s *session) artifacts() []string {
	dirs := []string{}
	if s.values != nil {
		if dir, ok := s.values.Vars["artifacts_dir"].(string); ok {
			dirs = append(dirs, dir)
		}
		if dir, ok := s.values.Vars["inventory_dir"].(string); ok {
			dirs = append(dirs, filepath.Join(dir, "artifacts"))
		}
	}
	for _, inventory := range s.inventories() {
		if !strings.Contains(inventory, ",") {
			if !filepath.IsAbs(inventory) {
				inventory = filepath.Join(s.cwd, inventory)
			}
			if info, err := os.Stat(inventory); err != nil || !info.IsDir() {
				inventory = filepath.Dir(inventory)
			}
			dirs = append(dirs, filepath.Join(inventory, "artifacts"))
		}
	}
	var files []string
	for _, dir := range dirs {
		if file := filepath.Join(dir, "admin.conf"); !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// afterRun verifies what is in scope.
func (v *verification) afterRun(ctx context.Context, s *session) error {
	addons, ground, err := s.inScope(v)
	if err != nil || len(addons) == 0 && !ground {
		return err
	}
	for _, addon := range addons {
		v.applied = append(v.applied, addon.Name)
	}
	var names []string
	if v.mode != settings.ScopeAll && !ground {
		for _, addon := range addons {
			names = append(names, addon.Name)
		}
	}
	if err := v.check(ctx, s, names); err != nil {
		return err
	}
	if v.mode == settings.ScopeReport {
		s.app.output.doc.Exit = report.Exit{Code: exitOK, Category: category(exitOK)}
	}
	return nil
}

// check runs the checks named and judges them. Without a way to the cluster all of
// them are unknown.
func (v *verification) check(ctx context.Context, s *session, names []string) error {
	var closed error
	if v.cluster == nil {
		closed = v.open(s)
	}
	options, err := v.options()
	if err != nil {
		return err
	}
	list, err := verify.Select(checks.For(v.cluster, s.facts(), options), names)
	if err != nil {
		return usageError{err: err, next: "surespray verify --help"}
	}
	list, left := verify.Leave(list, append(slices.Clone(v.skip), s.settings.Skip...))
	if closed != nil {
		list = blind(list, closed)
	}
	defer runner.Guard()()
	doc := &s.app.output.doc
	engine := v.engine(s)
	doc.Results = engine.Run(ctx, list)
	v.endProbes(ctx, s)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, c := range left {
		doc.Results = append(doc.Results, verify.Result{ID: c.ID, Title: c.Title, Verdict: verify.VerdictSkip, Summary: "left out, as asked for", Evidence: []string{}, Fix: []string{}})
	}
	s.acceptResults(doc.Results)
	doc.Cluster = v.describe(ctx, s)
	doc.Exit = report.Judge(doc.Results)
	return nil
}

// blind makes the first check tell why nothing can be looked at; the others need it.
func blind(list []verify.Check, why error) []verify.Check {
	for i := range list {
		if list[i].ID == "api-server.health" {
			list[i].Run = func(context.Context) []verify.Finding {
				cause, next := noWay(why)
				f := verify.Unknown(cause, "%v", why).Mend(next)
				f.Stops = true
				return []verify.Finding{f}
			}
		}
	}
	return list
}

// describe says which cluster was looked at.
func (v *verification) describe(ctx context.Context, s *session) report.Cluster {
	c := report.Cluster{Name: s.settings.Cluster, Inventory: strings.Join(s.inventories(), ",")}
	if s.checkout != nil {
		c.Checkout = s.checkout.Dir
	}
	if v.cluster == nil {
		return c
	}
	c.Server, c.Context, c.Kubeconfig = v.cluster.Server(), v.cluster.Context(), v.found.String()
	if !slices.ContainsFunc(s.app.output.doc.Results, func(r verify.Result) bool { return r.ID == "api-server.health" && r.Verdict == verify.VerdictUnknown }) {
		c.Version, c.UID = v.identity(ctx)
	}
	return c
}

// identity asks the API server who it is. It waits little: a plugin of the kubeconfig may
// hang whatever its context says. Empty answers mean "not known".
func (v *verification) identity(ctx context.Context) (version, uid string) {
	type answer struct{ version, uid string }
	told := make(chan answer, 1)
	go func() {
		var a answer
		if info, err := v.cluster.Version(ctx); err == nil {
			a.version = info.GitVersion
		}
		a.uid, _ = v.cluster.UID(ctx)
		told <- a
	}()
	select {
	case a := <-told:
		return a.version, a.uid
	case <-time.After(identityLimit):
	case <-ctx.Done():
	}
	return "", ""
}

const identityLimit = 3 * time.Second
