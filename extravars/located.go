package extravars

import (
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Entry is a variable of a vars file, with its places. Lines and columns count from 1,
// columns in bytes.
type Entry struct {
	Key   string
	Value any
	// Line is the key's, ValueLine and ValueColumn are where the value begins.
	Line, ValueLine, ValueColumn int
	// Plain is how a scalar without quotes is written, Quoted how one on one line with
	// quotes is, quotes included. Both are empty otherwise.
	Plain, Quoted string
	// Node is the value as it was parsed, for places inside it.
	Node *yaml.Node
}

// Duplicate is a key that stands more than once in one mapping.
type Duplicate struct {
	Path  []string // the keys that lead to it, itself last
	Lines []int    // all its lines; the last one counts
}

// SyntaxError says why Ansible would refuse a file.
type SyntaxError struct {
	Line int // from 1; 0 if not known
	What string
}

func (e *SyntaxError) Error() string { return (&yamlError{e.Line, e.What}).Error() }

// Encrypted reports whether a file is encrypted as a whole by ansible-vault.
func Encrypted(text []byte) bool { return bytes.HasPrefix(text, []byte(vaultHeader)) }

// ReadVars reads a file of variables as Ansible does: JSON, else YAML 1.1. An empty file
// has no entries. It fails with a [SyntaxError] where Ansible would refuse the file.
func ReadVars(text []byte) ([]Entry, []Duplicate, error) {
	node, value, err := readLocated(text)
	if err != nil || node == nil {
		return nil, nil, err
	}
	if _, ok := value.(Mapping); !ok {
		return nil, nil, &SyntaxError{node.Line, "this is no mapping of names to values"}
	}
	return entriesOf(node, value, Lines(text)), Duplicates(node), nil
}

// Entries returns the variables of a mapping inside a text of [ReadTree]; lines are the
// text's. Anything that is no mapping has none.
func Entries(n *yaml.Node, lines [][]byte) ([]Entry, error) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	value, err := newYAMLReader(Core219, nil).value(n)
	if err != nil {
		return nil, err
	}
	return entriesOf(n, value, lines), nil
}

// Lines splits a text for [Entries]. A byte order mark is no part of the first line.
func Lines(text []byte) [][]byte {
	return bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n"))
}

// entriesOf lists a mapping's variables: its own, then what it merges.
func entriesOf(node *yaml.Node, value any, lines [][]byte) []Entry {
	m, _ := value.(Mapping)
	values := make(map[string]any, len(m))
	for _, p := range m {
		if key, ok := p.Key.(string); ok {
			values[key] = p.Value
		}
	}
	entries := make([]Entry, 0, len(m))
	at := map[string]int{}
	merged := node
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, n := node.Content[i], node.Content[i+1]
		v, known := values[key.Value]
		if isMerge(key) {
			merged = key
		}
		if !known {
			continue // a key that is no text, or a merge
		}
		e := Entry{Key: key.Value, Value: v, Line: key.Line, ValueLine: n.Line, ValueColumn: column(lines, n), Node: n}
		e.written(lines)
		if j, again := at[e.Key]; again {
			entries[j] = e
			continue
		}
		at[e.Key] = len(entries)
		entries = append(entries, e)
	}
	for _, p := range m {
		if key, ok := p.Key.(string); ok && len(entries) < len(values) {
			if _, own := at[key]; !own {
				at[key] = len(entries)
				entries = append(entries, Entry{Key: key, Value: p.Value, Line: merged.Line, ValueLine: merged.Line, ValueColumn: merged.Column, Node: merged})
			}
		}
	}
	return entries
}

// ReadTree parses a text as Ansible does and returns its root, nil for an empty one.
func ReadTree(text []byte) (*yaml.Node, error) {
	node, _, err := readLocated(text)
	return node, err
}

func readLocated(text []byte) (*yaml.Node, any, error) {
	if !utf8.Valid(text) {
		return nil, nil, &SyntaxError{0, "it is not UTF-8"}
	}
	node, lines, err := readNode(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if errors.Is(err, errEmpty) || err == nil && node.Kind == yaml.ScalarNode && node.ShortTag() == tagNull {
		return nil, nil, nil
	}
	var value any
	if err == nil {
		value, err = newYAMLReader(Core219, lines).value(node)
	}
	var y *yamlError
	if errors.As(err, &y) {
		err = &SyntaxError{y.line, y.what}
	}
	return node, value, err
}

// Duplicates finds the keys that stand more than once in a mapping, at any depth.
func Duplicates(root *yaml.Node) []Duplicate {
	var out []Duplicate
	var walk func(n *yaml.Node, path []string)
	walk = func(n *yaml.Node, path []string) {
		if n.Kind != yaml.MappingNode {
			for _, c := range n.Content {
				walk(c, path)
			}
			return
		}
		lines := map[string][]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i]; key.Kind == yaml.ScalarNode && !isMerge(key) {
				lines[key.Value] = append(lines[key.Value], key.Line)
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			inner := append(slices.Clip(path), key)
			if l := lines[key]; len(l) > 1 {
				out = append(out, Duplicate{inner, l})
				delete(lines, key)
			}
			walk(n.Content[i+1], inner)
		}
	}
	walk(root, nil)
	return out
}

// column is the byte column of a node; yaml.v3 counts characters.
func column(lines [][]byte, n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(lines) {
		return n.Column
	}
	line, at := lines[n.Line-1], 0
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return at + 1
}

// written notes how a scalar on one line is written.
func (e *Entry) written(lines [][]byte) {
	n := e.Node
	if n.Kind != yaml.ScalarNode || n.Style&yaml.TaggedStyle != 0 || n.Anchor != "" || e.ValueLine > len(lines) {
		return
	}
	line := lines[e.ValueLine-1]
	if e.ValueColumn-1 > len(line) {
		return
	}
	rest := line[e.ValueColumn-1:]
	switch n.Style {
	case 0:
		e.Plain = n.Value
	case yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle:
		quote := byte('"')
		if n.Style == yaml.SingleQuotedStyle {
			quote = '\''
		}
		if len(rest) > 1 && rest[0] == quote && bytes.HasPrefix(rest[1:], []byte(n.Value)) && len(rest) > len(n.Value)+1 && rest[len(n.Value)+1] == quote {
			e.Quoted = string(rest[:len(n.Value)+2])
		}
	}
}
