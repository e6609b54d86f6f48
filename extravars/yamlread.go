package extravars

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

// document is a YAML or JSON text with a place for each key at its top.
type document struct {
	value any
	lines map[string]int    // of the keys at the top, from 1
	texts map[string]string // the plain scalars at the top, as written
	json  bool              // Ansible's JSON reader took it
}

// locate finds the places in a JSON text, which is YAML, too, nearly always.
func (d *document) locate(text string) {
	if node, err := readNode(text); err == nil {
		d.top(node)
	}
}

func (d *document) top(n *yaml.Node) {
	d.lines, d.texts = map[string]int{}, map[string]string{}
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		d.lines[key.Value] = key.Line
		if value.Kind == yaml.ScalarNode && value.Style == 0 {
			d.texts[key.Value] = value.Value
		}
	}
}

// yamlError says what is wrong with a text, and where.
type yamlError struct {
	line int // from 1; 0 if not known
	what string
}

func (e *yamlError) Error() string {
	if e.line == 0 {
		return e.what
	}
	return fmt.Sprintf("line %d: %s", e.line, e.what)
}

var errEmpty = errors.New("empty")

// readDocument reads a text as Ansible does: as JSON, and where that fails as YAML 1.1.
func readDocument(text string) (document, error) {
	if v, err := readJSON(text); err == nil {
		return document{value: v, json: true}, nil
	}
	node, err := readNode(text)
	if err != nil {
		return document{}, err
	}
	r := yamlReader{budget: maxNodes, open: map[*yaml.Node]bool{}}
	v, err := r.value(node)
	if err != nil {
		return document{}, err
	}
	doc := document{value: v}
	doc.top(node)
	return doc, nil
}

// readNode parses the one document of a text.
func readNode(text string) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, errEmpty
	case err != nil:
		return nil, syntaxError(err)
	}
	if err := dec.Decode(&more); err == nil {
		return nil, &yamlError{more.Line, "a second document begins here"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(err)
	}
	return doc.Content[0], nil
}

// syntaxError keeps the line of a parser's error, and none of the text around it.
func syntaxError(err error) *yamlError {
	out := &yamlError{what: strings.TrimPrefix(err.Error(), "yaml: ")}
	if _, scanErr := fmt.Sscanf(out.what, "line %d:", &out.line); scanErr == nil {
		_, out.what, _ = strings.Cut(out.what, ": ")
	}
	if before, _, quoted := strings.Cut(out.what, "'"); quoted && strings.Contains(before, "anchor") {
		out.what = "an alias (a word with * before it) without its anchor"
	}
	return out
}

// maxNodes bounds what aliases may blow up.
const maxNodes = 2_000_000

// yamlReader turns nodes into values by the rules of YAML 1.1, with Ansible's own tags.
type yamlReader struct {
	budget int
	open   map[*yaml.Node]bool // the collections around the current one
}

func (r *yamlReader) value(n *yaml.Node) (any, error) {
	if r.budget--; r.budget < 0 || len(r.open) > maxDepth {
		return nil, &yamlError{n.Line, errTooDeep.Error()}
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
	case "!vault", "!vault-encrypted":
		return Vault(n.Value), nil
	case "!unsafe":
		return Unsafe(n.Value), nil
	case "!":
		return n.Value, nil
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

func (r *yamlReader) list(n *yaml.Node, unsafe bool) (any, error) {
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
