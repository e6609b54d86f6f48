package cmd

import (
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
)

// A default that is a template has the type that Ansible makes of it. Where a key=value
// gives such a variable, its default is among what Ansible is asked for; then the
// arguments are read again, with the type known.

// openDefaults are the templates whose type only Ansible can tell, of the variables given
// as key=value and by the inventory, and the roles that they stand in.
func (s *session) openDefaults() (templates, roles []string) {
	for _, name := range s.givenNames() {
		if s.types.TypeOf(name) != extravars.Unknown {
			continue
		}
		for _, d := range s.types.Defaults(name) {
			if text, ok := d.Value.(string); ok && d.Template && !slices.Contains(templates, text) {
				templates = append(templates, text)
			}
			role, _, ok := strings.Cut(strings.TrimPrefix(d.File, "roles/"), "/defaults/")
			if ok && role != "kubespray_defaults" && !slices.Contains(roles, role) {
				roles = append(roles, role)
			}
		}
	}
	return templates, roles
}

// givenNames are the variables that key=value and the inventory give, the latter as far as
// the value may have the wrong type: a text keeps what it is in most places.
func (s *session) givenNames() []string {
	var names []string
	for _, e := range s.plan.ExtraVars.Elements {
		for _, p := range e.Sent {
			if name, ok := p.Key.(string); ok && e.Form == extravars.FormKeyValue {
				names = append(names, name)
			}
		}
	}
	if s.inventory != nil {
		for _, setting := range s.inventory.Settings {
			_, boolean := setting.Value.(bool)
			text, isText := setting.Value.(string)
			if _, isWord := extravars.MeansFalse(text); boolean || isText && isWord {
				names = append(names, setting.Key)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// retype reads the arguments again with the types that Ansible told.
func (s *session) retype() error {
	if len(s.values.Made) == 0 {
		return nil
	}
	vars, err := s.parseExtraVars(s.toldTypes())
	if err != nil {
		return err
	}
	s.plan.ExtraVars = vars
	return nil
}

// toldTypes is the schema with what Ansible made of templates.
func (s *session) toldTypes() schema {
	out := schema{Types: s.types, told: map[string]extravars.Type{}}
	for template, value := range s.values.Made {
		out.told[template] = typeOfJSON(value)
	}
	return out
}

// schema is the checkout's, with the templates' types besides.
type schema struct {
	*kubespray.Types
	told map[string]extravars.Type
}

func (s schema) TypeOf(name string) extravars.Type { return s.Told(name, s.told) }

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
	return extravars.Unknown
}
