package extravars

import (
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// span is a part of a text, in bytes.
type span struct{ from, to int }

var nameBefore = regexp.MustCompile(`([A-Za-z0-9_.-]+)["']?[ \t]*[=:]`)

// secretSpans finds what looks secret in an argument. In key=value form that is the
// value of such a name with what may belong to it; in every other form, and where a
// quote stays open, everything after the name.
func secretSpans(text string, form Form) []span {
	if form == FormFile || form == FormEmpty || !LooksSecret(text) { // which holds for any name in it
		return nil
	}
	if form == FormKeyValue {
		if items, balanced, _ := splitItems(text); balanced {
			return secretItems(text, items)
		}
	}
	for rest := 0; ; {
		m := nameBefore.FindStringSubmatchIndex(text[rest:])
		if m == nil {
			return nil
		}
		if LooksSecret(text[rest+m[2] : rest+m[3]]) {
			return []span{{rest + m[1], len(text)}}
		}
		rest += m[1]
	}
}

var userinfo = regexp.MustCompile(`://[^/@\s"']+@`)

// MaskUserinfo masks what stands before the host of a URL.
func MaskUserinfo(text string) string { return userinfo.ReplaceAllString(text, "://"+Mask+"@") }

// MaskLine returns a line of a file with the mask in place of all that stands behind the
// first name that looks secret, unless that is a boolean: a switch is no secret.
func MaskLine(line string) string {
	line = MaskUserinfo(line)
	for rest := 0; ; {
		m := nameBefore.FindStringSubmatchIndex(line[rest:])
		if m == nil {
			return line
		}
		from := rest + m[1]
		value, _, _ := strings.Cut(line[from:], "#")
		_, isSwitch := boolWord(strings.Trim(strings.TrimSpace(value), `"'`))
		if LooksSecret(line[rest+m[2]:rest+m[3]]) && strings.TrimSpace(line[from:]) != "" && !isSwitch {
			return line[:from] + " " + Mask
		}
		rest = from
	}
}

// secretItems finds the values of secret names in items. A secret may go on in leftovers, or
// stand in the items behind its name: "password = x", "password: x".
func secretItems(text string, items []item) []span {
	var out []span
	inside, named := false, false // in a value; right behind a name that has none yet
	for i, it := range items {
		from, end := it.pos, len(text)
		if i+1 < len(items) {
			end = items[i+1].pos
		}
		at := strings.IndexAny(text[from:end], "=:")
		switch {
		case named && strings.Trim(text[from:end], " \n=") == "":
			continue // the "=" itself
		case named:
			inside, named = true, false
		case at > 0 && text[from+at] == '=':
			inside = LooksSecret(text[from : from+at])
			from += at + 1
		case !inside && LooksSecret(it.text):
			inside = at > 0
			from += at + 1
			named = strings.Trim(text[from:end], " \n") == "" || at <= 0
		}
		to := from + len(strings.TrimRight(text[from:end], " \n"))
		if inside && to > from {
			out = append(out, span{from, to})
		}
	}
	return out
}

// maskedText is a text with parts masked, all on one line.
type maskedText struct {
	text  string
	spans []span
}

func maskText(text string, spans []span) maskedText {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.from])
		b.WriteString(Mask)
		at = s.to
	}
	b.WriteString(text[at:])
	return maskedText{b.String(), spans}
}

// place turns a place in the original into one in the masked text.
func (m maskedText) place(at int) int {
	i := sort.Search(len(m.spans), func(i int) bool { return m.spans[i].to > at })
	moved := at
	for _, s := range m.spans[:i] {
		moved += len(Mask) - (s.to - s.from)
	}
	if i < len(m.spans) && at > m.spans[i].from {
		moved -= at - m.spans[i].from
	}
	return min(moved, len(m.text))
}

// window returns a piece of the text around a place, on one line, and the place in it
// in characters.
func (m maskedText) window(at int) (text string, caret int) {
	const around = 60
	if at < 0 {
		return oneLine(clip(m.text, 0, 2*around)), -1
	}
	at = m.place(at)
	from := 0
	if len(m.text) > 2*around {
		from = max(0, at-around)
	}
	for from > 0 && !utf8.RuneStart(m.text[from]) {
		from--
	}
	return oneLine(clip(m.text, from, 2*around)), utf8.RuneCountInString(clipMark(from)) + utf8.RuneCountInString(m.text[from:at])
}

func clipMark(from int) string {
	if from > 0 {
		return "…"
	}
	return ""
}

// clip cuts n bytes out of a text, not inside a character, and says so with "…".
func clip(s string, from, n int) string {
	to := min(len(s), from+n)
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	if to < len(s) {
		return clipMark(from) + s[from:to] + "…"
	}
	return clipMark(from) + s[from:to]
}

// oneLine shows line feeds and the like as one visible character each.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '⏎'
		case r == '\t':
			return ' '
		case r < 0x20 || r == 0x7f || r == utf8.RuneError:
			return '�'
		}
		return r
	}, s)
}
