package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/edit"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/report"
)

func (a *app) audit() *cobra.Command {
	s := &session{app: a}
	fix, write := false, false
	c := &cobra.Command{
		Use:     "audit [PLAYBOOK...]",
		GroupID: "before",
		Short:   "Check the inventory and extra vars for types and traps; nothing is run",
		Long: `Checks what the user gives to Kubespray, with file and line: values whose type this
ansible-core gets wrong, values that Ansible never reads, names that this release does not
know, and settings that do not go together. An error is what this core gets wrong or what
the checkout's own assertions stop; what only breaks later is a warning.
Where there is an Ansible it is asked for effective values (no host is connected to);
--ansible-playbook none does without, and takes literal values only.
--fix shows what is mechanical as a diff, --fix --write applies it.
Findings are accepted with --accept CODE[=KEY], or, with a reason and a date, in
.surespray.yml beside the inventory.` + exitHelp(
			"0 no error (warnings allowed)",
			"64 arguments, an extra var that does not parse",
			"65 an error, or with --audit strict a warning; also .surespray.yml itself",
			"69 no checkout, or no inventory",
			"70 error of surespray"),
		Example: `  surespray audit -i inventory/mycluster/inventory.ini
  surespray audit -i inventory/mycluster/hosts.yaml --fix
  surespray audit -i inventory/mycluster/hosts.yaml -o sarif > audit.sarif`,
		RunE: func(c *cobra.Command, playbooks []string) error {
			if write && !fix {
				return usagef("surespray audit --fix --write", "--write applies what --fix shows")
			}
			if len(playbooks) == 0 {
				playbooks = []string{"cluster.yml"}
			}
			if fix && a.output.format != "text" {
				return usagef("leave -o out", "--fix shows a diff, -o %s has no form of it", a.output.format)
			}
			if fix {
				return a.fixInventory(c.Context(), s, playbooks, write)
			}
			return a.auditInventory(c.Context(), s, playbooks)
		},
	}
	s.bind(c, func(runner.Flag) bool { return true })
	s.bindAudit(c)
	c.Flags().BoolVar(&fix, "fix", false, "show what can be mended mechanically, as a diff")
	c.Flags().BoolVar(&write, "write", false, "with --fix: write it to the files")
	a.output.bindFormat(c, "text", "json", "sarif")
	a.output.bindTargets(c)
	return c
}

// auditInventory audits and ends with what was found.
func (a *app) auditInventory(ctx context.Context, s *session, playbooks []string) error {
	err := s.auditOnly(ctx, playbooks)
	var refused exitError
	if err == nil || errors.As(err, &refused) && refused.code == exitAudit {
		a.output.own = func(w io.Writer) error { return a.printFindings(w) }
		a.output.closing = true
	}
	if err == nil {
		a.output.doc.Exit = report.Exit{Code: exitOK, Category: category(exitOK), Message: report.CountFindings(a.output.doc.Findings)}
	}
	return err
}

// printFindings is the document of an audit.
func (a *app) printFindings(w io.Writer) error {
	doc := a.output.doc
	switch a.output.format {
	case "json":
		return writeFindings(w, doc.Findings)
	case "sarif":
		return report.Render(w, report.SARIF, doc, report.Options{})
	}
	return report.RenderFindings(w, doc.Findings, report.Options{
		Verbose: a.output.verbose, Color: report.WantsColor(a.sys.Getenv, runner.IsTerminal(a.sys.Out)),
	})
}

func writeFindings(w io.Writer, findings []report.Finding) error {
	if findings == nil {
		findings = []report.Finding{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"findings": findings})
}

// auditOnly audits where nothing is run afterwards. Without Ansible literal values are
// used, with a note.
func (s *session) auditOnly(ctx context.Context, playbooks []string) error {
	if err := s.open(playbooks); err != nil {
		return err
	}
	if err := s.checkTags(); err != nil {
		return err
	}
	if len(s.inventories()) == 0 {
		return s.checkInventories()
	}
	for _, p := range kubespray.InventoryProblems(s.inventories(), s.cwd, s.config, "") {
		if p.Code == kubespray.InventoryMissing || p.Code == kubespray.InventoryUnreadable {
			return s.checkInventories() // there is nothing to look at
		}
	}
	if err := s.askIfPossible(ctx); err != nil {
		return err
	}
	stopped := s.audit()
	hazards := s.checkHazards()
	if stopped != nil {
		return stopped
	}
	return hazards
}

// askIfPossible asks Ansible for effective values where there is an Ansible, and where
// that can read the inventory.
func (s *session) askIfPossible(ctx context.Context) error {
	if s.choice == noAnsible {
		s.app.output.note("Ansible is not asked: values are literal")
		return nil
	}
	err := s.askOnly(ctx)
	var cannot *runner.PreflightError
	if errors.As(err, &cannot) {
		s.app.output.note("effective values are not known, so literal ones are used: %v", cannot)
		return nil
	}
	return err
}

// noAnsible is the value of --ansible-playbook with which an audit asks nobody.
const noAnsible = "none"

// fixInventory shows or writes the mechanical changes.
func (a *app) fixInventory(ctx context.Context, s *session, playbooks []string, write bool) error {
	err := s.auditOnly(ctx, playbooks)
	var refused exitError
	if found := errors.As(err, &refused) && refused.code == exitAudit; err != nil && !found {
		return err
	}
	if err := a.change(s.fixes, write); err != nil {
		return err
	}
	for _, f := range a.output.doc.Findings {
		if f.Accepted == "" && f.Severity == string(extravars.SeverityError) && !s.mends(f) {
			return exitError{code: exitAudit, what: fmt.Sprintf("what --fix cannot mend: %s%s: %s", s.placeOf(f), f.Code, f.Message), next: nextOf(f)}
		}
	}
	return nil
}

// mends reports whether one of the mechanical changes is for a finding.
func (s *session) mends(f report.Finding) bool {
	return slices.ContainsFunc(s.fixes, func(c edit.Change) bool { return c.File == f.File && c.Line == f.Line })
}

func nextOf(f report.Finding) string {
	accept := "--accept " + f.Code
	if detail := detailOf(f); detail != "" {
		accept += "=" + detail
	}
	if f.Fix == "" {
		return accept
	}
	return fmt.Sprintf("%s; or %s", f.Fix, accept)
}
