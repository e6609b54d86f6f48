package extravars

import (
	"errors"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxNodes bounds what aliases may blow up.
const maxNodes = 2_000_000

// yamlReader turns nodes into values by the rules of YAML 1.1, with Ansible's own tags.
type yamlReader struct {
	core    Core
	source  []string // the lines of the text
	tagged  bool     // there are tags that the cores read differently
	budget  int
	open    map[*yaml.Node]bool // the collections around the current one
	anchors map[string]*yaml.Node
}

func newYAMLReader(core Core, lines []string) *yamlReader {
	return &yamlReader{core: core, source: lines, budget: maxNodes, open: map[*yaml.Node]bool{}, anchors: map[string]*yaml.Node{}}
}

func (r *yamlReader) value(n *yaml.Node) (any, error) {
	if r.budget--; r.budget < 0 || len(r.open) > maxDepth {
		return nil, &yamlError{n.Line, errTooDeep.Error()}
	}
	if err := r.anchor(n); err != nil {
		return nil, err
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias)
	case yaml.ScalarNode:
		return r.scalar(n)
	}
	if r.open[n] {
		return nil, &yamlError{n.Line, "an anchor contains itself"}
	}
	r.open[n] = true
	defer delete(r.open, n)
	tag := n.ShortTag()
	if n.Style&yaml.TaggedStyle == 0 || tag == "!" {
		tag = map[yaml.Kind]string{yaml.SequenceNode: "!!seq", yaml.MappingNode: "!!map"}[n.Kind]
	}
	switch {
	case n.Kind == yaml.SequenceNode && (tag == "!!omap" || tag == "!!pairs"):
		return r.pairs(n)
	case n.Kind == yaml.SequenceNode && (tag == "!!seq" || tag == "!unsafe"):
		return r.list(n, tag == "!unsafe")
	case n.Kind == yaml.MappingNode && tag == "!!set":
		return r.set(n)
	case n.Kind == yaml.MappingNode && (tag == "!!map" || tag == "!unsafe"):
		return r.mapping(n, tag == "!unsafe")
	}
	return nil, unknownTag(n)
}

// anchor refuses a second anchor of the same name, as Ansible's parser does.
func (r *yamlReader) anchor(n *yaml.Node) error {
	if n.Anchor == "" {
		return nil
	}
	if other := r.anchors[n.Anchor]; other != nil && other != n {
		return &yamlError{n.Line, "an anchor of this name exists already"}
	}
	r.anchors[n.Anchor] = n
	return nil
}

func unknownTag(n *yaml.Node) error {
	return &yamlError{n.Line, "a tag (a word with ! before it) means nothing to Ansible here"}
}

func (r *yamlReader) scalar(n *yaml.Node) (any, error) {
	tag := tagString
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		tag = n.ShortTag()
	case n.Style == 0:
		tag = implicitTag(n.Value)
	}
	switch tag {
	case "!vault", "!vault-encrypted", "!unsafe":
		return r.own(n, tag == "!unsafe")
	}
	v, err := scalarValue(tag, n.Value)
	switch {
	case errors.Is(err, errScalar) && strings.HasPrefix(tag, "!!"):
		return nil, &yamlError{n.Line, "a value reads like " + strings.TrimPrefix(tag, "!!") + " and is none"}
	case err != nil:
		return nil, unknownTag(n)
	}
	return v, nil
}

// own reads a scalar with a tag of Ansible's. From 2.19 on its content is typed first, as
// if it stood there without tag and quotes: !unsafe 'yes' is a boolean.
func (r *yamlReader) own(n *yaml.Node, unsafe bool) (any, error) {
	r.tagged = true
	var v any = n.Value
	if r.core == Core219 {
		var err error
		if v, err = scalarValue(implicitTag(strings.TrimSuffix(n.Value, "\n")), n.Value); err != nil {
			return nil, &yamlError{n.Line, "the content of a tag reads like another type and is none"}
		}
	}
	text, isText := v.(string)
	switch {
	case unsafe && isText:
		return Unsafe(text), nil
	case unsafe:
		return v, nil
	case !isText:
		return nil, &yamlError{n.Line, "!vault wants a text"}
	}
	return Vault(text), nil
}

func (r *yamlReader) list(n *yaml.Node, unsafe bool) (any, error) {
	if err := r.checkFlow(n); err != nil {
		return nil, err
	}
	out := make([]any, 0, len(n.Content))
	for _, item := range n.Content {
		v, err := r.value(item)
		if err != nil {
			return nil, err
		}
		if unsafe {
			v = madeUnsafe(v)
		}
		out = append(out, v)
	}
	return out, nil
}

// madeUnsafe marks the texts in a value that stands under !unsafe.
func madeUnsafe(v any) any {
	switch v := v.(type) {
	case string:
		return Unsafe(v)
	case []any:
		for i := range v {
			v[i] = madeUnsafe(v[i])
		}
	case Mapping:
		for i := range v {
			v[i].Value = madeUnsafe(v[i].Value)
		}
	}
	return v
}
