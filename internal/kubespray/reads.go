package kubespray

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// How says in which way the checkout reads a variable: what a text in the place of a
// boolean does there hangs on it.
type How int

// The ways of reading.
const (
	ReadOther     How = iota // rendered, compared, handed on
	ReadBool                 // "x | bool": a text is understood
	ReadCondition            // alone in a when, until, that: any text is an error from core 2.19 on
	ReadNegated              // "not x": a text is true, without an error
	ReadTemplate             // {% if x %} or "a if x else b": a text is true, without an error
	ReadNumber               // in arithmetic or a comparison of numbers
)

// Read is one place where the checkout reads a variable.
type Read struct {
	Name string // the variable, or one that has its value
	File string // below the checkout
	Line int    // of the task or the template's line; 0 where it is not known
	How  How
}

// Reads returns the places where roles and playbooks read a variable. A default or a
// value that is nothing but the variable hands its own readers on.
func (c *Checkout) Reads(name string) []Read { return c.reads(name, map[string]bool{}) }

func (c *Checkout) reads(name string, seen map[string]bool) []Read {
	if seen[name] || len(seen) > 20 {
		return nil
	}
	seen[name] = true
	var out []Read
	c.texts.load(c.Dir)
	for i, raw := range c.texts.raw {
		path := c.texts.files[i]
		if !hasWord(raw, name) {
			continue
		}
		r := reader{name: name, file: c.rel(path)}
		switch filepath.Ext(path) {
		case ".j2":
			r.template(string(raw), 1)
		case ".yml", ".yaml":
			if doc := c.docs.get(path); doc.err == nil {
				r.tree(doc.root, "", 60)
			}
		}
		out = append(out, r.out...)
		for _, heir := range r.heirs {
			out = append(out, c.reads(heir, seen)...)
		}
	}
	return out
}

// reader collects the places in one file.
type reader struct {
	name, file string
	out        []Read
	heirs      []string // variables whose value is this one
}

func (r *reader) add(line int, how How) { r.out = append(r.out, Read{r.name, r.file, line, how}) }

// tree looks at the scalars of a YAML file; key is the one that leads to n.
func (r *reader) tree(n *node, key string, depth int) {
	n = resolveAlias(n)
	if n == nil || depth == 0 {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			r.tree(n.Content[i+1], n.Content[i].Value, depth-1)
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			r.tree(item, key, depth-1)
		}
	case yaml.ScalarNode:
		r.scalar(n, key)
	}
}

func (r *reader) scalar(n *node, key string) {
	switch {
	case !strings.Contains(n.Value, r.name):
	case slices.Contains([]string{"when", "until", "failed_when", "changed_when", "that"}, key) && !isTemplate(n.Value):
		r.expression(n.Value, n.Line, ReadCondition)
	case pureReference(n.Value) == r.name && r.gives(key):
		r.heirs = append(r.heirs, key)
	case isTemplate(n.Value):
		r.template(n.Value, n.Line)
	}
}

// gives reports whether a key is a variable's: in a file of defaults or variables, or by the
// look of its name. A module's parameter hands nothing on.
func (r *reader) gives(key string) bool {
	return strings.Contains(r.file, "/defaults/") || strings.Contains(r.file, "/vars/") || strings.Contains(key, "_")
}

var templateBlock = regexp.MustCompile(`(?s)\{%-?\+?\s*(\w+)(.*?)-?%\}|\{\{(.*?)\}\}`)

// template looks at the blocks and expressions of a template.
func (r *reader) template(s string, line int) {
	for _, m := range templateBlock.FindAllStringSubmatchIndex(s, -1) {
		at := line + strings.Count(s[:m[0]], "\n")
		if m[6] >= 0 {
			r.expression(s[m[6]:m[7]], at, ReadOther)
			continue
		}
		how := ReadOther
		if word := s[m[2]:m[3]]; word == "if" || word == "elif" {
			how = ReadTemplate
		}
		r.expression(s[m[4]:m[5]], at, how)
	}
}

// expression classifies each time that the name stands in an expression; alone is what
// it means when nothing is done with it.
func (r *reader) expression(s string, line int, alone How) {
	if !strings.Contains(s, r.name) {
		return
	}
	tokens, _ := lex(s)
	for i, t := range tokens {
		if t.kind != 'n' || t.text != r.name || i > 0 && tokens[i-1].kind == 'o' && (tokens[i-1].text == "." || tokens[i-1].text == "|") {
			continue
		}
		if how := readAt(tokens, i, alone); how != ReadOther || alone == ReadOther {
			r.add(line, how)
		}
	}
}

// readAt looks at what stands around a name.
func readAt(tokens []token, i int, alone How) How {
	next := i + 1
	for next+1 < len(tokens) && tokens[next].text == "|" && tokens[next].kind == 'o' {
		switch filter := tokens[next+1].text; filter {
		case "bool":
			return ReadBool
		case "default", "d":
			next = afterCall(tokens, next+2)
		default:
			return ReadOther // int, string, lower: what comes out is no longer the text
		}
	}
	if next < len(tokens) {
		switch after := tokens[next]; {
		case after.kind == 'o' && slices.Contains([]string{"+", "-", "*", "/", "//", "%", "**", "<", ">", "<=", ">="}, after.text):
			return ReadNumber
		case after.kind == 'o' && slices.Contains([]string{"==", "!=", ".", "[", "~", "("}, after.text),
			after.kind == 'n' && (after.text == "is" || after.text == "in"),
			after.kind == 'n' && after.text == "not" && next+1 < len(tokens) && tokens[next+1].text == "in":
			return ReadOther
		}
	}
	if i > 0 {
		switch before := tokens[i-1]; {
		case before.kind == 'o' && slices.Contains([]string{"+", "-", "*", "/", "//", "%", "**", "<", ">", "<=", ">="}, before.text):
			return ReadNumber
		case before.kind == 'o' && slices.Contains([]string{"==", "!=", "~", "[", ",", "="}, before.text), before.kind == 'n' && before.text == "in":
			return ReadOther
		case before.kind == 'n' && before.text == "not":
			return ReadNegated
		}
	}
	if alone == ReadOther && betweenIfAndElse(tokens, i) {
		return ReadTemplate
	}
	return alone
}

// afterCall skips the arguments of a filter.
func afterCall(tokens []token, i int) int {
	if i >= len(tokens) || tokens[i].text != "(" {
		return i
	}
	depth := 0
	for ; i < len(tokens); i++ {
		if tokens[i].kind != 'o' {
			continue
		}
		switch tokens[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// betweenIfAndElse is true for the condition of "a if CONDITION else b".
func betweenIfAndElse(tokens []token, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if tokens[j].kind == 'n' {
			switch tokens[j].text {
			case "if":
				return true
			case "else":
				return false
			}
		}
	}
	return false
}
