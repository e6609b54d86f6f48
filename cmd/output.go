package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/report"
)

// output is what a command tells: notes while it runs, and one document at its end.
type output struct {
	err     io.Writer
	format  string
	targets []string
	verbose bool

	reports bool // the command ends with a report; the others print their own
	closing bool // it ends with the line for CI logs nevertheless
	doc     report.Document
	own     func(io.Writer) error
}

// bind adds the flags of a command that ends with a report.
func (o *output) bind(c *cobra.Command) {
	o.bindFormat(c, "text", "json")
	o.bindTargets(c)
	if c.Flags().Lookup("verbose") == nil {
		c.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "show numbers, evidence of what passed, and what was skipped")
	}
	o.onRun(c, []string{"text", "json"}, func() { o.reports = true })
}

// bindTargets adds --report.
func (o *output) bindTargets(c *cobra.Command) {
	c.Flags().StringArrayVar(&o.targets, "report", nil, "also write the report to a file, `FORMAT=PATH`, repeatable")
}

// bindFormat adds -o.
func (o *output) bindFormat(c *cobra.Command, formats ...string) {
	c.Flags().StringVarP(&o.format, "output", "o", "text", "`FORMAT` on stdout: "+strings.Join(formats, ", "))
	o.onRun(c, formats, func() {})
}

// onRun checks the formats before the command does anything.
func (o *output) onRun(c *cobra.Command, formats []string, then func()) {
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		then()
		o.doc.Command, o.doc.Started = c.CommandPath(), time.Now()
		if !slices.Contains(formats, o.format) {
			return usagef(c.CommandPath()+" --help", "-o %s: not one of: %s", o.format, strings.Join(formats, ", "))
		}
		for _, t := range o.targets {
			_, path, err := report.ParseTarget(t)
			if err != nil {
				return usagef(c.CommandPath()+" --help", "--report %s: %v", t, err)
			}
			if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
				return &runner.PreflightError{What: "--report " + t + ": there is no such directory", Next: "mkdir -p " + filepath.Dir(path)}
			}
		}
		if v := c.Flags().Lookup("verbose"); v != nil && v.Changed {
			o.verbose = true
		}
		return nil
	}
}

// note tells on stderr what was chosen, and keeps it for the report.
func (o *output) note(format string, args ...any) {
	o.doc.Notes = append(o.doc.Notes, fmt.Sprintf(format, args...))
	fmt.Fprintf(o.err, "surespray: "+format+"\n", args...)
}

func (o *output) warn(format string, args ...any) { o.note("warning: "+format, args...) }

// streams are those of ansible-playbook: its stdout stays where it is with text, and
// makes room for the document otherwise.
func (a *app) streams() runner.Streams {
	s := runner.Streams{In: a.sys.In, Out: a.sys.Out, Err: a.sys.Err, Terminal: runner.HasTerminal()}
	if a.output.format != "text" {
		s.Out = a.sys.Err
	}
	return s
}

// finish ends every command: the documents, the closing line, the exit code.
func (a *app) finish(args []string, err error) int {
	o := &a.output
	d := &o.doc
	if !errors.Is(err, errStopped) && (err != nil || d.Exit.Category == "") {
		d.Exit = exitOf(err)
	}
	if !o.reports && err != nil {
		o.readFormat(args)
	}
	d.Summary = verify.Count(d.Results)
	if !d.Started.IsZero() {
		d.TookMS = time.Since(d.Started).Milliseconds()
	}
	if failed := a.writeFiles(); failed != nil && d.Exit.Code == exitOK {
		d.Exit = exitOf(failed)
		err = failed
	}
	if failed := a.writeStdout(err); failed != nil && d.Exit.Code == exitOK {
		d.Exit = exitOf(failed)
		err = failed
	}
	if o.reports || o.closing || err != nil {
		fmt.Fprintln(a.sys.Err, report.Closing(*d))
	}
	return d.Exit.Code
}

// writeFiles writes the report to the files asked for. One that cannot be written keeps
// none of the others from being written.
func (a *app) writeFiles() error {
	var failed []error
	for _, t := range a.output.targets {
		if format, path, err := report.ParseTarget(t); err == nil {
			failed = append(failed, report.WriteFile(path, format, a.output.doc))
		}
	}
	return a.tell(errors.Join(failed...))
}

// writeStdout ends stdout: the command's own output, or the report. A reader that went
// away does not want it.
func (a *app) writeStdout(err error) error {
	o := &a.output
	var failed error
	switch {
	case o.own != nil:
		failed = o.own(a.sys.Out)
	case o.reports, err != nil && o.format == string(report.JSON):
		options := report.Options{Verbose: o.verbose, Color: report.WantsColor(a.sys.Getenv, runner.IsTerminal(a.sys.Out))}
		if o.format != string(report.JSON) {
			o.format = string(report.Text)
		}
		failed = report.Render(a.sys.Out, report.Format(o.format), o.doc, options)
	}
	if errors.Is(failed, syscall.EPIPE) {
		return nil
	}
	return a.tell(failed)
}

func (a *app) tell(err error) error {
	if err != nil {
		fmt.Fprintf(a.sys.Err, "surespray: %v\n", err)
	}
	return err
}

// readFormat looks for the formats asked for in arguments that did not parse, so that
// a pipeline gets its document on this path as well.
func (o *output) readFormat(args []string) {
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "-o", "--output":
			if _, err := report.ParseFormat(value); err == nil {
				o.format = value
			}
		case "--report":
			if !slices.Contains(o.targets, value) {
				o.targets = append(o.targets, value)
			}
		}
	}
	if slices.Contains(args, "-ojson") {
		o.format = string(report.JSON)
	}
}
