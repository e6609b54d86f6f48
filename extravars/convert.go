package extravars

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	integerText = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)$`)
	numberText  = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$`)
)

// convert gives the text of a key=value item the type that its variable has. ok is
// false when the argument was refused.
func (p *parser) convert(pair kvPair, forceString bool) (v any, ok bool) {
	if forceString || isTemplate(pair.value) {
		return pair.value, true
	}
	switch typ := p.typeOf(pair.key); typ {
	case Bool:
		return p.toBool(pair)
	case Int:
		return p.toNumber(pair, typ, integerText), true
	case Float:
		return p.toNumber(pair, typ, numberText), true
	case List, Dict:
		return p.toCollection(pair, typ), true
	case String:
		if looksTyped(pair.value) {
			p.element.note(pair.key, "stays text: its default in the checkout is text")
		}
		return pair.value, true
	}
	return p.unknown(pair), true
}

func (p *parser) toBool(pair kvPair) (any, bool) {
	b, ok := boolWord(pair.value)
	if !ok {
		what := "its value is not one"
		if pair.value == "" {
			what = "its value is empty"
		} else if !LooksSecret(pair.key) && len(pair.value) <= 40 {
			what = ShellQuote(oneLine(pair.value)) + " is not one"
		}
		u := UsageError{
			Code: "extra-var-not-boolean", Key: pair.key, Message: pair.key + " is a boolean, and " + what,
			Next: "write " + pair.key + "=true or " + pair.key + "=false",
		}
		if _, isWord := boolWord(strings.TrimRight(pair.value, ",;")); isWord {
			u.Meaning = "Several variables in one argument have blanks between them, and nothing else."
		}
		p.refuse(u, pair.pos+strings.IndexByte(p.element.Text[pair.pos:], '=')+1)
		return nil, false
	}
	p.element.note(pair.key, fmt.Sprintf("sent as boolean %t: its default in the checkout is one", b))
	return b, true
}

// boolWord reads the words for a boolean, in any case.
func boolWord(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "y", "yes", "t", "true", "on", "1":
		return true, true
	case "n", "no", "f", "false", "off", "0":
		return false, true
	}
	return false, false
}

func (p *parser) toNumber(pair kvPair, typ Type, form *regexp.Regexp) any {
	if !form.MatchString(pair.value) {
		p.find(Finding{
			Severity: SeverityWarning, Code: "extra-var-not-" + typ.String(), Key: pair.key,
			Message: fmt.Sprintf("%s has the type %s in the checkout; this value is none and is sent as text", pair.key, typ),
		})
		return pair.value
	}
	p.element.note(pair.key, "sent as "+typ.String()+": its default in the checkout is one")
	if integerText.MatchString(pair.value) {
		return parseInt(pair.value, 10)
	}
	return parseFloat(pair.value)
}

func (p *parser) toCollection(pair kvPair, typ Type) any {
	if text := trimSpace(pair.value); strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		if doc, err := readDocument(text); err == nil {
			if t := TypeOf(doc.value); (t == List || t == Dict) && canEncode(doc.value) {
				p.element.note(pair.key, "sent as "+t.String()+": its default in the checkout is a "+typ.String())
				return doc.value
			}
		}
	}
	p.find(Finding{
		Severity: SeverityWarning, Code: "extra-var-not-" + typ.String(), Key: pair.key,
		Message: fmt.Sprintf("%s is a %s in the checkout; this value does not read as one and is sent as text", pair.key, typ),
		Fix:     fmt.Sprintf(`give it as JSON: -e '{"%s": …}'`, pair.key),
	})
	return pair.value
}

// unknown converts what can only be meant as a boolean.
func (p *parser) unknown(pair kvPair) any {
	if pair.quoted {
		return pair.value
	}
	switch pair.value {
	case "true", "True", "false", "False":
		b, _ := boolWord(pair.value)
		p.element.note(pair.key, fmt.Sprintf("sent as boolean %t: no default in the checkout says its type; for text write %s, or --extra-var-string %s=%s",
			b, ShellQuote(pair.key+`="`+pair.value+`"`), pair.key, pair.value))
		return b
	}
	if isBoolWord(pair.value) {
		p.find(Finding{
			Severity: SeverityWarning, Code: "extra-var-word-as-text", Key: pair.key,
			Message: fmt.Sprintf("%s=%s is sent as text: no default in the checkout says that it is a boolean", pair.key, shownValue(pair.key, pair.value)),
			Fix:     "write true or false if a boolean is meant",
		})
	}
	return pair.value
}

func shownValue(key, value string) string {
	if LooksSecret(key) {
		return Mask
	}
	return value
}

// isBoolWord is true for the words of YAML 1.1 for a boolean, in any case.
func isBoolWord(s string) bool {
	switch strings.ToLower(s) {
	case "yes", "true", "on", "no", "false", "off":
		return true
	}
	return false
}

// looksTyped is true for text that another tool might take for a boolean or a number.
func looksTyped(s string) bool { return isBoolWord(s) || numberText.MatchString(s) }
