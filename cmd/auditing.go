package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/audit"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify/report"
)

// What --audit takes.
const (
	auditEffect = "effect" // errors stop
	auditStrict = "strict" // warnings stop, too
	auditWarn   = "warn"   // nothing stops
)

// bindAudit adds --audit.
func (s *session) bindAudit(c *cobra.Command) {
	c.Flags().StringVar(&s.auditMode, "audit", auditEffect, "what stops: effect (what this ansible-core gets wrong), strict (warnings, too), or warn (nothing)")
	then := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if !slices.Contains([]string{auditEffect, auditStrict, auditWarn}, s.auditMode) {
			return usagef(c.CommandPath()+" --help", "--audit %s: not one of effect, strict, warn", s.auditMode)
		}
		if then != nil {
			return then(c, args)
		}
		return nil
	}
}

// audit looks at the inventory and the extra vars, puts the findings into the report, and
// returns an error where one stops.
func (s *session) audit() error {
	if s.plan.Flags.Inert() {
		return nil
	}
	if err := s.readInventory(); err != nil {
		return err
	}
	s.app.output.doc.Cluster = report.Cluster{Name: s.settings.Cluster, Inventory: strings.Join(s.inventories(), ","), Checkout: s.checkout.Dir}
	in := audit.Input{
		Checkout: s.checkout, Types: s.types, Defaults: s.types, Inventory: s.inventory, ExtraVars: s.plan.ExtraVars, Core: s.plan.Ansible.Version,
		Unusable: kubespray.InventoryProblems(s.inventories(), s.cwd, s.config, s.plan.Ansible.Version), Facts: s.config.FactCache,
	}
	if s.values != nil {
		in.Values, in.Types = s.values.Vars, s.toldTypes()
	}
	var err error
	if in.Touches, err = s.touches(); err != nil {
		return err
	}
	found := audit.Run(in)
	s.fixes = nil
	findings := make([]report.Finding, 0, len(found))
	for _, f := range found {
		findings = append(findings, report.Finding{
			Severity: string(f.Severity), Code: f.Code, Detail: f.Detail, Key: f.Key, Message: f.Message, File: f.File, Line: f.Line, Arg: f.Arg, Fix: f.Fix,
		})
		if f.Change != nil {
			s.fixes = append(s.fixes, *f.Change)
		}
	}
	return s.judge(findings)
}

// judge accepts what is accepted, and stops at the first finding that stops.
func (s *session) judge(findings []report.Finding) error {
	s.acceptFindings(findings)
	s.app.output.doc.Findings = findings
	if s.warnsOnly() {
		return nil
	}
	for _, f := range findings {
		if f.Accepted == "" && (f.Severity == string(extravars.SeverityError) || s.auditMode == auditStrict && f.Severity == string(extravars.SeverityWarning)) {
			return exitError{code: exitAudit, what: fmt.Sprintf("%s%s: %s", s.placeOf(f), f.Code, f.Message), next: nextOf(f)}
		}
	}
	return nil
}

// warnsOnly is true for playbooks that do not build a cluster: there the audit only tells.
func (s *session) warnsOnly() bool {
	builds := s.installs() || slices.ContainsFunc(s.plan.Playbooks, func(p string) bool {
		return slices.Contains([]string{"remove-node.yml", "remove_node.yml"}, filepath.Base(p))
	})
	return s.auditMode == auditWarn || !builds
}

func (s *session) placeOf(f report.Finding) string {
	switch {
	case f.File != "":
		return fmt.Sprintf("%s:%d: ", f.File, f.Line)
	case f.Arg != nil && *f.Arg < len(s.plan.ExtraVars.Elements):
		return "-e " + s.plan.ExtraVars.Elements[*f.Arg].Shown + ": "
	}
	return ""
}

// readInventory reads the inventory's files, once.
func (s *session) readInventory() error {
	if s.inventory != nil {
		return nil
	}
	o := inventory.Options{Dir: s.cwd, Ignores: s.config.Ignores(s.plan.Ansible.Version)}
	for _, rule := range s.checkout.GroupRules() {
		o.Rules = append(o.Rules, inventory.GroupRule{Group: rule.Group, From: rule.From})
	}
	for _, p := range s.plan.Playbooks {
		o.Playbooks = append(o.Playbooks, filepath.Dir(p))
	}
	s.inventory = inventory.Read(s.inventories(), o)
	return nil
}

// touches says which places of the checkout a run with --tags comes to; nil: all.
func (s *session) touches() (func(kubespray.Read) bool, error) {
	if len(s.plan.Flags.Tags("tags")) == 0 {
		return nil, nil
	}
	files, roles, names := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, playbook := range s.plan.Playbooks {
		if !within(s.checkout.Dir, playbook) {
			return nil, nil
		}
		catalogue, err := s.checkout.Catalogue(playbook)
		if err != nil {
			return nil, fmt.Errorf("reading what %s runs: %w", playbook, err)
		}
		for _, t := range catalogue.Tasks {
			if s.selection().Runs(t) {
				files[t.File] = true
				if t.Role != "" {
					roles["roles/"+t.Role+"/"] = true
				}
			}
		}
		for _, u := range catalogue.Uses {
			if s.plan.Wants(u.Tags) {
				for _, condition := range u.When {
					for _, name := range kubespray.Identifiers(condition) {
						names[name] = true
					}
				}
			}
		}
	}
	return func(r kubespray.Read) bool {
		if strings.Contains(r.File, "/meta/") {
			return names[r.Name]
		}
		return files[r.File] || roles[roleOf(r.File)]
	}, nil
}

// roleOf is the role that a file is part of, such as roles/kubernetes-apps/helm/.
func roleOf(file string) string {
	for _, part := range []string{"/tasks/", "/templates/", "/handlers/", "/vars/", "/defaults/"} {
		if i := strings.Index(file, part); i >= 0 {
			return file[:i+1]
		}
	}
	return ""
}
