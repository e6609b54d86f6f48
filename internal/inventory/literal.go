package inventory

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/surespray/surespray/extravars"
)

// pythonLiteral is what Ansible makes of a value in an INI file: the literal of Python
// that it is, else its text. True is a boolean and true is text, 24 a number, 1.30 the
// number 1.3, 0755 text; a Python comment behind a literal does not count.
func pythonLiteral(s string) any {
	p := literalParser{s: s, budget: 10_000}
	v, ok := p.value()
	if p.blank(); ok && (p.i == len(s) || s[p.i] == '#' && !strings.Contains(s[p.i:], "\n")) {
		return v
	}
	return s
}

// literalParser reads the literals of Python that people write into inventories.
type literalParser struct {
	s      string
	i      int
	budget int
}

func (p *literalParser) blank() {
	for p.i < len(p.s) && strings.IndexByte(" \t\f", p.s[p.i]) >= 0 {
		p.i++
	}
}

// take reads one of the words given.
func (p *literalParser) take(words ...string) string {
	p.blank()
	for _, w := range words {
		if strings.HasPrefix(p.s[p.i:], w) {
			p.i += len(w)
			return w
		}
	}
	return ""
}

func (p *literalParser) value() (any, bool) {
	p.blank()
	if p.budget--; p.budget < 0 || p.i >= len(p.s) {
		return nil, false
	}
	switch p.s[p.i] {
	case '[':
		p.i++
		list, _, ok := p.items("]")
		return list, ok
	case '(':
		p.i++
		list, commas, ok := p.items(")")
		if ok && len(list) == 1 && commas == 0 {
			return list[0], true
		}
		return list, ok
	case '{':
		p.i++
		return p.dict()
	case '\'', '"':
		return p.texts()
	}
	if m := pythonWord.FindString(p.s[p.i:]); m != "" {
		p.i += len(m)
		return map[string]any{"True": true, "False": false, "None": nil}[m], true
	}
	return p.number()
}

var (
	pythonWord   = regexp.MustCompile(`^(?:True|False|None)\b`)
	pythonNumber = regexp.MustCompile(`^(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][-+]?\d+)?|\d(?:_?\d)*\.?(?:[eE][-+]?\d+)?)`)
)

func (p *literalParser) number() (any, bool) {
	negative := false
	for sign := p.take("-", "+"); sign != ""; sign = p.take("-", "+") {
		negative = negative != (sign == "-")
	}
	m := pythonNumber.FindString(p.s[p.i:])
	if m == "" {
		return nil, false
	}
	p.i += len(m)
	if p.i < len(p.s) && (p.s[p.i] == '_' || p.s[p.i] == '.' || isWord(p.s[p.i])) {
		return nil, false // 10.0.0.1, 24Gi, 1j
	}
	text := strings.ReplaceAll(m, "_", "")
	if strings.ContainsAny(text, ".eE") && !strings.HasPrefix(strings.ToLower(text), "0x") {
		f, err := strconv.ParseFloat(text, 64)
		if negative {
			f = -f
		}
		return f, err == nil
	}
	if len(text) > 1 && text[0] == '0' && text[1] <= '9' && strings.Trim(text, "0") != "" {
		return nil, false // 0755 is no number in Python 3
	}
	i, ok := new(big.Int).SetString(text, base(text))
	if !ok {
		return nil, false
	}
	if negative {
		i.Neg(i)
	}
	if i.IsInt64() {
		return i.Int64(), true
	}
	return i, true
}

// base is 0 for a number with a prefix, which says its base itself.
func base(text string) int {
	if len(text) > 1 && text[0] == '0' && text[1] > '9' {
		return 0
	}
	return 10
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// items reads up to a closing bracket.
func (p *literalParser) items(closing string) (list []any, commas int, ok bool) {
	list = []any{}
	for p.take(closing) == "" {
		v, ok := p.value()
		if !ok {
			return nil, 0, false
		}
		list = append(list, v)
		if p.take(",") != "" {
			commas++
		} else if p.take(closing) != "" {
			return list, commas, true
		} else {
			return nil, 0, false
		}
	}
	return list, commas, true
}

// dict reads a dictionary, or a set.
func (p *literalParser) dict() (any, bool) {
	m, set := extravars.Mapping{}, extravars.Set{}
	for p.take("}") == "" {
		key, ok := p.value()
		if !ok {
			return nil, false
		}
		if p.take(":") != "" {
			v, ok := p.value()
			if !ok {
				return nil, false
			}
			m = append(m, extravars.Pair{Key: key, Value: v})
		} else {
			set = append(set, key)
		}
		if p.take(",") == "" {
			if p.take("}") == "" {
				return nil, false
			}
			break
		}
	}
	if len(set) > 0 {
		return set, len(m) == 0
	}
	return m, true
}

// texts reads one text, or several that stand side by side.
func (p *literalParser) texts() (any, bool) {
	var b strings.Builder
	for p.blank(); p.i < len(p.s) && (p.s[p.i] == '\'' || p.s[p.i] == '"'); p.blank() {
		if !p.text(&b) {
			return nil, false
		}
	}
	return b.String(), true
}

func (p *literalParser) text(b *strings.Builder) bool {
	quote := p.s[p.i]
	for p.i++; p.i < len(p.s); p.i++ {
		switch c := p.s[p.i]; c {
		case quote:
			p.i++
			return true
		case '\\':
			if p.i++; p.i == len(p.s) {
				return false
			}
			if at := strings.IndexByte(`\'"abfnrtv`, p.s[p.i]); at >= 0 {
				b.WriteByte("\\'\"\a\b\f\n\r\t\v"[at])
			} else {
				return false // escapes by number: too rare to be worth it
			}
		default:
			b.WriteByte(c)
		}
	}
	return false
}
