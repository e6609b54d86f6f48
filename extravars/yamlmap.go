package extravars

import (
	"cmp"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// mapping reads a mapping: merged keys first, then its own, the last value of a repeated
// key in the place of the first.
func (r *yamlReader) mapping(n *yaml.Node, unsafe bool) (any, error) {
	entries, err := r.flatten(n, 0)
	if err != nil {
		return nil, err
	}
	var b mappingBuilder
	for _, e := range entries {
		key, err := r.key(e[0])
		if err != nil {
			return nil, err
		}
		v, err := r.value(e[1])
		if err != nil {
			return nil, err
		}
		if unsafe {
			v = madeUnsafe(v)
		}
		if !b.set(key, v) {
			return nil, &yamlError{e[0].Line, "a list or a mapping is no key"}
		}
	}
	return b.mapping(), nil
}

// key reads a key; "=" is a key by its own name.
func (r *yamlReader) key(n *yaml.Node) (any, error) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value == "=" {
		return "=", nil
	}
	return r.value(n)
}

// flatten returns the entries of a mapping with those of its merge keys ("<<") before
// its own.
func (r *yamlReader) flatten(n *yaml.Node, depth int) ([][2]*yaml.Node, error) {
	if r.budget--; r.budget < 0 || depth > maxDepth {
		return nil, &yamlError{n.Line, errTooDeep.Error()}
	}
	if err := cmp.Or(r.checkFlow(n), r.anchor(n)); err != nil {
		return nil, err
	}
	var merged, own [][2]*yaml.Node
	seen := map[any]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if !isMerge(key) {
			own = append(own, [2]*yaml.Node{key, value})
			continue
		}
		more, err := r.merge(value, depth)
		if err != nil {
			return nil, err
		}
		for _, entry := range more {
			if id := sameKey(entry[0]); !seen[id] {
				merged, seen[id] = append(merged, entry), true
			}
		}
	}
	r.budget -= len(merged)
	return append(merged, own...), nil
}

// sameKey is what PyYAML 6.0.4 goes by to merge a key once: the key itself, reached on
// two ways. Texts of one character are one object in Python, too.
func sameKey(n *yaml.Node) any {
	if r, size := utf8.DecodeRuneInString(n.Value); n.Kind == yaml.ScalarNode && size == len(n.Value) && r < 0x100 {
		return n.Value
	}
	return n
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && (key.Style == 0 && key.Value == "<<" ||
		key.Style&yaml.TaggedStyle != 0 && key.ShortTag() == tagMerge)
}

// merge returns what a merge key brings: the entries of a mapping, or of a list of them.
func (r *yamlReader) merge(value *yaml.Node, depth int) ([][2]*yaml.Node, error) {
	value = resolveAlias(value)
	switch value.Kind {
	case yaml.MappingNode:
		return r.flatten(value, depth+1)
	case yaml.SequenceNode:
		var out [][2]*yaml.Node
		for _, item := range value.Content {
			item = resolveAlias(item)
			if item.Kind != yaml.MappingNode {
				return nil, &yamlError{item.Line, "only mappings can be merged"}
			}
			more, err := r.flatten(item, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		}
		return out, nil
	}
	return nil, &yamlError{value.Line, "only mappings can be merged"}
}

func resolveAlias(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// set reads a !!set.
func (r *yamlReader) set(n *yaml.Node) (any, error) {
	m, err := r.mapping(n, false)
	if err != nil {
		return nil, err
	}
	out := Set{}
	for _, p := range m.(Mapping) {
		out = append(out, p.Key)
	}
	return out, nil
}

// pairs reads a !!pairs or a !!omap: a list of mappings with one entry each.
func (r *yamlReader) pairs(n *yaml.Node) (any, error) {
	out := []any{}
	for _, item := range n.Content {
		item = resolveAlias(item)
		if item.Kind != yaml.MappingNode || len(item.Content) != 2 {
			return nil, &yamlError{item.Line, "an entry of pairs has one key"}
		}
		key, err := r.value(item.Content[0])
		if err != nil {
			return nil, err
		}
		v, err := r.value(item.Content[1])
		if err != nil {
			return nil, err
		}
		out = append(out, Tuple{key, v})
	}
	return out, nil
}
