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
	value any               // for the newest core
	older any               // for cores up to 2.18
	lines map[string]int    // of the keys at the top, from 1
	texts map[string]string // the plain scalars at the top, as written
	json  bool              // Ansible's JSON reader took it
}

// locate finds the places in a JSON text, which is YAML, too, nearly always.
func (d *document) locate(text string) {
	if node, _, err := readNode(text); err == nil {
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
		return document{value: v, older: v, json: true}, nil
	}
	node, lines, err := readNode(text)
	if err != nil {
		return document{}, err
	}
	var doc document
	r := newYAMLReader(Core219, lines)
	if doc.value, err = r.value(node); err != nil {
		return document{}, err
	}
	if doc.older = doc.value; r.tagged { // the cores read tags differently
		if doc.older, err = newYAMLReader(Core218, lines).value(node); err != nil {
			return document{}, err
		}
	}
	doc.top(node)
	return doc, nil
}

// readAs is readDocument for one core.
func readAs(core Core, text string) any {
	if v, err := readJSON(text); err == nil {
		return v
	}
	node, lines, err := readNode(text)
	if err != nil {
		return nil
	}
	v, err := newYAMLReader(core, lines).value(node)
	if err != nil {
		return nil
	}
	return v
}

// readNode parses the one document of a text. The parser lacks one escape that
// Ansible's has, so it gets another spelling of it.
func readNode(text string) (node *yaml.Node, lines []string, err error) {
	spelled, restore := respell(text)
	if node, err = parseNode(spelled); err == nil {
		restore(node)
	}
	return node, strings.Split(spelled, "\n"), err
}

func parseNode(text string) (*yaml.Node, error) {
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
