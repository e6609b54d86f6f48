package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
)

func (a *app) run() *cobra.Command {
	s := &session{app: a, looks: true, versions: true}
	v := &verification{}
	show := false
	c := &cobra.Command{
		Use:     "run [PLAYBOOK...]",
		GroupID: "everyday",
		Short:   "Run ansible-playbook with typed extra vars, then verify on the live cluster",
		Long: `Runs a playbook of the checkout (default: cluster.yml) with ansible-playbook, whose
output it leaves as it is. It takes every flag of ansible-playbook under its own name.
Extra vars are sent as JSON files, with the types that the checkout's defaults give them.
Afterwards what the run can have changed is verified on the live cluster.` + exitHelp(
			"0 the run succeeded, and everything in scope is proven",
			"1, 2, 4, 5, 99, 250 Ansible's own; a host unreachable is 4 even where Ansible said 0",
			"64 arguments, an extra var that does not parse, an unknown tag",
			"65 the audit: a value that this ansible-core gets wrong, such as text for a boolean; or --tags with which a role deletes its namespace",
			"66 Ansible ran, and no task of what was asked for did",
			"69 cannot start: checkout, playbook, inventory or Ansible missing",
			"70 error of surespray",
			"73 a check failed, or was still \"not yet\" at its deadline",
			"74 something in scope could not be looked at, or the cluster is not this inventory's",
			"130, 143 cancelled by SIGINT, SIGTERM"),
		Example: `  surespray run cluster.yml -i inventory/mycluster/inventory.ini -b -e metrics_server_enabled=true
  surespray run -i inventory/mycluster/inventory.ini -b --tags metrics_server -o json
  surespray run -i inventory/mycluster/inventory.ini -b --show-plan`,
		RunE: func(c *cobra.Command, playbooks []string) error {
			if len(playbooks) == 0 {
				playbooks = []string{"cluster.yml"}
			}
			return a.runPlaybooks(c.Context(), s, v, playbooks, show)
		},
	}
	s.bind(c, func(runner.Flag) bool { return true })
	s.bindAudit(c)
	v.bind(c)
	a.output.bind(c)
	c.Flags().BoolVar(&show, "show-plan", false, "print what would be run, start nothing")
	return c
}

// runPlaybooks is run and addon apply: preflight, Ansible, verification.
func (a *app) runPlaybooks(ctx context.Context, s *session, v *verification, playbooks []string, show bool) error {
	if err := s.open(playbooks); err != nil {
		return err
	}
	if err := v.settle(s); err != nil {
		return err
	}
	if err := s.resolveAddons(); err != nil {
		return err
	}
	if err := s.checkTags(); err != nil {
		return err
	}
	if err := s.findAnsible(ctx); err != nil {
		return err
	}
	if err := s.checkReadable(); err != nil {
		return err
	}
	if err := s.tellPlan(); err != nil {
		return err
	}
	if show {
		if err := s.audit(); err != nil {
			return err
		}
		return s.showPlan()
	}
	r := &runner.Runner{Streams: a.streams(), Kill: a.sys.Kill, Environ: a.sys.Environ}
	if err := r.Open(); err != nil {
		return err
	}
	defer a.closeRunner(r)
	if err := a.preflight(ctx, s, v, r); err != nil {
		return err
	}
	objects, err := v.watchObjects(ctx, s)
	if err != nil {
		return err
	}
	outcome, err := r.Run(ctx, s.plan)
	if err != nil {
		return fmt.Errorf("running ansible-playbook: %w", err)
	}
	a.output.doc.Ansible = reportAnsible(outcome)
	objects.tell(ctx)
	if err := outcomeError(ctx, outcome, s.plan); err != nil {
		return err
	}
	v.since = outcome.End
	return v.afterRun(ctx, s)
}

// checkReadable refuses inventories that give no hosts and files that nobody can decrypt.
// What else is wrong with the inventory is told, too.
func (s *session) checkReadable() error {
	err := s.checkInventories()
	if err == nil {
		err = s.checkVault()
	}
	if err != nil && len(s.inventories()) > 0 {
		told := s.app.output.doc.Findings
		_ = s.audit() // its findings are in the report; what it would stop comes second
		s.app.output.doc.Findings = append(s.app.output.doc.Findings, vaultFindings(told)...)
	}
	return err
}

// closeRunner removes what was private, and says so where it cannot.
func (a *app) closeRunner(r *runner.Runner) {
	if err := r.Close(); err != nil {
		a.output.warn("the private directory with extra vars is left: %v; remove it yourself", err)
	}
}

// preflight asks Ansible for what must be known before the start.
func (a *app) preflight(ctx context.Context, s *session, v *verification, r *runner.Runner) error {
	if s.plan.Flags.Inert() {
		return nil
	}
	if err := s.ask(ctx, r); err != nil {
		return err
	}
	if err := s.audit(); err != nil {
		return err
	}
	if err := s.checkEffect(); err != nil {
		return err
	}
	if err := s.tellPlan(); err != nil {
		return err
	}
	if err := s.checkHazards(); err != nil {
		return err
	}
	s.tellTrades()
	return v.beforeRun(ctx, s)
}

// checkTags refuses tags that nothing in the checkout carries: Ansible would end green
// without having done anything.
func (s *session) checkTags() error {
	tags := s.plan.Flags.Tags("tags")
	if len(tags) == 0 {
		if s.plan.Flags.Has("tags") {
			return usagef("name tags, or leave --tags out", "--tags is empty: Ansible would run what is tagged \"always\" and nothing else")
		}
		return nil
	}
	for _, tag := range tags {
		known, nearest, err := s.knownTag(tag)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		next := "surespray run --list-tags " + strings.Join(relativeAll(s.cwd, s.plan.Playbooks), " ")
		if len(nearest) > 0 {
			next = "did you mean --tags " + nearest[0] + "?"
		}
		return usagef(next, "no task of %s carries the tag %q: Ansible would run nothing of it and return 0", strings.Join(relativeAll(s.cwd, s.plan.Playbooks), ", "), tag)
	}
	return nil
}

func (s *session) knownTag(tag string) (known bool, nearest []string, err error) {
	for _, playbook := range s.plan.Playbooks {
		if !within(s.checkout.Dir, playbook) {
			return true, nil, nil // somebody's own playbook may carry any tag
		}
		catalogue, err := s.checkout.Catalogue(playbook)
		if err != nil {
			return false, nil, fmt.Errorf("reading the tags of %s: %w", playbook, err)
		}
		if catalogue.HasTag(tag) {
			return true, nil, nil
		}
		nearest = append(nearest, catalogue.NearestTag(tag)...)
	}
	return false, nearest, nil
}

// asked says whether the effective values ask for an addon, if they are known.
func (s *session) asked(addon kubespray.Addon) (asked, known bool) {
	if addon.AskedIf() == "" {
		return true, true
	}
	if s.values == nil {
		return false, false
	}
	asked, known = s.values.Holds[addon.Name]
	return asked, known
}

// within reports whether path lies below dir, links followed.
func within(dir, path string) bool {
	for _, p := range []*string{&dir, &path} {
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func relativeAll(cwd string, paths []string) []string {
	out := slices.Clone(paths)
	for i, p := range out {
		if rel, err := filepath.Rel(cwd, p); err == nil && len(rel) < len(p) {
			out[i] = rel
		}
	}
	return out
}
