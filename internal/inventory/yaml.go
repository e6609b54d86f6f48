package inventory

import (
	"errors"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/surespray/surespray/extravars"
)

// yamlFile reads a YAML inventory: groups with hosts, vars and children.
func (inv *Inventory) yamlFile(shown string, raw []byte) {
	root, err := extravars.ReadTree(raw)
	var syntax *extravars.SyntaxError
	switch {
	case errors.As(err, &syntax):
		inv.problem(Problem{
			Code: "inventory-syntax", Place: Place{shown, syntax.Line},
			Message: syntax.What + ": Ansible reads no host from the file", Fix: "mend the YAML",
		})
		return
	case root == nil:
		return
	case root.Kind != yaml.MappingNode:
		inv.problem(Problem{
			Code: "inventory-syntax", Place: Place{shown, root.Line},
			Message: "a YAML inventory begins with the name of a group, such as all:", Fix: "write all: with hosts:, vars: and children: below it",
		})
		return
	}
	r := yamlInventory{inv: inv, file: shown, lines: extravars.Lines(raw)}
	if pluginNode := child(root, "plugin"); pluginNode != nil && pluginNode.Kind == yaml.ScalarNode {
		inv.Dynamic = true // the configuration of an inventory plugin
		return
	}
	inv.duplicates(shown, extravars.Duplicates(root))
	eachPair(root, func(key, value *yaml.Node) { r.group(key, value, 50) })
}

type yamlInventory struct {
	inv   *Inventory
	file  string
	lines [][]byte
}

func (r *yamlInventory) group(key, body *yaml.Node, depth int) {
	at := Place{r.file, key.Line}
	name := key.Value
	r.inv.group(name, at)
	if depth == 0 {
		return
	}
	eachPair(body, func(k, v *yaml.Node) {
		switch k.Value {
		case "vars":
			level := LevelGroups
			if name == "all" {
				level = LevelAll
			}
			r.vars(v, Setting{Level: level, Group: name})
		case "children":
			r.each(v, func(c, inner *yaml.Node) {
				g := r.inv.group(name, at)
				g.Children = addOnce(g.Children, c.Value)
				r.group(c, inner, depth-1)
			})
		case "hosts":
			r.each(v, func(h, vars *yaml.Node) {
				names := expand(h.Value)
				for _, host := range names {
					r.inv.host(host, name, Place{r.file, h.Line})
					r.vars(vars, Setting{Level: LevelHost, Host: host})
				}
			})
		default:
			r.inv.problem(Problem{
				Code: "inventory-unexpected-key", Place: Place{r.file, k.Line}, Key: k.Value,
				Message: fmt.Sprintf("%s in group %s is passed over: a group has vars, children and hosts", k.Value, name),
				Fix:     "put groups below children:, variables below vars: and hosts below hosts:",
			})
		}
	})
}

// each calls f for the entries of a mapping; a single name stands for itself.
func (r *yamlInventory) each(n *yaml.Node, f func(key, value *yaml.Node)) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" && n.Value != "" {
		f(n, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line})
		return
	}
	eachPair(n, f)
}

// vars reads a mapping of variables; like carries whose they are.
func (r *yamlInventory) vars(n *yaml.Node, like Setting) {
	entries, err := extravars.Entries(n, r.lines)
	if err != nil {
		return // what cannot be read as a whole was said by the caller
	}
	for _, e := range entries {
		s := like
		s.Entry, s.File, s.Form, s.Dir = e, r.file, YAML, r.file
		r.inv.set(&s)
	}
}

func eachPair(n *yaml.Node, f func(key, value *yaml.Node)) {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		for value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		f(n.Content[i], value)
	}
}

func child(n *yaml.Node, name string) (found *yaml.Node) {
	eachPair(n, func(k, v *yaml.Node) {
		if k.Value == name {
			found = v
		}
	})
	return found
}
