package extravars

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is where nesting is given up: Python gives up near it, too.
const maxDepth = 900

var (
	errNotJSON = errors.New("not JSON")
	errTooDeep = errors.New("nested too deeply, or far too large")
)

// readJSON reads a text as Ansible's JSON reader does, which is Python's: NaN and
// Infinity are numbers, integers have any size, a repeated key takes its last value, and
// a mapping with __ansible_vault or __ansible_unsafe stands for such a value.
func readJSON(text string) (any, error) {
	r := jsonReader{s: text}
	r.blanks()
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if r.blanks(); r.i < len(r.s) {
		return nil, errNotJSON
	}
	return v, nil
}

type jsonReader struct {
	s string
	i int
}

func (r *jsonReader) blanks() {
	for r.i < len(r.s) && strings.IndexByte(" \t\n\r", r.s[r.i]) >= 0 {
		r.i++
	}
}

// take moves over a text if it comes next.
func (r *jsonReader) take(text string) bool {
	if !strings.HasPrefix(r.s[r.i:], text) {
		return false
	}
	r.i += len(text)
	return true
}

func (r *jsonReader) value(depth int) (any, error) {
	switch {
	case depth > maxDepth:
		return nil, errTooDeep
	case r.take("{"):
		return r.mapping(depth)
	case r.take("["):
		return r.list(depth)
	case r.take(`"`):
		return r.text()
	case r.take("null"):
		return nil, nil
	case r.take("true"):
		return true, nil
	case r.take("false"):
		return false, nil
	case r.take("NaN"):
		return math.NaN(), nil
	case r.take("Infinity"):
		return math.Inf(1), nil
	case r.take("-Infinity"):
		return math.Inf(-1), nil
	}
	return r.number()
}

func (r *jsonReader) mapping(depth int) (any, error) {
	var b mappingBuilder
	r.blanks()
	for first := true; !r.take("}"); first = false {
		if r.blanks(); !first {
			if !r.take(",") {
				return nil, errNotJSON
			}
			r.blanks()
		}
		if !r.take(`"`) {
			return nil, errNotJSON
		}
		key, err := r.text()
		if err != nil {
			return nil, err
		}
		if r.blanks(); !r.take(":") {
			return nil, errNotJSON
		}
		r.blanks()
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		b.set(key, v)
		r.blanks()
	}
	return standsFor(b.mapping()), nil
}

// standsFor turns the two mappings that Ansible's reader replaces.
func standsFor(m Mapping) any {
	for _, p := range m {
		text, isText := p.Value.(string)
		switch p.Key {
		case "__ansible_vault":
			if isText {
				return Vault(text)
			}
		case "__ansible_unsafe":
			if isText {
				return Unsafe(text)
			}
			return p.Value
		}
	}
	return m
}

func (r *jsonReader) list(depth int) (any, error) {
	out := []any{}
	r.blanks()
	for first := true; !r.take("]"); first = false {
		if !first {
			if !r.take(",") {
				return nil, errNotJSON
			}
			r.blanks()
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		r.blanks()
	}
	return out, nil
}

// text reads a string after its first quote.
func (r *jsonReader) text() (string, error) {
	var b []byte
	for start := r.i; r.i < len(r.s); {
		switch c := r.s[r.i]; {
		case c == '"':
			r.i++
			if b == nil {
				return r.s[start : r.i-1], nil
			}
			return string(append(b, r.s[start:r.i-1]...)), nil
		case c < 0x20:
			return "", errNotJSON
		case c == '\\':
			b = append(b, r.s[start:r.i]...)
			ru, ok := r.escape()
			if !ok {
				return "", errNotJSON
			}
			b = appendRune(b, ru)
			start = r.i
		default:
			r.i++
		}
	}
	return "", errNotJSON
}

func (r *jsonReader) escape() (rune, bool) {
	r.i++
	if r.i == len(r.s) {
		return 0, false
	}
	c := r.s[r.i]
	if c != 'u' {
		i := strings.IndexByte(`"\/bfnrt`, c)
		if i < 0 {
			return 0, false
		}
		r.i++
		return rune("\"\\/\b\f\n\r\t"[i]), true
	}
	high, ok := r.hex4()
	if !ok || high < 0xD800 || high > 0xDBFF || !strings.HasPrefix(r.s[r.i:], `\u`) {
		return high, ok
	}
	back := r.i
	r.i++
	low, ok := r.hex4()
	if !ok || low < 0xDC00 || low > 0xDFFF {
		r.i = back
		return high, true
	}
	return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00), true
}

// hex4 reads uHHHH.
func (r *jsonReader) hex4() (rune, bool) {
	if len(r.s) < r.i+5 || !isHex(r.s[r.i+1:r.i+5]) {
		return 0, false
	}
	v, _ := strconv.ParseUint(r.s[r.i+1:r.i+5], 16, 32)
	r.i += 5
	return rune(v), true
}

func (r *jsonReader) number() (any, error) {
	start := r.i
	r.take("-")
	whole := r.digits()
	if whole == 0 {
		return nil, errNotJSON
	}
	if whole > 1 && r.s[r.i-whole] == '0' { // 01 is 0 with something behind it
		return nil, errNotJSON
	}
	end, isFloat := r.i, false
	if r.take(".") && r.digits() > 0 {
		end, isFloat = r.i, true
	}
	r.i = end
	if r.take("e") || r.take("E") {
		if !r.take("-") {
			r.take("+")
		}
		if r.digits() > 0 {
			end, isFloat = r.i, true
		}
	}
	r.i = end
	if isFloat {
		return parseFloat(r.s[start:end]), nil
	}
	return parseInt(r.s[start:end], 10), nil
}

func (r *jsonReader) digits() (n int) {
	for r.i < len(r.s) && r.s[r.i] >= '0' && r.s[r.i] <= '9' {
		r.i++
		n++
	}
	return n
}

// parseInt reads an integer of any size; the text is known to be one.
func parseInt(s string, base int) any {
	if i, err := strconv.ParseInt(s, base, 64); err == nil {
		return i
	}
	b, ok := new(big.Int).SetString(s, base)
	if !ok {
		return nil
	}
	if b.IsInt64() {
		return b.Int64()
	}
	return b
}

// parseFloat reads a number; what is too large is infinite, as in Python.
func parseFloat(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

func validText(s string) bool { return utf8.ValidString(s) }
