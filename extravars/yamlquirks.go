package extravars

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Ansible parses YAML with libyaml. The parser of yaml.v3 is a port of it; this file mends
// where they part.

// respell writes what yaml.v3 does not know in a way that it does: the escape \/ as
// another escape, a question mark as a character that the text does not hold. restore undoes
// it where it was no such thing.
func respell(text string) (spelled string, restore func(*yaml.Node)) {
	var undo []string
	if strings.Contains(text, `\/`) {
		for _, other := range []string{`\x2f`, `\x2F`, `\u002f`, `\u002F`, `\U0000002f`, `\U0000002F`} {
			if !strings.Contains(text, other) {
				text, undo = respellSlash(text, other), append(undo, other, `\/`)
				break
			}
		}
	}
	const mark = "\ue000"
	if strings.Contains(text, "?") && !strings.Contains(text, mark) {
		text, undo = respellQuestion(text, mark), append(undo, mark, "?")
	}
	if undo == nil {
		return text, func(*yaml.Node) {}
	}
	return text, restorer(strings.NewReplacer(undo...))
}

func respellSlash(text, other string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '\\' || i+1 == len(text):
			b.WriteByte(text[i])
		case text[i+1] == '/':
			b.WriteString(other)
			i++
		default:
			b.WriteString(text[i : i+2])
			i++
		}
	}
	return b.String()
}

// respellQuestion replaces a "?" inside a word, as in a URL; in flow style yaml.v3 takes it
// for a key's.
func respellQuestion(text, mark string) string {
	var b strings.Builder
	before := byte(' ')
	for i := range len(text) {
		if text[i] == '?' && strings.IndexByte(" \t\r\n,:[]{}\"'", before) < 0 {
			b.WriteString(mark)
		} else {
			b.WriteByte(text[i])
		}
		before = text[i]
	}
	return b.String()
}

func restorer(undo *strings.Replacer) func(*yaml.Node) {
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			n.Value = undo.Replace(n.Value)
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	return walk
}

// checkFlow refuses, in flow style, a plain scalar with a colon right before a comma, a
// bracket or a question mark.
func (r *yamlReader) checkFlow(n *yaml.Node) error {
	if n.Style&yaml.FlowStyle == 0 {
		return nil
	}
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode || c.Style&^yaml.TaggedStyle != 0 {
			continue
		}
		if strings.Contains(c.Value, ":?") || strings.HasSuffix(c.Value, ":") && strings.ContainsAny(r.after(c), ",[]{}") {
			return &yamlError{c.Line, "a colon stands right before a comma or a bracket"}
		}
	}
	return nil
}

// after returns the character behind a plain scalar, as far as that is on its line.
func (r *yamlReader) after(n *yaml.Node) string {
	if n.Line > len(r.source) {
		return ""
	}
	line := r.source[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
	}
	at := strings.Index(line, n.Value)
	if at < 0 || at+len(n.Value) >= len(line) {
		return ""
	}
	return line[at+len(n.Value):][:1]
}
