package kubespray

import "github.com/surespray/surespray/extravars"

// parser walks an expression by Jinja's precedence and carries types instead of
// values. It gives up (failed) on anything that it does not know.
type parser struct {
	tokens    []token
	pos       int
	depth     int
	failed    bool
	name      func(string) extravars.Type
	undefined func(string) bool // a name without any default
}

func (p *parser) peek() token {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos]
	}
	return token{}
}

// take steps over the next token if it is one of these words or operators.
func (p *parser) take(texts ...string) bool {
	t := p.peek()
	if t.kind != 'n' && t.kind != 'o' {
		return false
	}
	for _, text := range texts {
		if t.text == text {
			p.pos++
			return true
		}
	}
	return false
}

func (p *parser) need(text string) {
	if !p.take(text) {
		p.failed = true
	}
}

func same(a, b extravars.Type) extravars.Type {
	if a == b {
		return a
	}
	return extravars.Unknown
}

func (p *parser) ternary() extravars.Type {
	if p.depth++; p.depth > 100 {
		p.failed = true
		return extravars.Unknown
	}
	defer func() { p.depth-- }()
	t := p.or()
	if !p.take("if") {
		return t
	}
	p.or()
	if !p.take("else") {
		return extravars.Unknown
	}
	return same(t, p.ternary())
}

func (p *parser) or() extravars.Type {
	t := p.and()
	for p.take("or") {
		t = same(t, p.and())
	}
	return t
}

func (p *parser) and() extravars.Type {
	t := p.not()
	for p.take("and") {
		t = same(t, p.not())
	}
	return t
}

func (p *parser) not() extravars.Type {
	negated := false
	for p.take("not") {
		negated = true
	}
	t := p.compare()
	if negated {
		return extravars.Bool
	}
	return t
}

func (p *parser) compare() extravars.Type {
	t := p.sum()
	for {
		start := p.pos
		if !p.take("==", "!=", "<", ">", "<=", ">=", "in") && (!p.take("not") || !p.take("in")) {
			p.pos = start
			return t
		}
		p.sum()
		t = extravars.Bool
	}
}

// sum covers + - ~ * / // % **: they matter only for where an operand ends.
func (p *parser) sum() extravars.Type {
	t := p.unary()
	for {
		switch {
		case p.take("~"):
			p.unary()
			t = extravars.String
		case p.take("+", "-", "*", "//"):
			t = same(t, p.unary())
			if t == extravars.Bool {
				t = extravars.Unknown
			}
		case p.take("/", "%", "**"):
			p.unary()
			t = extravars.Unknown
		default:
			return t
		}
	}
}

func (p *parser) unary() extravars.Type {
	signed := false
	for p.take("-", "+") {
		signed = true
	}
	t, name := p.primary()
	t = p.postfix(t, name)
	if signed && t != extravars.Int && t != extravars.Float {
		return extravars.Unknown
	}
	return t
}

// primary returns the type, and the name if the primary is nothing but a name.
func (p *parser) primary() (extravars.Type, string) {
	t := p.peek()
	p.pos++
	switch {
	case t.kind == 's':
		return extravars.String, ""
	case t.kind == 'i':
		return extravars.Int, ""
	case t.kind == 'f':
		return extravars.Float, ""
	case t.kind == 'n' && t.text == "lookup":
		return p.lookup(), ""
	case t.kind == 'n' && t.text != "none" && t.text != "None":
		return p.name(t.text), t.text
	case t.kind == 'o' && t.text == "(":
		inner := p.ternary()
		p.need(")")
		return inner, ""
	case t.kind == 'o' && t.text == "[":
		p.list("]")
		return extravars.List, ""
	case t.kind == 'o' && t.text == "{":
		p.list("}")
		return extravars.Dict, ""
	}
	p.failed = true
	return extravars.Unknown, ""
}

// lookup knows one plugin: the environment, which is text.
func (p *parser) lookup() extravars.Type {
	p.need("(")
	env := p.peek().kind == 's' && p.peek().text == "env"
	if args := p.list(")"); env && len(args) == 2 {
		return extravars.String
	}
	return extravars.Unknown
}

// list reads what stands up to the closing bracket, commas, colons and keyword
// arguments included, and returns the types of the elements.
func (p *parser) list(end string) []extravars.Type {
	var types []extravars.Type
	for !p.failed && !p.take(end) {
		if p.peek().kind == 0 {
			p.failed = true
			return nil
		}
		types = append(types, p.ternary())
		if p.take("=", ":") {
			p.ternary()
		}
		p.take(",")
	}
	return types
}
