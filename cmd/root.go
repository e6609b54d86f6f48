// Package cmd is the command line: flags become options, options one call, and every
// end one exit code. What is done lies in the packages below.
package cmd

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// System is what the program gets from outside.
type System struct {
	In       *os.File
	Out, Err io.Writer
	Environ  []string
	Kill     <-chan struct{} // closed by the second signal
}

// Getenv looks a variable up in the environment given.
func (s System) Getenv(name string) string {
	for i := len(s.Environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(s.Environ[i], name+"="); ok {
			return v
		}
	}
	return ""
}

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, args []string, sys System) int {
	app := &app{sys: sys, args: args, output: output{err: sys.Err}}
	root := app.root()
	root.SetArgs(args)
	root.SetOut(sys.Out)
	root.SetErr(sys.Err)
	err := root.ExecuteContext(ctx)
	return app.finish(args, err)
}

// app is one run of the program.
type app struct {
	sys    System
	args   []string
	output output
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "surespray",
		Short: "Run Kubespray with typed extra vars, and prove on the cluster that it worked",
		Long: `surespray replaces ansible-playbook for a Kubespray checkout. It sends extra vars
with the types that their variables have, runs Ansible unchanged, and then verifies on
the live cluster that what was switched on works.`,
		Example: `  surespray setup
  surespray run cluster.yml -i inventory/mycluster/inventory.ini -b -e metrics_server_enabled=true
  surespray addon apply metrics-server -i inventory/mycluster/inventory.ini -b
  surespray verify -i inventory/mycluster/inventory.ini`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if words := slices.DeleteFunc(slices.Clone(a.args), func(w string) bool { return strings.HasPrefix(w, "-") }); c == root && len(words) > 0 {
			return noArgs(c, words)
		}
		return usageError{err: err, next: c.CommandPath() + " --help"}
	})
	root.AddGroup(&cobra.Group{ID: "everyday", Title: "Everyday:"}, &cobra.Group{ID: "before", Title: "Before:"})
	root.AddCommand(a.run(), a.addon(), a.verify(), a.vars(), a.audit(), a.explain(), a.checks(), a.setup(), a.snapshot(), a.probes(), a.version())
	return root
}

// noArgs refuses arguments: a command that does not exist, or a word too many.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	next := c.CommandPath() + " --help"
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		next = "did you mean " + c.CommandPath() + " " + near[0] + "?"
	}
	if c.HasAvailableSubCommands() {
		return usagef(next, "%s has no command %q", c.CommandPath(), args[0])
	}
	return usagef(next, "%s takes no argument, %q was given", c.CommandPath(), args[0])
}

// exitHelp is the end of each command's help: its exit codes.
func exitHelp(lines ...string) string {
	return "\n\nExit codes:\n  " + strings.Join(lines, "\n  ")
}
