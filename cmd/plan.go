package cmd

import (
	"errors"
	"fmt"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify/report"
)

// tellPlan puts the plan into the report.
func (s *session) tellPlan() error {
	plan, err := s.reportPlan()
	s.app.output.doc.Plan = plan
	return err
}

// showPlan also says what the plan alone tells of hazards and trades: Ansible was not
// asked, so that the checkout's defaults count for values.
func (s *session) showPlan() error {
	s.tellCompanions()
	stops := s.checkHazards()
	var e exitError
	if errors.As(stops, &e) {
		s.app.output.warn("this run would stop: %s; next: %s", e.what, e.next)
		stops = nil
	}
	s.tellTrades()
	return stops
}

// reportPlan is the plan as the report tells it.
func (s *session) reportPlan() (*report.Plan, error) {
	p := s.plan
	plan := &report.Plan{
		Argv: p.Argv(), Dir: p.Dir, Tags: nonNil(p.Flags.Tags("tags")), Limit: p.Flags.Last("limit"), Playbooks: p.Playbooks,
		Ansible: fmt.Sprintf("%s (ansible-core %s)", p.Ansible.Path, orUnknown(p.Ansible.Version)), Config: p.Config,
	}
	if len(s.chosen) == 0 {
		return plan, nil
	}
	for _, c := range s.companions {
		plan.Added = append(plan.Added, report.AddedTag(c))
	}
	catalogue, err := s.checkout.Catalogue("")
	if err != nil {
		return nil, fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	asked, anyway := catalogue.Planned(s.selection(), s.applyAddons)
	plan.Roles, plan.Always = plannedRoles(asked), plannedRoles(anyway)
	return plan, nil
}

// namesShown is how many tasks of a role a plan names.
const namesShown = 5

func plannedRoles(list []kubespray.Planned) []report.PlannedRole {
	var out []report.PlannedRole
	for _, p := range list {
		r := report.PlannedRole{Role: p.Role, Play: p.Play.Name, When: p.When, Tasks: len(p.Tasks)}
		for _, t := range p.Tasks {
			if len(r.Names) < namesShown && t.Name != "" {
				r.Names = append(r.Names, t.Name)
			}
		}
		out = append(out, r)
	}
	return out
}
