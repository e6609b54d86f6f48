package extravars

import (
	"math/big"
	"strconv"
	"strings"
)

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
