package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
)

func (a *app) vars() *cobra.Command {
	s := &session{app: a}
	secrets := false
	c := &cobra.Command{
		Use:     "vars [PLAYBOOK...]",
		GroupID: "before",
		Short:   "Show how each -e is sent, beside what raw Ansible would make of it",
		Long: `Shows for each -e what raw ansible-playbook would make of it, up to ansible-core 2.18 and
from 2.19 on; what that does alone in a condition ("when: x"); whether the checkout's own
check would have stopped it; what surespray sends instead; and why. Nothing is run, and no
Ansible is needed. -o args prints arguments with the same meaning for raw
ansible-playbook, and the lines for the inventory. Values of variables whose name looks
secret are masked.` + exitHelp(
			"0 shown",
			"64 arguments, or an extra var that does not parse (the others are shown)",
			"69 no checkout",
			"70 error of surespray"),
		Example: `  surespray vars -e helm_enabled=true -e metrics_server_enabled=false
  surespray vars -e @overrides.yml -e '{"kube_version": "1.36.4"}' -o json
  surespray vars -e metrics_server_enabled=true -o args`,
		RunE: func(_ *cobra.Command, playbooks []string) error { return a.showVars(s, playbooks, secrets) },
	}
	s.bind(c, func(runner.Flag) bool { return true })
	a.output.bindFormat(c, "text", "json", "args")
	c.Flags().BoolVar(&secrets, "show-secrets", false, "do not mask values whose name looks secret")
	return c
}

func (a *app) showVars(s *session, playbooks []string, secrets bool) error {
	if err := s.openTypes(playbooks); err != nil {
		return err
	}
	parsed, err := s.parseExtraVars(s.types)
	var refused *extravars.UsageError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	assertions, assertErr := s.checkout.Assertions()
	if assertErr != nil {
		return fmt.Errorf("reading the checkout's own check: %w", assertErr)
	}
	view := varsView{vars: parsed, refused: refused != nil, secrets: secrets, assertions: assertions, types: s.types, switches: s.switches()}
	a.output.own = func(w io.Writer) error {
		switch a.output.format {
		case "json":
			return view.json(w)
		case "args":
			return view.args(w)
		}
		return view.text(w)
	}
	return err
}

// switches maps each switch to the addon that it is of, where one addon has it.
func (s *session) switches() map[string]string {
	addons, err := s.checkout.Addons()
	if err != nil {
		return nil // the names only make a sentence clearer
	}
	of := map[string]string{}
	for _, addon := range addons {
		for _, name := range addon.Switch {
			if _, shared := of[name]; shared || !strings.HasSuffix(name, "_enabled") {
				of[name] = ""
				continue
			}
			of[name] = addon.Name
		}
	}
	return of
}

// varsView is what surespray vars shows.
type varsView struct {
	vars       *extravars.Vars
	refused    bool
	secrets    bool
	assertions []kubespray.Assertion
	types      *kubespray.Types
	switches   map[string]string
}

// mask hides what looks secret unless the user wants to see it.
func (v varsView) mask(m extravars.Mapping) extravars.Mapping {
	if v.secrets {
		return m
	}
	return m.Masked()
}

func (v varsView) shown(e extravars.Element) string {
	if v.secrets {
		return e.Text
	}
	return e.Shown
}

// assertion is the checkout's own check of a variable that would stop a raw value.
func (v varsView) assertion(e extravars.Element, core extravars.Core) (kubespray.Assertion, bool) {
	for _, a := range v.assertions {
		if raw, given := e.Raw[core].Get(a.Variable); given {
			if _, boolean := raw.(bool); !boolean {
				return a, true
			}
		}
	}
	return kubespray.Assertion{}, false
}

func (v varsView) stopped(e extravars.Element) bool {
	return slices.ContainsFunc(extravars.Cores(), func(core extravars.Core) bool {
		_, stopped := v.assertion(e, core)
		return stopped
	})
}

// merged is what the variables are in the end: later elements win.
func (v varsView) merged() extravars.Mapping {
	if v.refused {
		return nil
	}
	out := extravars.Mapping{}
	for _, e := range v.vars.Elements {
		for _, p := range e.Sent {
			if i := slices.IndexFunc(out, func(have extravars.Pair) bool { return have.Key == p.Key }); i >= 0 {
				out[i] = p
				continue
			}
			out = append(out, p)
		}
	}
	return out
}

func (v varsView) json(w io.Writer) error {
	type element struct {
		Arg               string                               `json:"arg"`
		Raw               map[extravars.Core]extravars.Mapping `json:"raw"`
		Condition         map[extravars.Core]map[string]any    `json:"condition"`
		Sent              extravars.Mapping                    `json:"sent"`
		StoppedByCheckout bool                                 `json:"stopped_by_checkout"`
		Note              string                               `json:"note,omitempty"`
	}
	document := struct {
		Elements []element           `json:"elements"`
		Vars     extravars.Mapping   `json:"vars"`
		Findings []extravars.Finding `json:"findings"`
	}{Elements: []element{}, Vars: v.mask(v.merged()), Findings: v.vars.Findings}
	if document.Findings == nil {
		document.Findings = []extravars.Finding{}
	}
	for _, e := range v.vars.Elements {
		shown := element{Arg: v.shown(e), Raw: map[extravars.Core]extravars.Mapping{}, Condition: map[extravars.Core]map[string]any{}, Sent: v.mask(e.Sent), StoppedByCheckout: v.stopped(e)}
		for _, core := range extravars.Cores() {
			shown.Raw[core], shown.Condition[core] = v.mask(e.Raw[core]), e.Condition(core)
		}
		var notes []string
		for _, n := range e.Notes {
			notes = append(notes, strings.TrimPrefix(n.Key+": "+n.Text, ": "))
		}
		shown.Note = strings.Join(notes, "; ")
		document.Elements = append(document.Elements, shown)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(document)
}
