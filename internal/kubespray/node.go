package kubespray

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// pairs calls f for every key of a mapping, in file order. Anything that is not a
// mapping has no pairs.
func pairs(n *node, f func(key, value *node)) {
	n = resolveAlias(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		f(n.Content[i], resolveAlias(n.Content[i+1]))
	}
}

// field returns the value of a key, or nil. The last one wins, as in Ansible.
func field(n *node, names ...string) *node {
	var found *node
	pairs(n, func(k, v *node) {
		for _, name := range names {
			if k.Value == name {
				found = v
			}
		}
	})
	return found
}

// text returns a scalar's text, or "".
func text(n *node) string {
	n = resolveAlias(n)
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// items returns the elements of a sequence.
func items(n *node) []*node {
	n = resolveAlias(n)
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// words returns a list of strings that may be written as a list or as text with
// commas: the two forms that Ansible allows for tags.
func words(n *node) []string {
	n = resolveAlias(n)
	if n == nil {
		return nil
	}
	var out []string
	add := func(s string) {
		for w := range strings.SplitSeq(s, ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		add(n.Value)
	}
	for _, item := range items(n) {
		add(text(item))
	}
	return out
}

// conditions returns the elements of a when.
func conditions(n *node) []string {
	if s := text(n); s != "" {
		return []string{s}
	}
	var out []string
	for _, item := range items(n) {
		if s := text(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// resolveAlias follows an alias to what it stands for.
func resolveAlias(n *node) *node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
