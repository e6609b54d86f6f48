// Package inventory reads what Ansible reads for an inventory: hosts, groups, and every
// value that somebody gave to a variable, with its file and line.
//
// It knows nothing of Kubespray and judges nothing. What Ansible would pass over without
// a word is kept as a [Problem]. Values are not templated: where a template, a vault or a
// script decides, only Ansible knows, and the reader says so.
//
//	inv := inventory.Read([]string{"inventory/mycluster/hosts.yaml"}, inventory.Options{Dir: cwd})
//	s, ok := inv.Effective("node1", "helm_enabled") // the setting that wins there
package inventory

import "github.com/surespray/surespray/extravars"

// Options say how to read.
type Options struct {
	Dir string // where relative paths start
	// Playbooks are directories of playbooks: Ansible reads group_vars and host_vars
	// beside them, too.
	Playbooks []string
	// Ignores tells which names in a directory that is given as inventory Ansible
	// passes over; nil: none.
	Ignores func(name string) bool
	// Rules are the groups that the playbook makes before anything else.
	Rules []GroupRule
}

// Inventory is what was read.
type Inventory struct {
	Hosts    map[string]*Host
	Groups   map[string]*Group // "all" and "ungrouped" included
	Settings []*Setting        // in the order in which they were read
	Problems []Problem
	// Dynamic is true when a script or a plugin adds hosts and groups that are not
	// known here.
	Dynamic bool
	// Files are the files that hold what was read, as reached from the arguments.
	Files []string

	order []string // hosts as they were met

	// What Effective has looked up before; made when it is first asked.
	byName   map[string]*named
	indexed  int
	groupsOf map[string][]string
}

// Host is a host with the groups that name it.
type Host struct {
	Name   string
	Groups []string // that list it themselves
	File   string
	Line   int
}

// Group is a group with what it holds.
type Group struct {
	Name     string
	Children []string
	Hosts    []string
	File     string // where it is first named; "" for all and ungrouped
	Line     int
}

// Form is how a value is written; the rules for its type hang on it.
type Form string

// The forms.
const (
	YAML    Form = "yaml"     // a file of variables, or a YAML inventory
	INIHost Form = "ini-host" // behind a host: quotes are eaten, then a Python literal
	INIVars Form = "ini-vars" // in [group:vars]: a Python literal
)

// Level orders places as Ansible does; a later one wins over an earlier one.
type Level int

// The levels, lowest first.
const (
	LevelAll           Level = iota // of the group all, in the inventory file
	LevelGroups                     // of other groups, in the inventory file
	LevelAllVars                    // group_vars/all beside the inventory
	LevelAllVarsPlay                // beside the playbook
	LevelGroupVars                  // group_vars of other groups beside the inventory
	LevelGroupVarsPlay              // beside the playbook
	LevelHost                       // of a host, in the inventory file
	LevelHostVars                   // host_vars beside the inventory
	LevelHostVarsPlay               // beside the playbook
)

// Setting is one value that somebody gave to a variable.
type Setting struct {
	extravars.Entry
	File  string // as reached from the argument
	Form  Form
	Level Level
	Group string // whose it is; "" for a host's
	Host  string
	Raw   string // the value as written, for INI
	// Dir is the directory of group_vars or host_vars, or file without one, that it
	// comes from: settings of one Dir follow the order of file names.
	Dir string

	order int
}

// Place is where a file and line are, for messages.
type Place struct {
	File string
	Line int
}

// Problem is something that Ansible passes over, or takes in another way than it looks.
type Problem struct {
	Code string
	Place
	Key     string // the variable, if one is meant
	Message string
	Fix     string
}

// HostNames returns the hosts in the order in which they were met.
func (inv *Inventory) HostNames() []string { return append([]string(nil), inv.order...) }

func (inv *Inventory) problem(p Problem) { inv.Problems = append(inv.Problems, p) }

func (inv *Inventory) group(name string, at Place) *Group {
	g := inv.Groups[name]
	if g == nil {
		g = &Group{Name: name, File: at.File, Line: at.Line}
		inv.Groups[name] = g
	}
	return g
}

func (inv *Inventory) host(name, group string, at Place) {
	h := inv.Hosts[name]
	if h == nil {
		h = &Host{Name: name, File: at.File, Line: at.Line}
		inv.Hosts[name] = h
		inv.order = append(inv.order, name)
	}
	if group == "all" || group == "" {
		return
	}
	h.Groups = addOnce(h.Groups, group)
	g := inv.group(group, at)
	g.Hosts = addOnce(g.Hosts, name)
}

func addOnce(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

func (inv *Inventory) set(s *Setting) {
	s.order = len(inv.Settings)
	inv.Settings = append(inv.Settings, s)
}
