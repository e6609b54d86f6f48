package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/runner"
)

// ansibleFlags collects what was given for ansible-playbook's own flags.
type ansibleFlags struct {
	args      runner.AnsibleArgs
	extraVars []extravars.Arg // of -e and --extra-var-string, in their order
}

// bind adds those flags of ansible-playbook to a command that keep decides on.
func (a *ansibleFlags) bind(cmd *cobra.Command, keep func(runner.Flag) bool) {
	a.args = runner.AnsibleArgs{}
	flags := cmd.Flags()
	for _, f := range runner.AnsibleFlags() {
		if !keep(f) {
			continue
		}
		if f.Name == runner.ExtraVarsFlag {
			flags.VarP(&ansibleValue{kind: runner.List, set: func(v string) { a.extraVars = append(a.extraVars, extravars.Arg{Text: v}) }}, f.Name, f.Short, f.Usage)
			flags.Var(&ansibleValue{kind: runner.List, set: func(v string) { a.extraVars = append(a.extraVars, extravars.Arg{Text: v, ForceString: true}) }},
				"extra-var-string", "extra var `KEY=VALUE` whose value stays text, repeatable")
			continue
		}
		added := flags.VarPF(&ansibleValue{kind: f.Kind, set: func(v string) { a.args[f.Name] = append(a.args[f.Name], v) }}, f.Name, f.Short, f.Usage)
		if f.Kind == runner.Switch || f.Kind == runner.Count {
			added.NoOptDefVal = "true"
		}
	}
	flags.SetNormalizeFunc(normalize(keep))
}

// ansibleValue is one flag's value as pflag asks for it: it remembers nothing itself.
type ansibleValue struct {
	kind runner.Kind
	set  func(string)
}

// Set takes a value. A switch takes none, as with argparse.
func (v *ansibleValue) Set(s string) error {
	if (v.kind == runner.Switch || v.kind == runner.Count) && s != "true" {
		return fmt.Errorf("the flag takes no value, %q was given", s)
	}
	v.set(s)
	return nil
}

// String is empty: the values are kept elsewhere.
func (v *ansibleValue) String() string { return "" }

// Type names the value in help texts; a switch has none.
func (v *ansibleValue) Type() string {
	switch v.kind {
	case runner.Switch:
		return "bool"
	case runner.Count:
		return "count"
	}
	return "string"
}

// normalize maps aliases and unique prefixes of Ansible's flags to their names, as
// argparse does. A name of ours is never shortened.
func normalize(keep func(runner.Flag) bool) func(*pflag.FlagSet, string) pflag.NormalizedName {
	full := map[string]string{}
	for _, f := range runner.AnsibleFlags() {
		if keep(f) {
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				full[name] = f.Name
			}
		}
	}
	return func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if exact, ok := full[name]; ok {
			return pflag.NormalizedName(exact)
		}
		match := ""
		for candidate, target := range full {
			if strings.HasPrefix(candidate, name) {
				if match != "" && match != target {
					return pflag.NormalizedName(name) // ambiguous: pflag says that it is unknown
				}
				match = target
			}
		}
		if match != "" {
			name = match
		}
		return pflag.NormalizedName(name)
	}
}
