package cmd

import (
	"fmt"
	"slices"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/report"
)

// judgeExtraVars says what the findings on extra vars mean for the core in use: what
// this core gets wrong stops the run unless it is accepted, the rest is reported.
func (s *session) judgeExtraVars() error {
	core := extravars.Core219
	if v := s.plan.Ansible.Version; v != "" && kubespray.CompareVersions(v, "2.19") < 0 {
		core = extravars.Core218
	}
	findings := slices.Clone(s.plan.ExtraVars.Findings)
	var blocking *extravars.Finding
	for i := range findings {
		f := &findings[i]
		if f.Severity != extravars.SeverityError {
			continue
		}
		if len(f.Cores) > 0 && !slices.Contains(f.Cores, core) {
			f.Severity = extravars.SeverityWarning
			continue
		}
		if slices.Contains(s.accept, f.Code) {
			f.Severity = extravars.SeverityWarning
			f.Message += " (accepted by --accept " + f.Code + ")"
			continue
		}
		if blocking == nil {
			blocking = f
		}
	}
	s.app.output.doc.Findings = reportFindings(findings)
	if blocking == nil {
		return nil
	}
	place := "-e " + s.plan.ExtraVars.Elements[blocking.Arg].Shown
	if blocking.File != "" {
		place = fmt.Sprintf("%s:%d", blocking.File, blocking.Line)
	}
	return exitError{code: exitAudit, what: fmt.Sprintf("%s: %s: %s", place, blocking.Code, blocking.Message), next: blocking.Fix + "; or --accept " + blocking.Code}
}

// checkVault stops a run that hands over an encrypted file which nobody can decrypt.
func (s *session) checkVault() error {
	i := slices.IndexFunc(s.plan.ExtraVars.Findings, func(f extravars.Finding) bool { return f.Code == "not-audited-encrypted" })
	if i < 0 {
		return nil
	}
	file := s.plan.ExtraVars.Findings[i].File
	flags := s.plan.Flags
	switch {
	case flags.Has("vault-password-file"), s.config.VaultPassword != "", s.config.VaultIdentities,
		s.app.sys.Getenv("ANSIBLE_VAULT_PASSWORD_FILE") != "", s.app.sys.Getenv("ANSIBLE_VAULT_IDENTITY_LIST") != "":
		return nil
	case slices.ContainsFunc(flags["vault-id"], func(id string) bool { return !isPrompt(id) }):
		return nil
	case (flags.Has("ask-vault-password") || flags.Has("vault-id")) && runner.HasTerminal():
		return nil
	}
	s.app.output.doc.Findings = append(s.app.output.doc.Findings, report.Finding{
		Severity: string(extravars.SeverityError), Code: "vault-password-missing", File: file,
		Message: file + " is encrypted, and there is no vault password", Fix: vaultNext,
	})
	return &runner.PreflightError{What: fmt.Sprintf("%s is encrypted, and there is no vault password: Ansible could not read it", file), Next: vaultNext}
}

const vaultNext = "give --vault-password-file FILE or ANSIBLE_VAULT_PASSWORD_FILE"
