package extravars

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// inline reads an argument in braces: JSON, else YAML. It is sent as written, for its
// types are explicit already.
func (p *parser) inline(text string) {
	e := p.element
	e.Form = FormYAML
	if !utf8.ValidString(text) {
		p.refuse(UsageError{Code: "extra-var-syntax", Message: "the text is not UTF-8"}, -1)
		return
	}
	doc, err := readDocument(text)
	if doc.json {
		e.Form = FormJSON
	}
	e.setRaw(nil, nil)
	m, isMapping := doc.value.(Mapping)
	switch {
	case err != nil:
		e.setRaw(readAs(Core219, text), readAs(Core218, text))
		u, at := syntaxUsage(text, err)
		p.refuse(u, at)
		return
	case !isMapping:
		p.refuse(UsageError{
			Code: "extra-var-not-a-mapping", Message: "extra vars are a mapping of names to values, this is none",
			Next: `write -e '{"NAME": VALUE}'`,
		}, 0)
		return
	}
	e.setRaw(doc.value, doc.older)
	e.Sent, e.ours, e.json = m, []byte(text), doc.json
	p.lint(m, doc, "")
}

// syntaxUsage explains a text that no reader takes, and finds the place.
func syntaxUsage(text string, err error) (UsageError, int) {
	u := UsageError{Code: "extra-var-syntax", Message: "this is neither JSON nor YAML"}
	var y *yamlError
	if errors.As(err, &y) {
		u.Message += ": " + y.what
	}
	at := -1
	if open, closes := unclosed(text); open >= 0 {
		at = open
		u.Message = "this is neither JSON nor YAML: " + closes
	}
	switch {
	case strings.Contains(text, "{{") && at < 0:
		at = strings.Index(text, "{{")
		u.Meaning = "A template that is not in quotes reads as a mapping."
		u.Next = `put quotes around it: "{{ … }}"`
	case !strings.ContainsAny(text, `"'`):
		u.Meaning = "The shell takes double quotes away unless the argument stands in single quotes."
		u.Next = `write -e '{"NAME": VALUE}', with single quotes around it`
	default:
		u.Next = `write -e '{"NAME": VALUE}', or put it into a file and write -e @FILE`
	}
	return u, at
}

// unclosed finds the bracket that is left open, or the one too many.
func unclosed(text string) (at int, what string) {
	var open []int
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if strings.IndexByte("{[,: \n", text[max(0, i-1)]) >= 0 {
				quote, open = c, append(open, i)
				if end := strings.IndexByte(text[i+1:], c); end < 0 {
					return i, "this quote is never closed"
				}
				open = open[:len(open)-1]
			}
		case c == '{' || c == '[':
			open = append(open, i)
		case c == '}' || c == ']':
			if len(open) == 0 || text[open[len(open)-1]]+2 != c {
				return i, "this bracket closes nothing"
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return open[len(open)-1], "this bracket is never closed"
	}
	return -1, ""
}

// barePath refuses what Ansible takes for a file without its "@".
func (p *parser) barePath(text string) {
	p.element.setRaw(nil, nil)
	p.refuse(UsageError{
		Code: "extra-var-path-without-at", Message: "an argument that begins with / or . is a file name, and those have an @ before them",
		Next: "write -e " + ShellQuote("@"+text),
	}, 0)
}
