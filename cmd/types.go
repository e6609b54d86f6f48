package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/runner"
)

// A default that is a template has the type that Ansible makes of it. Where a key=value
// gives such a variable, its default is among what Ansible is asked for, with that
// argument left out; then the arguments are read again, with the type known.

// openTypes are the variables given as key=value whose type only Ansible can tell.
func (s *session) openTypes() []string {
	var open []string
	for _, e := range s.plan.ExtraVars.Elements {
		if e.Form != extravars.FormKeyValue {
			continue
		}
		for _, p := range e.Sent {
			name, _ := p.Key.(string)
			if s.types.TypeOf(name) == extravars.Unknown && len(s.types.Defaults(name)) > 0 && !slices.Contains(open, name) {
				open = append(open, name)
			}
		}
	}
	return open
}

// rolesOf are the roles whose defaults give the variables.
func (s *session) rolesOf(names []string) []string {
	var roles []string
	for _, name := range names {
		for _, d := range s.types.Defaults(name) {
			role, _, ok := strings.Cut(strings.TrimPrefix(d.File, "roles/"), "/defaults/")
			if ok && role != "kubespray_defaults" && !slices.Contains(roles, role) {
				roles = append(roles, role)
			}
		}
	}
	return roles
}

// without is the plan without the arguments that give one of the variables.
func (s *session) without(names []string) runner.Plan {
	p := s.plan
	if len(names) == 0 {
		return p
	}
	rest := *p.ExtraVars
	rest.Elements = slices.DeleteFunc(slices.Clone(rest.Elements), func(e extravars.Element) bool {
		return e.Form == extravars.FormKeyValue && slices.ContainsFunc(e.Sent, func(p extravars.Pair) bool {
			name, _ := p.Key.(string)
			return slices.Contains(names, name)
		})
	})
	p.ExtraVars = &rest
	return p
}

// retype reads the arguments again with the types that Ansible told.
func (s *session) retype(names []string) error {
	told := map[string]extravars.Type{}
	for _, name := range names {
		if v, ok := s.values.Vars[name]; ok {
			told[name] = typeOfJSON(v)
			delete(s.values.Vars, name) // the default's value, not the user's
		}
	}
	if len(told) == 0 {
		return nil
	}
	vars, err := s.parseExtraVars(schema{Schema: s.types, told: told})
	if err != nil {
		return err
	}
	s.plan.ExtraVars = vars
	return s.judgeExtraVars()
}

// schema is the checkout's, with what Ansible told besides.
type schema struct {
	extravars.Schema
	told map[string]extravars.Type
}

func (s schema) TypeOf(name string) extravars.Type {
	if t, ok := s.told[name]; ok {
		return t
	}
	return s.Schema.TypeOf(name)
}

func typeOfJSON(v any) extravars.Type {
	switch v := v.(type) {
	case nil:
		return extravars.Null
	case bool:
		return extravars.Bool
	case string:
		return extravars.String
	case float64:
		if v == float64(int64(v)) {
			return extravars.Int
		}
		return extravars.Float
	case []any:
		return extravars.List
	case map[string]any:
		return extravars.Dict
	}
	panic(fmt.Sprintf("no JSON value: %T", v))
}
