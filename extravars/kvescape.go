package extravars

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape decodes the escapes of a key=value item, inside single quotes too:
// \\ \' \" \a \b \f \n \r \t \v \xHH \uHHHH \UHHHHHHHH. What looks like one and is not
// complete stays as it is. ok is false for one that no Python decodes, and for
// \N{NAME}; bad is then its place.
func unescape(s string) (text string, ok bool, bad int) {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s, true, 0
	}
	var b strings.Builder
	b.Grow(len(s))
	for rest := s; ; {
		at := strings.IndexByte(rest, '\\')
		if at < 0 || at == len(rest)-1 {
			b.WriteString(rest)
			return b.String(), true, 0
		}
		b.WriteString(rest[:at])
		rest = rest[at:]
		r, n, known := escape(rest)
		switch {
		case n > 0 && !known:
			return "", false, len(s) - len(rest)
		case n > 0:
			b.Write(appendRune(nil, r))
			rest = rest[n:]
		default: // no escape: the backslash is a character
			b.WriteByte('\\')
			rest = rest[1:]
		}
	}
}

// escape reads one escape at the start of s. n is its length, 0 for none; known is
// false when it stands for no character.
func escape(s string) (r rune, n int, known bool) {
	if i := strings.IndexByte(`\'"abfnrtv`, s[1]); i >= 0 {
		return rune("\\'\"\a\b\f\n\r\t\v"[i]), 2, true
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	switch {
	case digits > 0 && len(s) >= 2+digits && isHex(s[2:2+digits]):
		v, _ := strconv.ParseUint(s[2:2+digits], 16, 32)
		return rune(v), 2 + digits, v <= utf8.MaxRune
	case strings.HasPrefix(s, `\N{`):
		if end := strings.IndexByte(s, '}'); end > len(`\N{`) {
			return 0, end + 1, false
		}
	}
	return 0, 0, false
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; (s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// appendRune is utf8.AppendRune that keeps a lone surrogate, as Python does, in the
// three bytes that UTF-8 would give it.
func appendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r <= 0xDFFF {
		return append(b, 0xED, byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
	}
	return utf8.AppendRune(b, r)
}
