package runner

import (
	"strings"

	"github.com/apenella/go-ansible/v2/pkg/execute"

	"github.com/surespray/surespray/extravars"
)

// command is the ansible-playbook call of a plan, as go-ansible's Commander.
type command struct {
	binary    string
	flags     []string // Ansible's own flags, extra vars apart
	extraVars []string // -e @FILE …, in the user's order
	playbooks []string
}

var _ execute.Commander = command{}

// Command returns program and arguments. The playbooks stand behind "--", so that a
// name starting with a dash stays a name.
func (c command) Command() ([]string, error) {
	argv := append([]string{c.binary}, c.flags...)
	argv = append(argv, c.extraVars...)
	if len(c.playbooks) > 0 {
		argv = append(argv, "--")
		argv = append(argv, c.playbooks...)
	}
	return argv, nil
}

// String returns the command for people, quoted for a shell. It holds no values of
// extra vars: those are in files.
func (c command) String() string {
	argv, _ := c.Command()
	return ShellQuote(argv)
}

// ShellQuote joins arguments so that a POSIX shell splits them the same way.
func ShellQuote(argv []string) string {
	quoted := make([]string, len(argv))
	for i, a := range argv {
		quoted[i] = extravars.ShellQuote(a)
	}
	return strings.Join(quoted, " ")
}
