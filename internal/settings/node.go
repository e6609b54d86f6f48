package settings

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// field is a key that may stand in a mapping, and what to do with its value.
type field struct {
	name string
	set  func(*yaml.Node)
}

// mapping calls the fields' functions for what a mapping holds. A key with nothing after
// it counts as not said, so that people can comment out a whole list. It is false for
// what is no mapping, which is then noted.
func (r *reader) mapping(n *yaml.Node, what string, fields []field) bool {
	if n = follow(n); n.Kind != yaml.MappingNode {
		if isNull(n) {
			return true
		}
		r.wrongType(n, what, "a mapping of "+names(fields), "write KEY: VALUE lines")
		return false
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := follow(n.Content[i]), n.Content[i+1]
		line := n.Content[i].Line
		set := lookup(fields, key)
		switch {
		case set == nil:
			r.problem(line, CodeUnknownKey, hint(key, fields), "%s knows no key %s", what, shown(key.Value))
		case seen[key.Value] > 0:
			r.problem(line, CodeInvalid, "keep one of them", "%s stands here and at line %d", key.Value, seen[key.Value])
		default:
			seen[key.Value] = line
			set(value)
		}
	}
	return true
}

func lookup(fields []field, key *yaml.Node) func(*yaml.Node) {
	for _, f := range fields {
		if key.Kind == yaml.ScalarNode && f.name == key.Value {
			return f.set
		}
	}
	return nil
}

// list calls one for each entry.
func (r *reader) list(n *yaml.Node, what, example string, one func(*yaml.Node)) {
	n = follow(n)
	switch {
	case isNull(n):
	case n.Kind != yaml.SequenceNode:
		r.wrongType(n, what, "a list", "write "+what+": "+example)
	default:
		for _, entry := range n.Content {
			one(entry)
		}
	}
}

// text is the value of a text, "" for nothing. It is false when something else stands
// there, which is then noted.
func (r *reader) text(n *yaml.Node, what string) (string, bool) {
	n = follow(n)
	fix := "write one line of text"
	switch {
	case isNull(n):
		return "", true
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str":
		return strings.TrimSpace(n.Value), true
	case n.Kind == yaml.ScalarNode && strings.HasPrefix(n.ShortTag(), "!!"):
		fix = "put it in quotes: " + strconv.Quote(n.Value)
	}
	r.wrongType(n, what, "text", fix)
	return "", false
}

func (r *reader) wrongType(n *yaml.Node, what, want, fix string) {
	r.problem(n.Line, CodeInvalid, fix, "%s must be %s, not %s", what, want, kind(n))
}

// follow goes from an alias to what it stands for.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// kind names a node's type for people.
func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch tag := n.ShortTag(); tag {
	case "!!str":
		return "text"
	case "!!int", "!!float":
		return "the number " + shown(n.Value)
	case "!!bool":
		return "the boolean " + shown(n.Value)
	case "!!timestamp":
		return "the date " + shown(n.Value)
	case "!!null":
		return "empty"
	default:
		return fmt.Sprintf("something tagged %s", tag)
	}
}

// shown quotes a value for a message, cut to what fits.
func shown(value string) string {
	if letters := []rune(value); len(letters) > 40 {
		value = string(letters[:40]) + "…"
	}
	return strconv.Quote(value)
}
