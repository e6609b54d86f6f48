package runner

import (
	"slices"

	"github.com/surespray/surespray/extravars"
)

// Plan is everything that a run will do. Making it starts nothing and writes nothing.
type Plan struct {
	Ansible   Ansible
	Dir       string // the caller's directory, where Ansible runs
	Checkout  string
	Config    string      // the ansible.cfg in force, or "" for Ansible's defaults
	SetConfig bool        // Config is not what Ansible would take by itself: say so by ANSIBLE_CONFIG
	Callbacks []string    // directories of callback plugins that the configuration names
	Flags     AnsibleArgs // Ansible's own flags
	ExtraVars *extravars.Vars
	Playbooks []string // absolute paths
}

// extraVarsDir stands for the private directory in a plan that is only shown.
const extraVarsDir = "PRIVATE"

// Argv is the command line for people: the files of extra vars stand in a directory
// that exists only during the run.
func (p Plan) Argv() []string {
	argv, _ := p.command(p.ExtraVars.Args(extraVarsDir)).Command()
	return argv
}

func (p Plan) command(extraVars []string) command {
	return command{
		binary: p.Ansible.Path, flags: p.Flags.argv(func(Flag) bool { return true }),
		extraVars: extraVars, playbooks: p.Playbooks,
	}
}

// Wants reports whether a task with these tags is what --tags asks for. Without --tags
// every task is; tasks tagged "always" run with any, so they prove nothing.
func (p Plan) Wants(tags []string) bool {
	asked := p.Flags.Tags("tags")
	if len(asked) == 0 {
		return true
	}
	return slices.ContainsFunc(asked, func(t string) bool {
		switch t {
		case "all":
			return true
		case "tagged":
			return len(tags) > 0
		case "untagged":
			return len(tags) == 0
		}
		return slices.Contains(tags, t)
	})
}
