package inventory

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// word is a part of a host line: its text without quotes, and where it stands.
type word struct {
	text       string
	start, end int // in bytes, quotes included
}

var errQuote = errors.New("a quote is not closed")

// splitWords splits a host line as a shell does: blanks part words, quotes join and
// vanish, a backslash keeps the next character, # begins a comment wherever it stands.
// cut is the place of that comment, or -1.
func splitWords(s string) (words []word, cut int, err error) {
	var b strings.Builder
	start, cut := -1, -1
	end := func(i int) {
		if start >= 0 {
			words = append(words, word{b.String(), start, i})
			b.Reset()
			start = -1
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '#':
			end(i)
			return words, i, nil
		case ' ', '\t', '\r', '\n':
			end(i)
			continue
		}
		if start < 0 {
			start = i
		}
		switch c {
		case '\\':
			if i++; i == len(s) {
				return nil, -1, errors.New("nothing stands behind the last backslash")
			}
			b.WriteByte(s[i])
		case '\'':
			n := strings.IndexByte(s[i+1:], '\'')
			if n < 0 {
				return nil, -1, errQuote
			}
			b.WriteString(s[i+1 : i+1+n])
			i += n + 1
		case '"':
			if i = doubleQuoted(s, i+1, &b); i < 0 {
				return nil, -1, errQuote
			}
		default:
			b.WriteByte(c)
		}
	}
	end(len(s))
	return words, cut, nil
}

// doubleQuoted copies up to the closing quote and returns its place, or -1. A backslash
// keeps only a quote or itself.
func doubleQuoted(s string, i int, b *strings.Builder) int {
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i
		case c == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return -1
}

var hostRange = regexp.MustCompile(`^(.*?)\[([0-9a-zA-Z]*):([0-9a-zA-Z]+)(?::([0-9]+))?\](.*)$`)

// maxRange bounds what a range may name.
const maxRange = 100_000

// expand returns the hosts of a name that may hold ranges: node[01:20], w[a:c]. What is
// no range stays.
func expand(name string) []string {
	m := hostRange.FindStringSubmatch(name)
	if m == nil {
		return []string{name}
	}
	head, first, last, tail := m[1], m[2], m[3], expand(m[5])
	step := 1
	if n, err := strconv.Atoi(m[4]); err == nil && n > 0 {
		step = n
	}
	if first == "" {
		first = "0"
	}
	var out []string
	add := func(middle string) {
		for _, t := range tail {
			out = append(out, head+middle+t)
		}
	}
	from, errFrom := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	switch {
	case errFrom == nil && errTo == nil && (to-from)/step < maxRange:
		width := 0
		if len(first) > 1 && first[0] == '0' {
			width = len(first)
		}
		for i := from; i <= to; i += step {
			s := strconv.Itoa(i)
			add(strings.Repeat("0", max(0, width-len(s))) + s)
		}
	case len(first) == 1 && len(last) == 1 && errFrom != nil && errTo != nil:
		for c := int(first[0]); c <= int(last[0]); c += step {
			add(string(rune(c)))
		}
	}
	if out == nil {
		return []string{name}
	}
	return out
}

// cutPort splits host:22; an address of IPv6 without brackets has no port.
func cutPort(name string) (host, port string) {
	if strings.Count(name, ":") == 1 {
		if h, p, _ := strings.Cut(name, ":"); h != "" {
			if _, err := strconv.Atoi(p); err == nil {
				return h, p
			}
		}
	}
	return name, ""
}
