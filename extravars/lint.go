package extravars

import (
	"fmt"
	"math/big"
	"strings"
)

// lint points out values of explicit JSON or YAML, in an argument or in a file, that
// have not the type of their variable. Nothing is converted there.
func (p *parser) lint(m Mapping, doc document, file string) {
	for _, pair := range m {
		name, ok := pair.Key.(string)
		if !ok {
			p.find(Finding{Severity: SeverityWarning, Code: "extra-var-invalid-name", File: file, Message: fmt.Sprintf("the name %v is no text", pair.Key)})
			continue
		}
		line := 0
		if file != "" {
			line = doc.lines[name]
		}
		if pair.Value == nil && strings.ContainsAny(name, ":=") {
			p.find(Finding{
				Severity: SeverityWarning, Code: "extra-var-invalid-name", Key: name, File: file, Line: line,
				Message: "this is one name without a value: YAML wants a blank behind the colon", Fix: "write NAME: VALUE",
			})
			continue
		}
		p.checkNameAt(name, file, line)
		if f := lintValue(name, pair.Value, doc.texts[name], p.typeOf(name)); f.Code != "" {
			f.Key, f.File, f.Line = name, file, line
			p.find(f)
		}
	}
}

// lintValue compares a value with the type of its variable. text is how a plain scalar
// is written, or "". The zero Finding means that there is nothing to say.
func lintValue(name string, v any, text string, typ Type) Finding {
	if s, ok := v.(string); ok && isTemplate(s) {
		return Finding{}
	}
	if _, ok := v.(Vault); ok {
		return Finding{}
	}
	got := TypeOf(v)
	switch {
	case typ == Bool && got != Bool:
		return lintBool(name, v, got)
	case typ == String && got != String:
		return lintText(name, v, text)
	case typ == Int && got == Int && isOctal(text) && text != fmt.Sprint(v):
		return Finding{
			Severity: SeverityWarning, Code: "octal-read-as-number", Message: fmt.Sprintf("%s is written %s, which YAML reads as the number %v", name, text, v),
			Fix: "write it without the leading zero",
		}
	case typ == Int && got == String, typ == Float && got == String:
		return Finding{
			Severity: SeverityWarning, Code: "string-number", Message: fmt.Sprintf("%s is %s in the checkout, this is text: arithmetic with it fails", name, withArticle(typ)),
			Fix: "write it without quotes",
		}
	case (typ == List || typ == Dict) && got == String:
		return Finding{
			Severity: SeverityWarning, Code: "string-collection", Message: fmt.Sprintf("%s is a %s in the checkout, this is text", name, typ),
			Fix: "write it without quotes", Cores: []Core{Core219},
		}
	}
	return Finding{}
}

// lintBool judges by what a condition makes of the value.
func lintBool(name string, v any, got Type) Finding {
	f := Finding{Severity: SeverityError, Code: "not-boolean", Fix: "write true or false, without quotes", Cores: []Core{Core219}}
	f.Message = fmt.Sprintf("%s is a boolean, this is %s: a condition fails from ansible-core 2.19 on", name, withArticle(got))
	if got != String {
		return f
	}
	f.Code = "string-boolean"
	f.Message = fmt.Sprintf("%s is a boolean, this is text: a condition fails from ansible-core 2.19 on", name)
	if s, _ := v.(string); s != "" {
		if means, ok := boolWord(s); !ok || !means {
			f.Cores = Cores()
			f.Message += ", and counts as true before"
		}
	}
	return f
}

func withArticle(t Type) string {
	switch t {
	case Int:
		return "an integer"
	case Null:
		return "null"
	case Unknown:
		return "something else"
	}
	return "a " + t.String()
}

// lintText points out what changes when it becomes text: a version that loses its zero, an
// octal mode, True with a capital.
func lintText(name string, v any, text string) Finding {
	f := Finding{Severity: SeverityWarning, Fix: "put it in quotes"}
	if text != "" && !LooksSecret(name) {
		f.Fix = fmt.Sprintf("put it in quotes: %q", text)
	}
	shown := Mask
	if !LooksSecret(name) {
		value, _ := encode(v)
		shown = strings.TrimSpace(string(value))
	}
	switch v := v.(type) {
	case float64:
		f.Code, f.Message = "version-read-as-number", fmt.Sprintf("%s is text in the checkout; without quotes this is the number %s", name, shown)
	case bool:
		f.Code, f.Message = "boolean-where-text-expected", name+" is text in the checkout; a boolean is rendered as True or False"
	case int64, *big.Int:
		if text == fmt.Sprint(v) || text == "" {
			return Finding{}
		}
		f.Code = "unquoted-number"
		if isOctal(text) {
			f.Code = "octal-read-as-number"
		}
		f.Message = fmt.Sprintf("%s is text in the checkout; without quotes this is the number %s", name, shown)
	case Date, Timestamp:
		f.Code, f.Message = "unquoted-date", name+" is text in the checkout; without quotes this is a date"
	default:
		return Finding{}
	}
	return f
}

// isOctal is true for digits with a zero before them, which YAML 1.1 reads as octal.
func isOctal(text string) bool {
	digits := strings.TrimLeft(text, "-+")
	return len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "01234567_") == ""
}
