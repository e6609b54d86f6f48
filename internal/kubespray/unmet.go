package kubespray

import (
	"slices"
	"strings"
)

// Unmet says why an addon would not run, and what would help.
type Unmet struct {
	Conditions []string // those of the main way that do not hold
	Off        bool     // one of them is about a switch of the addon
	Reads      []string // the variables in them
	// Arguments would make them hold, as one text for people; "" where no argument
	// does: a release that has no such thing, or the network plugin, which is not
	// chosen anew by an argument.
	Arguments string
}

// Unmet finds what keeps a way from being taken. holds tells of a condition of
// [Addon.Conditions] whether it holds, and whether that is known.
func (a Addon) Unmet(holds func(condition string) (holds, known bool)) Unmet {
	u := Unmet{}
	var arguments []string
	helps := true
	for _, c := range a.Conditions() {
		if ok, known := holds(c); ok || !known {
			continue
		}
		u.Conditions = append(u.Conditions, c)
		for _, name := range identifiers(c) {
			if !slices.Contains(u.Reads, name) {
				u.Reads = append(u.Reads, name)
			}
			u.Off = u.Off || slices.Contains(a.Switch, name)
		}
		argument := argumentFor(c)
		helps = helps && argument != ""
		arguments = append(arguments, argument)
	}
	if helps {
		u.Arguments = strings.Join(arguments, " ")
	}
	return u
}

// Reads lists the variables in a condition.
func Reads(condition string) []string { return identifiers(condition) }

// argumentFor is what makes a condition hold, "" where it is not of a form that says so.
func argumentFor(condition string) string {
	tokens, ok := lex(condition)
	if !ok {
		return ""
	}
	p := wish{tokens}
	out := p.any()
	if len(p.rest) > 0 {
		return ""
	}
	return out
}

// wish reads "A or B", "A and B", "not A", "A == 'text'" and names, by precedence.
type wish struct{ rest []token }

func (p *wish) next(text string) bool {
	if len(p.rest) > 0 && p.rest[0].kind != 's' && p.rest[0].text == text {
		p.rest = p.rest[1:]
		return true
	}
	return false
}

// any is one of several: those that cannot be had by an argument are left out.
func (p *wish) any() string {
	var parts []string
	for {
		if part := p.all(); part != "" {
			parts = append(parts, part)
		}
		if !p.next("or") {
			return strings.Join(parts, " or ")
		}
	}
}

// all needs every part.
func (p *wish) all() string {
	var parts []string
	for {
		parts = append(parts, p.one())
		if p.next("and") {
			continue
		}
		if slices.Contains(parts, "") {
			return ""
		}
		return strings.Join(parts, " ")
	}
}

func (p *wish) one() string {
	value := "true"
	if p.next("not") {
		value = "false"
	}
	if value == "true" && p.next("(") {
		inner := p.any()
		if !p.next(")") {
			return ""
		}
		if len(p.rest) > 1 && p.rest[0].text == "==" { // (NAME) == 'text', as a templated role has it
			inner = strings.TrimSuffix(inner, "=true")
			return p.equals(strings.TrimPrefix(inner, "-e "))
		}
		return inner
	}
	if len(p.rest) == 0 || p.rest[0].kind != 'n' || jinjaWord(p.rest[0].text) {
		return ""
	}
	name := p.rest[0].text
	p.rest = p.rest[1:]
	if value == "true" && len(p.rest) > 1 && p.rest[0].text == "==" {
		return p.equals(name)
	}
	return "-e " + name + "=" + value
}

// equals reads the rest of NAME == 'text'.
func (p *wish) equals(name string) string {
	if p.rest[1].kind != 's' || !isName(name) {
		return ""
	}
	value := p.rest[1].text
	p.rest = p.rest[2:]
	if name == networkSwitch {
		return ""
	}
	return "-e " + name + "=" + value
}
