package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Format names how a document is written.
type Format string

// The formats.
const (
	Text  Format = "text"
	JSON  Format = "json"
	SARIF Format = "sarif"
)

// Options say how much a report for people tells, and how. Formats for programs take no
// notice of them.
type Options struct {
	Color   bool // the writer is a terminal that wants colours; see WantsColor
	Verbose bool // evidence of passes, numbers, what was skipped
}

// renderer writes one format.
type renderer struct {
	format Format
	render func(io.Writer, Document, Options) error
}

// renderers is the one table of formats, in the order in which people are told of them.
func renderers() []renderer {
	return []renderer{
		{Text, renderText},
		{JSON, renderJSON},
		{SARIF, renderSARIF},
	}
}

// ParseFormat returns the format that a name means.
func ParseFormat(name string) (Format, error) {
	var known []string
	for _, r := range renderers() {
		if string(r.format) == name {
			return r.format, nil
		}
		known = append(known, string(r.format))
	}
	return "", fmt.Errorf("format %q is not one of: %s", name, strings.Join(known, ", "))
}

// ParseTarget splits a FORMAT=PATH, as --report takes it.
func ParseTarget(arg string) (Format, string, error) {
	name, path, ok := strings.Cut(arg, "=")
	if !ok || path == "" {
		return "", "", fmt.Errorf("%q is not FORMAT=PATH, such as json=report.json", arg)
	}
	f, err := ParseFormat(name)
	return f, path, err
}

// Render writes the document to w in the format. It writes once, at the end.
func Render(w io.Writer, f Format, d Document, o Options) error {
	all := renderers()
	i := slices.IndexFunc(all, func(r renderer) bool { return r.format == f })
	if i < 0 {
		return fmt.Errorf("format %q is not known", f)
	}
	var b bytes.Buffer
	if err := all[i].render(&b, complete(d), o); err != nil {
		return fmt.Errorf("rendering the report as %s: %w", f, err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// WriteFile writes the document to a file, whole or not at all: a reader never sees half
// of it, and a file that was there stays when writing fails. What is no regular file,
// such as a pipe, is written to directly.
func WriteFile(path string, f Format, d Document) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeInto(path, os.O_WRONLY, f, d)
	}
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), os.Getpid()))
	err := writeInto(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, f, d)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		_ = os.Remove(temp)
		return fmt.Errorf("report %s=%s: %w", f, path, err)
	}
	return nil
}

func writeInto(path string, flags int, f Format, d Document) error {
	file, err := os.OpenFile(path, flags, 0o644)
	if err != nil {
		return err
	}
	if err := Render(file, f, d, Options{Verbose: true}); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}
