package extravars

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"
)

// vaultHeader begins a file that is encrypted as a whole.
const vaultHeader = "$ANSIBLE_VAULT"

// file passes the user's file on, at its place, untouched. It is read only to point out
// traps.
func (p *parser) file(text string) {
	e, name := p.element, text[1:]
	e.Form = FormFile
	path, err := p.options.absolute(name)
	if err != nil || name == "" {
		p.refuseFile(UsageError{Message: "there is no file name after @", Next: "write -e @FILE"})
		return
	}
	what, path := lookAt(path)
	e.Path = path
	switch what {
	case sourceAnonymous:
		p.refuseFile(UsageError{
			Code: "extra-var-pipe", Message: "Ansible cannot read extra vars from a pipe or from standard input",
			Meaning: "This comes from @/dev/stdin or from <(…); only a file or a named pipe works.",
			Next:    "write the variables into a file and give that with @, or give them as -e '{…}'",
		})
	case sourceFolder:
		p.refuseFile(UsageError{Message: name + " is a directory", Next: "give each of its files with -e @FILE"})
	case sourceFIFO:
		e.Opaque = true
		e.note("", "a named pipe can be read once: it is passed on and was not looked at")
	default:
		p.readFile(name, path)
	}
}

func (p *parser) readFile(name, path string) {
	data, err := p.options.read(path)
	switch {
	case err != nil:
		next := "check the path; it was looked for at " + path
		p.refuseFile(UsageError{Message: "cannot read " + name + ": " + reason(err), Next: next})
	case bytes.HasPrefix(data, []byte(vaultHeader)):
		p.element.Opaque = true
		p.element.note("", "encrypted as a whole: it is passed on and was not looked at")
		p.find(Finding{
			Severity: SeverityInfo, Code: "not-audited-encrypted", File: name,
			Message: name + " is encrypted as a whole, so nothing in it was checked",
		})
	default:
		p.content(name, string(data))
	}
}

// content checks the text of a file.
func (p *parser) content(name, text string) {
	e := p.element
	e.setRaw(nil, nil)
	if !utf8.ValidString(text) {
		p.refuseFile(UsageError{Message: name + " is not UTF-8", Next: "save it as UTF-8", File: name})
		return
	}
	doc, err := readDocument(text)
	m, isMapping := doc.value.(Mapping)
	var y *yamlError
	switch {
	case errors.As(err, &y):
		e.setRaw(readAs(Core219, text), readAs(Core218, text))
		p.refuseFile(UsageError{
			Code: "extra-var-syntax", Message: name + " is neither JSON nor YAML: " + y.Error(),
			Next: "mend the file, Ansible would refuse it", File: name, Line: y.line,
		})
		return
	case err != nil || !isMapping:
		p.refuseFile(UsageError{
			Code: "extra-var-not-a-mapping", Message: name + " holds no mapping of names to values",
			Next: "give each variable a line NAME: VALUE", File: name, Line: 1,
		})
		return
	}
	e.setRaw(doc.value, doc.older)
	e.Sent = m
	if doc.json {
		doc.locate(text)
	}
	p.lint(m, doc, name)
}

// refuseFile is refuse with the code for files, and the caret at the name.
func (p *parser) refuseFile(u UsageError) {
	if u.Code == "" {
		u.Code = "extra-var-file"
	}
	p.refuse(u, len("@"))
}

// read reads a file, but of one that is encrypted as a whole only the header.
func (o Options) read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		if o.Open != nil { // a file system of the caller's
			return o.Open(path)
		}
		return nil, err
	}
	defer f.Close()
	header := make([]byte, len(vaultHeader))
	n, err := io.ReadFull(f, header)
	switch header = header[:n]; {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	case string(header) == vaultHeader:
		return header, nil
	case o.Open != nil:
		return o.Open(path)
	}
	rest, err := io.ReadAll(f)
	return append(header, rest...), err
}

// reason is an error without the path, which the message has already.
func reason(err error) string {
	var pathError *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.As(err, &pathError):
		return pathError.Err.Error()
	}
	return err.Error()
}
