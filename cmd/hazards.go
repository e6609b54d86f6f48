package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify/report"
)

// checkHazards says what the run destroys or passes by. The re-run of an addon stops at
// it; a full run always had it, and is only told.
func (s *session) checkHazards() error {
	hazards, err := s.hazards()
	if err != nil {
		return err
	}
	var first *kubespray.Hazard
	var accepts []string
	for i, h := range hazards {
		if !s.stopsAt(h) && slices.ContainsFunc(s.app.output.doc.Findings, func(f report.Finding) bool { return f.Code == h.Name }) {
			continue // the audit has it, at the line that makes it
		}
		f := s.hazardFinding(h)
		f.Accepted = s.accepted(f.Code, h.Name)
		if f.Accepted == "" && s.stopsAt(h) {
			f.Severity = string(extravars.SeverityError)
			accepts = append(accepts, "--accept hazard="+h.Name)
			if first == nil {
				first = &hazards[i]
			}
		}
		s.app.output.doc.Findings = append(s.app.output.doc.Findings, f)
	}
	if first == nil {
		return nil
	}
	e := exitError{code: exitAudit, what: fmt.Sprintf("hazard=%s: %s: %s", first.Name, first.Addon, first.Text), next: strings.Join(accepts, " ")}
	if first.Source != "" {
		e.what += " (" + first.Source + ")"
	}
	if first.Way != "" {
		e.next = first.Way + "; or, knowing that, " + e.next
	}
	return e
}

func (s *session) hazardFinding(h kubespray.Hazard) report.Finding {
	file, line, found := strings.Cut(h.Source, ":")
	number, _ := strconv.Atoi(line)
	if found {
		file = relativeAll(s.cwd, []string{filepath.Join(s.checkout.Dir, filepath.FromSlash(file))})[0]
	}
	return report.Finding{
		Severity: string(extravars.SeverityWarning), Code: "hazard", Detail: h.Name, Message: h.Addon + ": " + h.Text, File: file, Line: number, Fix: h.Way,
	}
}

// tellTrades says what the easy defaults of the addons to apply give up, in one finding
// for each addon.
func (s *session) tellTrades() {
	for _, c := range s.chosen {
		var texts, ways []string
		for _, trade := range c.addon.Trades(s.told) {
			texts = append(texts, trade.Text)
			if trade.Way != "" {
				ways = append(ways, trade.Way)
			}
		}
		if len(texts) > 0 {
			s.app.output.doc.Findings = append(s.app.output.doc.Findings, report.Finding{
				Severity: string(extravars.SeverityInfo), Code: "trade", Detail: c.addon.Name,
				Message: c.addon.Name + ": " + strings.Join(texts, "; "), Fix: strings.Join(ways, "; "),
			})
		}
	}
}

// stopsAt: what destroys objects stops any run that is narrowed to tags. The rest stops
// who asked for the addon by its name; whoever writes Ansible's own tags is told.
func (s *session) stopsAt(h kubespray.Hazard) bool {
	if s.selection().Full() || s.plan.Flags.Has("check") {
		return false
	}
	return h.Destroys || len(s.chosen) > 0
}

// hazards are those of the addons that run, each once.
func (s *session) hazards() ([]kubespray.Hazard, error) {
	if !s.installs() || s.values == nil && len(s.applyAddons) == 0 {
		return nil, nil // without values no addon is known to run but those that were named
	}
	var out []kubespray.Hazard
	for _, playbook := range s.plan.Playbooks {
		if !within(s.checkout.Dir, playbook) {
			continue
		}
		catalogue, err := s.checkout.Catalogue(playbook)
		if err != nil {
			return nil, fmt.Errorf("reading the addons of %s: %w", playbook, err)
		}
		for _, addon := range catalogue.Addons {
			if !s.runs(addon) {
				continue
			}
			for _, h := range catalogue.Hazards(addon, s.selection(), s.told) {
				if !slices.ContainsFunc(out, func(other kubespray.Hazard) bool { return other.Name == h.Name }) {
					out = append(out, h)
				}
			}
		}
	}
	return out, nil
}

// runs reports whether an addon is asked for; where that is not known, whether it was
// named.
func (s *session) runs(addon kubespray.Addon) bool {
	if asked, known := s.asked(addon); known {
		return asked
	}
	return slices.ContainsFunc(s.applyAddons, func(a kubespray.Addon) bool { return a.Role == addon.Role })
}

func (s *session) selection() kubespray.Selection {
	return kubespray.Selection{Tags: s.plan.Flags.Tags("tags"), Skip: s.plan.Flags.Tags("skip-tags")}
}
