package kubespray

import (
	"strings"

	"github.com/surespray/surespray/extravars"
)

// jinjaTyper decides the type of a default that is a template, where the answer
// does not depend on the values: a comparison is a boolean, "x | int" an integer,
// a reference has the type of what it refers to. All else stays Unknown.
type jinjaTyper struct {
	types   *Types
	settled map[string]bool // decided, or being decided: a circle ends there
}

// settle gives a name its type from all its defaults, templates included.
func (j *jinjaTyper) settle(name string) extravars.Type {
	if j.settled[name] {
		return j.types.types[name]
	}
	j.settled[name] = true
	decided := make([]Default, 0, len(j.types.defaults[name]))
	for _, d := range j.types.defaults[name] {
		if d.Template {
			d.Type = j.template(d.Value.(string))
		}
		decided = append(decided, d)
	}
	j.types.types[name] = agree(decided)
	return j.types.types[name]
}

func (j *jinjaTyper) template(s string) extravars.Type {
	if inner, ok := onlyExpression(s); ok {
		return j.expression(inner)
	}
	if textAround(s) {
		return extravars.String
	}
	return extravars.Unknown
}

// textAround is true for templates with real text outside the braces, such as
// "v{{ version }}". Blocks are left out: what they leave over is not known, and a
// leading bracket could make older releases read the result as a list.
func textAround(s string) bool {
	if strings.Contains(s, "{%") || strings.ContainsAny(s[:1], "[ \n\t") || strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "{{") {
		return false
	}
	for {
		open := strings.Index(s, "{{")
		if open < 0 {
			return strings.TrimSpace(s) != ""
		}
		if strings.TrimSpace(s[:open]) != "" {
			return true
		}
		end := strings.Index(s, "}}")
		if end < open {
			return false
		}
		s = s[end+2:]
	}
}

func (j *jinjaTyper) expression(s string) extravars.Type {
	tokens, ok := lex(s)
	if !ok {
		return extravars.Unknown
	}
	p := parser{tokens: tokens, name: j.name, undefined: func(n string) bool { return len(j.types.defaults[n]) == 0 }}
	t := p.ternary()
	if p.failed || p.peek().kind != 0 {
		return extravars.Unknown
	}
	return t
}

func (j *jinjaTyper) name(name string) extravars.Type {
	switch name {
	case "true", "false", "True", "False":
		return extravars.Bool
	case "inventory_hostname":
		return extravars.String
	case "group_names":
		return extravars.List
	case "groups", "hostvars":
		return extravars.Dict
	}
	return j.settle(name)
}
