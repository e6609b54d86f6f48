package cmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/explain"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/internal/settings"
	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/report"
)

// readSettings reads .surespray.yml beside the inventory, and what --accept says. The flag
// comes before the environment, and that before the file.
func (s *session) readSettings() error {
	for _, arg := range append(slices.Clone(s.accept), split(s.app.sys.Getenv("SURESPRAY_ACCEPT"))...) {
		accept, err := settings.ParseAccept(arg)
		if err != nil {
			return usageError{err: fmt.Errorf("--accept %w", err), next: "--accept CODE or --accept CODE=DETAIL"}
		}
		if !knownCode(accept.Code) {
			next := "surespray explain CODE, or checks list"
			if near := kubespray.Nearest(accept.Code, explain.Codes(), 1); len(near) > 0 {
				next = "did you mean " + near[0] + "?"
			}
			return usagef(next, "--accept %s: no finding has this code", accept.Code)
		}
		accept.Reason = "--accept " + accept.String()
		s.accepts = append(s.accepts, accept)
	}
	read, err := settings.Read(settings.Find(s.inventories(), s.cwd), time.Now())
	if problems := settings.Problems(err); len(problems) > 0 {
		for _, p := range problems {
			s.app.output.doc.Findings = append(s.app.output.doc.Findings, report.Finding{
				Severity: string(extravars.SeverityError), Code: p.Code, File: p.File, Line: p.Line, Message: p.Message, Fix: p.Fix,
			})
		}
		first := problems[0]
		return exitError{code: exitAudit, what: fmt.Sprintf("%s:%d: %s: %s", first.File, first.Line, first.Code, first.Message), next: first.Fix}
	}
	if err != nil {
		return err
	}
	for _, accept := range read.Accept {
		if !knownCode(accept.Code) {
			return exitError{code: exitAudit, what: fmt.Sprintf("%s:%d: no finding has the code %s", accept.File, accept.Line, accept.Code), next: "surespray explain CODE"}
		}
	}
	s.accepts = append(s.accepts, read.Accept...)
	s.settings = read
	return nil
}

// knownCode is true for what a finding or a result can be accepted by.
func knownCode(code string) bool {
	_, ok := explain.Find(code)
	return ok || code == "unknown"
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// accepted returns the reason for which a finding with this code stops nothing, or "".
func (s *session) accepted(code string, details ...string) string {
	for _, a := range s.accepts {
		if a.Code == code && (a.Detail == "" || slices.Contains(details, a.Detail)) {
			return a.Reason
		}
	}
	return ""
}

// acceptFindings marks the findings that are accepted; an error becomes a warning.
func (s *session) acceptFindings(findings []report.Finding) {
	for i := range findings {
		f := &findings[i]
		if f.Severity == string(extravars.SeverityInfo) {
			continue
		}
		if f.Accepted = s.accepted(f.Code, f.Detail, f.Key, fmt.Sprintf("%s:%d", f.File, f.Line)); f.Accepted != "" && f.Severity == string(extravars.SeverityError) {
			f.Severity = string(extravars.SeverityWarning)
		}
	}
}

// acceptResults marks the results that are accepted: by their cause, narrowed by a
// subject, a node or the id; an unknown also by unknown=ID. They no longer count.
func (s *session) acceptResults(results []verify.Result) {
	for i := range results {
		r := &results[i]
		if r.Verdict == verify.VerdictPass || r.Verdict == verify.VerdictSkip {
			continue
		}
		r.Accepted = s.accepted(r.Cause, append([]string{r.ID, r.Subject}, r.On...)...)
		if r.Accepted == "" && r.Verdict == verify.VerdictUnknown {
			r.Accepted = s.accepted("unknown", r.ID)
		}
		if r.Accepted != "" {
			r.Verdict = verify.VerdictWarn
		}
	}
}

// detailOf is what --accept CODE=DETAIL names of a finding.
func detailOf(f report.Finding) string {
	if f.Detail != "" {
		return f.Detail
	}
	return f.Key
}
