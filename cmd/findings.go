package cmd

import (
	"fmt"
	"slices"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/report"
)

// vaultFindings are those that the audit does not make.
func vaultFindings(findings []report.Finding) []report.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f report.Finding) bool { return f.Code != vaultMissing })
}

const vaultMissing = "vault-password-missing"

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
		Severity: string(extravars.SeverityError), Code: vaultMissing, File: file,
		Message: file + " is encrypted, and there is no vault password", Fix: vaultNext,
	})
	return &runner.PreflightError{What: fmt.Sprintf("%s is encrypted, and there is no vault password: Ansible could not read it", file), Next: vaultNext}
}

const vaultNext = "give --vault-password-file FILE or ANSIBLE_VAULT_PASSWORD_FILE"
