package extravars

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// hasJSON reports whether a JSON file says exactly this value to Ansible.
func hasJSON(v any) bool {
	switch v := v.(type) {
	case nil, bool, int64, *big.Int, string, Vault, Unsafe:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !hasJSON(item) })
	case Mapping:
		return !slices.ContainsFunc(v, func(p Pair) bool {
			key, ok := p.Key.(string)
			return !ok || key == "__ansible_vault" || key == "__ansible_unsafe" || !hasJSON(p.Value)
		})
	}
	return false
}

// canEncode reports whether encode has a form for a value.
func canEncode(v any) bool {
	switch v := v.(type) {
	case Set, Tuple, Binary:
		return false
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !canEncode(item) })
	case Mapping:
		return !slices.ContainsFunc(v, func(p Pair) bool { return !canEncode(p.Key) || !canEncode(p.Value) })
	}
	return true
}

// encode writes a value for Ansible to read, as one line: JSON, or where there is no JSON
// form, YAML in flow style. A comment before it keeps Ansible's JSON reader away.
func encode(v any) (text []byte, json bool) {
	if json = hasJSON(v); json {
		return append(encoder{json: true}.value(nil, v), '\n'), true
	}
	b := []byte("# YAML, as JSON has no form of a value here\n")
	return append(encoder{}.value(b, v), '\n'), false
}

type encoder struct{ json bool }

// tagged writes what has a tag in YAML and stands in a mapping of its own in JSON.
func (e encoder) tagged(b []byte, name, text string) []byte {
	if !e.json {
		return appendText(append(b, "!"+name+" "...), text)
	}
	return append(appendText(append(b, `{"__ansible_`+name+`": `...), text), '}')
}

func (e encoder) value(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case *big.Int:
		return v.Append(b, 10)
	case float64:
		return appendFloat(b, v)
	case string:
		return appendText(b, v)
	case Vault:
		return e.tagged(b, "vault", string(v))
	case Unsafe:
		return e.tagged(b, "unsafe", string(v))
	case []any:
		return e.list(b, v)
	case Mapping:
		return e.mapping(b, v)
	case Date:
		return append(b, v...)
	case Timestamp:
		return append(b, v...)
	}
	return fmt.Appendf(b, "%v", v)
}

func (e encoder) list(b []byte, list []any) []byte {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = e.value(b, item)
	}
	return append(b, ']')
}

func (e encoder) mapping(b []byte, m Mapping) []byte {
	b = append(b, '{')
	for i, p := range m {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(e.value(b, p.Key), ": "...)
		b = e.value(b, p.Value)
	}
	return append(b, '}')
}

// appendFloat keeps a float a float: 1.0 is not written as 1.
func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, ".nan"...)
	case math.IsInf(f, 1):
		return append(b, ".inf"...)
	case math.IsInf(f, -1):
		return append(b, "-.inf"...)
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".") { // YAML 1.1 wants the dot in 1.0e+21, too
		mantissa, exponent, has := strings.Cut(s, "e")
		s = mantissa + ".0"
		if has {
			s += "e" + exponent
		}
	}
	return append(b, s...)
}

// appendText quotes a text so that JSON and YAML readers agree on it. Bytes that are no
// UTF-8 become what Python makes of them in an argument.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			code, width := surrogate(s[i:])
			b = fmt.Appendf(b, `\u%04x`, code)
			n = width
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}

// surrogate reads what is no UTF-8: a lone surrogate in three bytes, or one byte, for
// which Python has a surrogate, too.
func surrogate(s string) (code, width int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 0xD000 | int(s[1]&0x3F)<<6 | int(s[2]&0x3F), 3
	}
	return 0xDC00 | int(s[0]), 1
}
