package extravars

import (
	"math"
	"regexp"
	"strings"
)

// leftover explains what Ansible would silently ignore, and where it is.
func (p *parser) leftover(text string, kv kvText) (UsageError, int) {
	first := kv.leftovers[0]
	u := UsageError{Code: "extra-var-leftover-token"}
	shown := shownLeftovers(text, kv)
	trimmed := strings.TrimLeft(text, " \t\n")
	before := pairBefore(kv, first.pos)
	name, value, isYAML := yamlStyle(kv)
	switch {
	case trimmed == "":
		u.Message = "there are only blanks"
		u.Next = "leave the argument out, or write key=value"
		return u, 0
	case trimmed != text && strings.ContainsRune("{[@", rune(trimmed[0])):
		u.Message = "the blank before " + trimmed[:1] + " makes Ansible ignore the argument"
		u.Next = "remove the blank"
		return u, 0
	case strings.Trim(first.text, " \n") == "":
		u.Message = "the blanks or line feeds at the start count as a value without a name"
		u.Next = "remove them"
		return u, first.pos
	}
	u.Message = shown + " has no key=, Ansible ignores it silently"
	switch spaced := spacedEquals(kv); {
	case isYAML && len(kv.pairs) == 0:
		u.Key = name
		u.Meaning = "This looks like YAML (key: value); after -e it is key=value."
		u.Next = "write -e " + ShellQuote(name+"="+quoteValue(shownValue(name, value))) + ", or YAML in braces"
	case spaced != "":
		u.Key = spaced
		u.Meaning = "Blanks around = cut the argument into pieces."
		u.Next = "write it without blanks around =: -e " + ShellQuote(spaced+"=VALUE")
	case strings.HasPrefix(first.text, "-"):
		u.Meaning = "This looks like an option that slipped into the argument of -e."
		u.Next = "close the quotes before it"
	case before != nil && strings.ContainsAny(before.value[:min(1, len(before.value))], "[{"):
		u.Key = before.key
		u.Meaning = "A blank inside a list or a mapping ends the value."
		u.Next = "write -e " + ShellQuote(`{"`+before.key+`": `+rejoined(kv, before)+`}`)
	case before != nil:
		u.Key = before.key
		u.Meaning = "A blank ends a value that has no quotes inside the argument."
		u.Next = "put quotes inside the argument: -e " + ShellQuote(before.key+`="`+strings.ReplaceAll(rejoined(kv, before), `"`, `\"`)+`"`)
	case varsFile.MatchString(first.text):
		u.Meaning = "This looks like a file."
		u.Next = "write -e @" + first.text
	default:
		u.Key = strings.Trim(first.text, ":")
		u.Next = "write key=value"
		if p.typeOf(first.text) == Bool {
			u.Next = "write -e " + first.text + "=true"
		}
	}
	return u, first.pos
}

var (
	varsFile = regexp.MustCompile(`\.(?:ya?ml|json)$`)
	yamlKey  = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*):(.*)$`)
)

// yamlStyle recognises "key: value" and "key:value".
func yamlStyle(kv kvText) (name, value string, ok bool) {
	m := yamlKey.FindStringSubmatch(strings.TrimSpace(kv.leftovers[0].text))
	if m == nil || strings.HasPrefix(m[2], "//") {
		return "", "", false
	}
	rest := []string{}
	if m[2] != "" {
		rest = append(rest, m[2])
	}
	for _, l := range kv.leftovers[1:] {
		rest = append(rest, strings.TrimSpace(l.text))
	}
	return m[1], unquote(strings.Join(rest, " ")), true
}

func quoteValue(s string) string {
	if strings.ContainsAny(s, " \t") {
		return `"` + s + `"`
	}
	return s
}

// spacedEquals returns the name in "name = value", "name =value" or "name= value".
func spacedEquals(kv kvText) string {
	for i, l := range kv.leftovers {
		if strings.HasPrefix(l.text, "=") && i > 0 {
			return strings.TrimSpace(kv.leftovers[i-1].text)
		}
	}
	if b := pairBefore(kv, kv.leftovers[0].pos); b != nil && b.value == "" && !b.quoted {
		return b.key
	}
	return ""
}

// pairBefore is the pair that a leftover stands behind.
func pairBefore(kv kvText, pos int) *kvPair {
	for i := len(kv.pairs) - 1; i >= 0; i-- {
		if kv.pairs[i].pos < pos {
			return &kv.pairs[i]
		}
	}
	return nil
}

// rejoined is the value that a pair has with the leftovers right behind it.
func rejoined(kv kvText, pair *kvPair) string {
	if LooksSecret(pair.key) {
		return Mask
	}
	value := pair.value
	end := math.MaxInt
	for _, next := range kv.pairs {
		if next.pos > pair.pos {
			end = min(end, next.pos)
		}
	}
	for _, l := range kv.leftovers {
		if l.pos > pair.pos && l.pos < end {
			value += " " + strings.TrimSpace(l.text)
		}
	}
	return oneLine(clip(value, 0, 200))
}

// shownLeftovers lists the ignored pieces, masked where they may belong to a secret.
func shownLeftovers(text string, kv kvText) string {
	spans := secretSpans(text, FormKeyValue)
	var words []string
	for _, l := range kv.leftovers {
		word := ShellQuote(oneLine(clip(strings.TrimSpace(l.text), 0, 80)))
		for _, s := range spans {
			if l.pos < s.to && s.from < l.pos+len(l.text) {
				word = Mask
			}
		}
		if word != "''" && len(words) < 4 {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
