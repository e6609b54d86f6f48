package runner

import (
	"slices"
	"strings"
)

// Kind says how a flag of ansible-playbook takes values.
type Kind int

// The kinds of flags that ansible-playbook has.
const (
	Switch Kind = iota // given or not
	Count              // may be repeated to mean more: -vvv
	Single             // one value, the last one wins
	List               // every value counts, in order
)

// Flag is one flag of ansible-playbook.
type Flag struct {
	Name    string   // long name without dashes
	Short   string   // one letter, or empty
	Aliases []string // further long names
	Kind    Kind
	Usage   string
	Lookup  bool // also given to the short calls that ask Ansible for values
	Inert   bool // nothing is changed on any host with it: lists, syntax check, version
}

// ExtraVarsFlag is the long name of -e. Its values travel by file, not with the others.
const ExtraVarsFlag = "extra-vars"

// AnsibleFlags is the table of all flags that ansible-playbook of ansible-core 2.16
// to 2.19 has, -h apart. What is in it is accepted, documented and passed on.
func AnsibleFlags() []Flag {
	return []Flag{
		{Name: "inventory", Short: "i", Aliases: []string{"inventory-file"}, Kind: List, Lookup: true, Usage: "inventory `PATH` or comma-separated hosts, repeatable"},
		{Name: ExtraVarsFlag, Short: "e", Kind: List, Usage: "extra `VARS`: key=value, JSON, YAML or @file, repeatable; sent to Ansible as typed JSON files"},
		{Name: "limit", Short: "l", Kind: Single, Usage: "limit the hosts to a `PATTERN`"},
		{Name: "tags", Short: "t", Kind: List, Usage: "only plays and tasks with these `TAGS`"},
		{Name: "skip-tags", Kind: List, Usage: "only plays and tasks without these `TAGS`"},
		{Name: "start-at-task", Kind: Single, Usage: "start at the task with this `NAME`"},
		{Name: "become", Short: "b", Kind: Switch, Usage: "run operations with become"},
		{Name: "become-method", Kind: Single, Usage: "privilege escalation `METHOD`"},
		{Name: "become-user", Kind: Single, Usage: "run operations as this `USER`"},
		{Name: "ask-become-pass", Short: "K", Kind: Switch, Usage: "ask for the become password"},
		{Name: "become-password-file", Aliases: []string{"become-pass-file"}, Kind: Single, Usage: "`FILE` with the become password"},
		{Name: "user", Short: "u", Kind: Single, Usage: "connect as this `USER`"},
		{Name: "connection", Short: "c", Kind: Single, Usage: "connection `TYPE`"},
		{Name: "timeout", Short: "T", Kind: Single, Usage: "connection timeout in `SECONDS`"},
		{Name: "private-key", Aliases: []string{"key-file"}, Kind: Single, Usage: "`FILE` with the connection's key"},
		{Name: "ask-pass", Short: "k", Kind: Switch, Usage: "ask for the connection password"},
		{Name: "connection-password-file", Aliases: []string{"conn-pass-file"}, Kind: Single, Usage: "`FILE` with the connection password"},
		{Name: "ssh-common-args", Kind: Single, Usage: "`ARGS` for sftp, scp and ssh"},
		{Name: "ssh-extra-args", Kind: Single, Usage: "`ARGS` for ssh only"},
		{Name: "sftp-extra-args", Kind: Single, Usage: "`ARGS` for sftp only"},
		{Name: "scp-extra-args", Kind: Single, Usage: "`ARGS` for scp only"},
		{Name: "vault-id", Kind: List, Lookup: true, Usage: "vault `IDENTITY` to use, repeatable"},
		{Name: "vault-password-file", Aliases: []string{"vault-pass-file"}, Kind: List, Lookup: true, Usage: "vault password `FILE`, repeatable"},
		{Name: "ask-vault-password", Short: "J", Aliases: []string{"ask-vault-pass"}, Kind: Switch, Usage: "ask for the vault password"},
		{Name: "forks", Short: "f", Kind: Single, Usage: "`NUMBER` of parallel processes"},
		{Name: "force-handlers", Kind: Switch, Usage: "run handlers even if a task fails"},
		{Name: "flush-cache", Kind: Switch, Usage: "clear the fact cache of every host"},
		{Name: "module-path", Short: "M", Kind: List, Lookup: true, Usage: "prepend `PATHS` to the module library, repeatable"},
		{Name: "step", Kind: Switch, Usage: "confirm each task before it runs"},
		{Name: "check", Short: "C", Kind: Switch, Usage: "change nothing, predict instead"},
		{Name: "diff", Short: "D", Kind: Switch, Usage: "show differences of changed files"},
		{Name: "list-hosts", Kind: Switch, Inert: true, Usage: "list the matching hosts, run nothing"},
		{Name: "list-tags", Kind: Switch, Inert: true, Usage: "list the tags, run nothing"},
		{Name: "list-tasks", Kind: Switch, Inert: true, Usage: "list the tasks, run nothing"},
		{Name: "syntax-check", Kind: Switch, Inert: true, Usage: "check the playbook's syntax, run nothing"},
		{Name: "version", Kind: Switch, Inert: true, Usage: "show ansible-playbook's version"},
		{Name: "verbose", Short: "v", Kind: Count, Usage: "more of Ansible's messages, up to -vvvvvv"},
	}
}

// AnsibleArgs holds the values given for Ansible's flags, by long name. The value of
// a Switch is "true"; of a Count, one entry for each time it was given.
type AnsibleArgs map[string][]string

// Has reports whether the flag was given.
func (a AnsibleArgs) Has(name string) bool { return len(a[name]) > 0 }

// Last returns the last value given for the flag, or "".
func (a AnsibleArgs) Last(name string) string {
	if v := a[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// Inert reports whether a flag was given with which ansible-playbook runs nothing.
func (a AnsibleArgs) Inert() bool {
	return slices.ContainsFunc(AnsibleFlags(), func(f Flag) bool { return f.Inert && a.Has(f.Name) })
}

// Tags returns the tags of --tags or --skip-tags one by one: Ansible takes them
// repeated and separated by commas.
func (a AnsibleArgs) Tags(flag string) []string {
	var tags []string
	for _, v := range a[flag] {
		for _, t := range strings.Split(v, ",") {
			if t = strings.TrimSpace(t); t != "" {
				tags = append(tags, t)
			}
		}
	}
	return tags
}

// argv renders the flags that keep decides on, in the table's order, extra vars apart.
// A value is always joined to its flag by "=", so that one starting with a dash stays a value.
func (a AnsibleArgs) argv(keep func(Flag) bool) []string {
	var out []string
	for _, f := range AnsibleFlags() {
		if f.Name == ExtraVarsFlag || !a.Has(f.Name) || !keep(f) {
			continue
		}
		switch f.Kind {
		case Switch:
			out = append(out, "--"+f.Name)
		case Count:
			out = append(out, "-"+strings.Repeat(f.Short, len(a[f.Name])))
		case Single:
			out = append(out, "--"+f.Name+"="+a.Last(f.Name))
		case List:
			for _, v := range a[f.Name] {
				out = append(out, "--"+f.Name+"="+v)
			}
		}
	}
	return out
}
