package extravars

import (
	"regexp"
	"strings"
)

// keyValue reads an argument of key=value items.
func (p *parser) keyValue(text string, forceString bool) {
	e := p.element
	e.Form = FormKeyValue
	kv := splitKeyValue(text)
	raw := kv.raw()
	e.setRaw(raw, raw)
	switch {
	case !kv.balanced:
		p.unbalanced(text, kv.bad)
		return
	case kv.badEscape:
		p.refuse(UsageError{
			Code: "extra-var-syntax", Message: "this escape stands for no character",
			Meaning: "A backslash begins an escape in key=value, inside quotes too.",
			Next:    `write the backslash twice, or the character itself or as \uHHHH`,
		}, kv.bad)
		return
	case len(kv.leftovers) > 0:
		u, at := p.leftover(text, kv)
		if !p.options.Lenient {
			p.refuse(u, at)
			return
		}
		p.find(Finding{Severity: SeverityWarning, Code: u.Code, Key: u.Key, Message: u.Message + "; passed by, as Ansible does", Fix: u.Next})
	}
	var b mappingBuilder
	for _, pair := range kv.pairs {
		v, ok := p.convert(pair, forceString)
		if !ok {
			return
		}
		b.set(pair.key, v)
		p.checkName(pair.key)
		p.checkEscapes(text, pair)
	}
	p.send(b.mapping())
}

// send makes values of ours the element's content.
func (p *parser) send(m Mapping) {
	e := p.element
	e.Sent = m
	if len(m) > 0 {
		e.ours, e.json = encode(m)
	}
}

func (p *parser) unbalanced(text string, at int) {
	what, next := "this quote is never closed", "close it; a quote that belongs to the value is written \\' or \\\""
	if text[at] == '{' {
		what, next = "this brace is never closed", "close the template, and put quotes around what has blanks"
	}
	p.refuse(UsageError{Code: "extra-var-syntax", Message: what + "; Ansible refuses the argument", Next: next}, at)
}

// checkName points out a name that no template can use, and one that is a typing error away
// from a known one.
func (p *parser) checkName(name string) { p.checkNameAt(name, "", 0) }

func (p *parser) checkNameAt(name, file string, line int) {
	if near := p.names.near(name); near != "" {
		p.find(Finding{
			Severity: SeverityWarning, Code: "extra-var-name-typo", Key: name, File: file, Line: line,
			Message: "no role of the checkout knows " + name + ", but " + near, Fix: "did you mean " + near + "?",
		})
		return
	}
	if !isIdentifier(name) {
		p.find(Finding{
			Severity: SeverityWarning, Code: "extra-var-invalid-name", Key: name, File: file, Line: line,
			Message: "no template can use a variable of this name", Fix: "use letters, digits and _ only",
		})
	}
}

func isIdentifier(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// checkEscapes warns where a backslash of the user became a control character.
func (p *parser) checkEscapes(text string, pair kvPair) {
	if !strings.ContainsAny(pair.value, "\a\b\f\v\n\t\r") || !strings.Contains(text, `\`) || isTemplate(pair.value) {
		return
	}
	if drive.MatchString(pair.value) || strings.ContainsAny(pair.value, "\a\b\f\v") {
		p.find(Finding{
			Severity: SeverityWarning, Code: "extra-var-escape", Key: pair.key,
			Message: `a backslash in the value of ` + pair.key + ` became a control character: in key=value \n, \t, \b and the like are escapes, inside quotes too`,
			Fix:     `write each backslash twice`,
		})
	}
}

var drive = regexp.MustCompile(`^[A-Za-z]:`)
