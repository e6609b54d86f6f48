package cmd

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/surespray/surespray/internal/audit"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/checks"
)

// askOnly asks Ansible for values where nothing is run afterwards.
func (s *session) askOnly(ctx context.Context) error {
	if err := s.findAnsible(ctx); err != nil {
		return err
	}
	if err := s.checkInventories(); err != nil {
		return err
	}
	r := &runner.Runner{Environ: s.app.sys.Environ}
	if err := r.Open(); err != nil {
		return err
	}
	defer s.app.closeRunner(r)
	return s.ask(ctx, r)
}

// ask gets the effective values. Not getting them is no error, but hosts must be there.
func (s *session) ask(ctx context.Context, r *runner.Runner) error {
	if why := s.cannotAsk(); why != "" {
		s.app.output.note("effective values are not known: %s", why)
		return nil
	}
	question := runner.Question{Vars: []string{
		"inventory_dir", "artifacts_dir", "metrics_server_kubelet_insecure_tls", "kube_pods_subnet", "kube_service_addresses",
	}, Conditions: map[string]string{}}
	question.Vars = append(question.Vars, kubespray.Registries()...)
	addons, err := s.checkout.Addons()
	if err != nil {
		return fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	for _, addon := range addons {
		question.Vars = append(append(question.Vars, addon.Switch...), addon.Variables()...)
		question.Defaults = append(question.Defaults, addon.Role)
		if s.looks {
			question.Vars = append(question.Vars, s.checkout.ObjectVars(addon)...)
			if s.versions {
				question.Vars = append(question.Vars, s.checkout.PinnedVars(addon)...)
			}
		}
		if condition := addon.AskedIf(); condition != "" {
			question.Conditions[addon.Name] = condition
		}
	}
	if err := s.readInventory(); err != nil {
		return err
	}
	question.Vars = append(question.Vars, audit.Variables()...)
	question.Vars = append(question.Vars, checks.Variables()...)
	question.Vars = append(question.Vars, audit.Templated(s.inventory, s.types)...)
	s.askWhy(&question)
	slices.Sort(question.Vars)
	question.Vars = slices.Compact(question.Vars)
	templates, roles := s.openDefaults()
	question.Templates = templates
	question.Defaults = append(question.Defaults, roles...)
	values, err := r.Values(ctx, s.plan, question)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		s.app.output.warn("effective values are not known: %v", err)
		return nil
	}
	s.values = &values
	if len(values.Holds) == 0 && len(question.Conditions) > 0 {
		s.app.output.warn("effective values are not known: Ansible answered for no host of kube_control_plane")
	}
	if err := s.retype(); err != nil {
		return err
	}
	return s.checkHosts()
}

// askWhy asks about each condition of the addons to apply by itself, and for what it
// reads: one that keeps a switched-on addon from running must be named.
func (s *session) askWhy(question *runner.Question) {
	for _, c := range s.chosen {
		for _, condition := range c.addon.Conditions() {
			question.Conditions[conditionName(condition)] = condition
			question.Vars = append(question.Vars, kubespray.Reads(condition)...)
		}
	}
}

// cannotAsk says why Ansible cannot be asked without bothering somebody.
func (s *session) cannotAsk() string {
	for _, e := range s.plan.ExtraVars.Elements {
		if info, err := os.Stat(e.Path); e.Path != "" && err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			return "-e @" + e.Path + " is a pipe, which can be read only once"
		}
	}
	if s.plan.Flags.Has("ask-vault-password") {
		return "the vault password is asked for by Ansible itself"
	}
	for _, id := range s.plan.Flags["vault-id"] {
		if isPrompt(id) {
			return "the vault password is asked for by Ansible itself"
		}
	}
	return ""
}

func isPrompt(id string) bool { return id == "prompt" || strings.HasSuffix(id, "@prompt") }

// checkHosts refuses to start a run that would match no host and end green.
func (s *session) checkHosts() error {
	inventories := fmt.Sprint(s.inventories())
	switch {
	case s.values.Groups["all"] == 0:
		return &runner.PreflightError{What: "the inventory has no hosts: " + inventories, Next: "give another with -i, or add hosts to it"}
	case s.values.Limit != nil && *s.values.Limit == 0:
		return &runner.PreflightError{What: fmt.Sprintf("--limit %s leaves no host of %s", s.plan.Flags.Last("limit"), inventories), Next: "give another pattern, or leave --limit out"}
	}
	return nil
}
