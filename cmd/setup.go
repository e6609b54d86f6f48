package cmd

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/runner"
)

func (a *app) setup() *cobra.Command {
	s := &session{app: a}
	python := ""
	c := &cobra.Command{
		Use:     "setup",
		GroupID: "before",
		Short:   "Make the Ansible environment that this checkout asks for",
		Long: `Makes a Python virtual environment from the checkout's requirements.txt in the user's
cache directory. It is keyed by that file's content and the Python version, so that
checkouts with the same requirements share one. surespray run uses it where PATH has no
ansible-playbook in the checkout's range. pip's own configuration (index, proxy,
certificates) is honoured. Prints the path of ansible-playbook.` + exitHelp(
			"0 the environment is there",
			"64 arguments",
			"69 no checkout, no Python, or pip failed",
			"130, 143 cancelled; the next call begins anew"),
		Example: `  surespray setup
  surespray setup --kubespray ~/src/kubespray --python python3.12`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if s.cwd, err = os.Getwd(); err != nil {
				return fmt.Errorf("reading the current directory: %w", err)
			}
			if err := s.openCheckout(nil); err != nil {
				return err
			}
			requirements, _, err := s.checkout.Requirements()
			if err != nil {
				return &runner.PreflightError{Err: err, Next: "give a checkout that has a requirements.txt, with --kubespray DIR"}
			}
			env, err := runner.ManagedEnvironment(c.Context(), runner.CacheDir(), requirements, python)
			if err != nil {
				return err
			}
			if err := env.Make(c.Context(), a.sys.Err); err != nil {
				return err
			}
			fmt.Fprintln(a.sys.Out, env.AnsiblePlaybook())
			return nil
		},
	}
	c.Flags().StringVar(&s.kubespray, "kubespray", "", kubesprayUsage)
	c.Flags().StringVar(&python, "python", "", "the Python `INTERPRETER` to use (default: python3)")
	return c
}
