package extravars

import (
	"os"
	"strings"
)

// Options says how to read arguments.
type Options struct {
	// Schema gives the variables' types; nil: none is known.
	Schema Schema
	// Open reads a file behind "@"; the path is absolute. Nil: the file system, where a
	// file that is encrypted as a whole is never read beyond its header.
	Open func(path string) ([]byte, error)
	// Lenient passes by what Ansible silently ignores, with a warning; without it that
	// is an error.
	Lenient bool
	// Dir is where relative paths start; "" for the current directory.
	Dir string
	// Getenv serves $VAR in paths; nil for the environment.
	Getenv func(string) string
}

// Parse reads the texts of -e options, in order. It is [ParseArgs] for the common case;
// open may be nil.
func Parse(args []string, schema Schema, open func(string) ([]byte, error)) (*Vars, error) {
	list := make([]Arg, len(args))
	for i, text := range args {
		list[i] = Arg{Text: text}
	}
	return ParseArgs(list, Options{Schema: schema, Open: open})
}

// ParseArgs reads arguments in order, each by itself: types, traps and what is sent.
//
// An argument that cannot be sent as it is meant gives a [*UsageError], the first one
// if there are several; the result then still holds every element, with what raw Ansible
// would have made of it, and a finding for each refusal.
func ParseArgs(args []Arg, o Options) (*Vars, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	p := parser{options: o, vars: &Vars{Elements: make([]Element, len(args))}, names: newNameIndex(o.Schema)}
	for i, arg := range args {
		p.arg, p.element = i, &p.vars.Elements[i]
		p.parse(arg)
	}
	if len(p.refused) > 0 {
		return p.vars, p.refused[0]
	}
	return p.vars, nil
}

// parser works on one argument at a time.
type parser struct {
	options Options
	names   *nameIndex
	vars    *Vars
	refused []*UsageError

	arg     int
	element *Element
}

// parse looks at the first character, as Ansible does.
func (p *parser) parse(arg Arg) {
	e := p.element
	e.Text = arg.Text
	switch {
	case arg.Text == "":
		e.Form = FormEmpty
		e.Raw = map[Core]Mapping{Core218: {}, Core219: {}}
	case arg.ForceString:
		p.keyValue(arg.Text, true)
	case arg.Text[0] == '@':
		p.file(arg.Text)
	case arg.Text[0] == '/' || arg.Text[0] == '.':
		p.barePath(arg.Text)
	case arg.Text[0] == '{' || arg.Text[0] == '[':
		p.inline(arg.Text)
	default:
		p.keyValue(arg.Text, false)
	}
	if e.Shown == "" {
		e.Shown = maskText(arg.Text, secretSpans(arg.Text, e.Form)).text
	}
}

// typeOf is the schema's word on a variable.
func (p *parser) typeOf(name string) Type {
	if p.options.Schema == nil {
		return Unknown
	}
	return p.options.Schema.TypeOf(name)
}

// find adds a finding on the current argument.
func (p *parser) find(f Finding) {
	f.Arg = p.arg
	f.Key, f.Message, f.Fix, f.File = oneLine(f.Key), oneLine(f.Message), oneLine(f.Fix), oneLine(f.File)
	p.vars.Findings = append(p.vars.Findings, f)
}

// refuse records that the current argument cannot be sent. at is the place in the text,
// in bytes; -1 for none.
func (p *parser) refuse(u UsageError, at int) {
	e := p.element
	m := maskText(e.Text, secretSpans(e.Text, e.Form))
	if p.behindSecret() {
		m, at = maskText(e.Text, []span{{0, len(e.Text)}}), -1
		u.Key, u.Message = "", "it has no key=, and stands right behind a secret: it may be a part of it, so it is not shown"
		u.Meaning, u.Next = "A shell splits a value at blanks that no quotes hold.", "put quotes around the whole argument, and inside it around the value"
	}
	e.Shown, e.Sent, e.ours = m.text, nil, nil
	u.Arg = p.arg
	u.Key, u.Message, u.Meaning, u.Next = oneLine(u.Key), oneLine(u.Message), oneLine(u.Meaning), oneLine(u.Next)
	u.Text, u.Caret = m.window(at)
	p.refused = append(p.refused, &u)
	p.find(Finding{Severity: SeverityError, Code: u.Code, Key: u.Key, Message: u.Message, Fix: u.Next, File: u.File, Line: u.Line})
}

// behindSecret reports whether the argument may be the rest of a secret that the shell
// split off: it follows one whose name looks secret, and has no name of its own.
func (p *parser) behindSecret() bool {
	return p.arg > 0 && LooksSecret(p.vars.Elements[p.arg-1].Text) && !strings.Contains(p.element.Text, "=")
}
