package kubespray

import "github.com/surespray/surespray/extravars"

// postfix reads what may follow an operand: attributes, indexes, calls, filters
// and tests. They bind tighter than any operator.
func (p *parser) postfix(t extravars.Type, name string) extravars.Type {
	for !p.failed {
		switch {
		case p.take("."):
			p.pos++
			t, name = extravars.Unknown, ""
		case p.take("["):
			p.list("]")
			t, name = extravars.Unknown, ""
		case p.take("("):
			p.list(")")
			t, name = extravars.Unknown, ""
		case p.take("|"):
			t, name = p.filter(t, name), ""
		case p.take("is"):
			p.test()
			t, name = extravars.Bool, ""
		default:
			return t
		}
	}
	return extravars.Unknown
}

// test reads [not] NAME [ARGUMENT]; the answer is a boolean whatever it is.
func (p *parser) test() {
	p.take("not")
	p.pos++
	for p.take(".") {
		p.pos++
	}
	next := p.peek()
	switch {
	case next.kind == 'o' && next.text == "(":
		p.pos++
		p.list(")")
	case next.kind == 's' || next.kind == 'i' || next.kind == 'f':
		p.pos++
	case next.kind == 'n' && !jinjaWord(next.text):
		p.pos++
	}
}

func (p *parser) filter(t extravars.Type, name string) extravars.Type {
	filter := p.peek()
	p.pos++
	for p.take(".") { // a filter of a collection
		filter.text = ""
		p.pos++
	}
	var args []extravars.Type
	if p.take("(") {
		args = p.list(")")
	}
	switch filter.text {
	case "default", "d":
		if len(args) == 0 {
			return extravars.Unknown
		}
		if name != "" && p.undefined(name) {
			return args[0]
		}
		return same(t, args[0])
	case "ternary":
		if len(args) == 2 {
			return same(args[0], args[1])
		}
		return extravars.Unknown
	}
	return filterType(filter.text)
}

// filterType knows the filters whose result has one type whatever goes in.
func filterType(filter string) extravars.Type {
	switch filter {
	case "bool":
		return extravars.Bool
	case "int", "length", "count":
		return extravars.Int
	case "float":
		return extravars.Float
	case "string", "lower", "upper", "trim", "join", "replace", "regex_replace", "capitalize",
		"b64encode", "b64decode", "basename", "dirname", "quote", "to_json", "to_yaml", "to_nice_json", "to_nice_yaml":
		return extravars.String
	case "split", "list", "unique", "sort", "union", "difference", "intersect", "flatten":
		return extravars.List
	case "combine":
		return extravars.Dict
	}
	return extravars.Unknown
}
