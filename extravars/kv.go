package extravars

import (
	"strings"
	"unicode"
)

// kvPair is one key=value of an argument.
type kvPair struct {
	key, value string
	quoted     bool // the value stood in quotes
	pos        int
}

// kvText is an argument in key=value form, taken apart.
type kvText struct {
	pairs []kvPair
	// leftovers have no "=": Ansible collects them in _raw_params and ignores them.
	leftovers []item
	// balanced is false when a quote or a brace stays open, badEscape true when an
	// escape stands for nothing. Ansible refuses both; bad is the place.
	balanced, badEscape bool
	bad                 int
}

// splitKeyValue takes an argument apart as Ansible does.
func splitKeyValue(arg string) kvText {
	var kv kvText
	var items []item
	if items, kv.balanced, kv.bad = splitItems(arg); !kv.balanced {
		return kv
	}
	for _, it := range items {
		if !strings.Contains(it.text, "=") {
			kv.leftovers = append(kv.leftovers, it)
			continue
		}
		text, ok, bad := unescape(it.text)
		if !ok {
			kv.badEscape, kv.bad = true, it.pos+bad
			return kv
		}
		at := equalsSign(text)
		if at < 0 {
			kv.leftovers = append(kv.leftovers, item{strings.ReplaceAll(text, `\=`, "="), it.pos})
			continue
		}
		value := trimSpace(text[at+1:])
		inner := unquote(value)
		kv.pairs = append(kv.pairs, kvPair{trimSpace(text[:at]), inner, len(inner) < len(value), it.pos})
	}
	return kv
}

// equalsSign finds the "=" between key and value: the first one that neither opens the
// item nor follows a backslash.
func equalsSign(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '=' && s[i-1] != '\\' {
			return i
		}
	}
	return -1
}

// unquote drops a pair of quotes around the whole text.
func unquote(s string) string {
	n := len(s)
	if n > 1 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] && s[n-2] != '\\' {
		return s[1 : n-1]
	}
	return s
}

// rawParams is the text that Ansible puts into _raw_params.
func rawParams(leftovers []item) string {
	var b strings.Builder
	for i, l := range leftovers {
		if i > 0 && !strings.HasSuffix(leftovers[i-1].text, "\n") {
			b.WriteByte(' ')
		}
		b.WriteString(l.text)
	}
	return b.String()
}

// raw is what Ansible makes of the argument: every value is text.
func (kv kvText) raw() Mapping {
	if !kv.balanced || kv.badEscape {
		return nil
	}
	var b mappingBuilder
	for _, p := range kv.pairs {
		b.set(p.key, p.value)
	}
	if len(kv.leftovers) > 0 {
		b.set("_raw_params", rawParams(kv.leftovers))
	}
	return b.mapping()
}

// trimSpace trims what Python's str.strip does.
func trimSpace(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
}
