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
