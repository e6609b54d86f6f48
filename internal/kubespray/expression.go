package kubespray

import (
	"strings"
	"unicode"
)

// token is one word of a Jinja expression.
type token struct {
	kind rune   // 'n' name, 's' string, 'i' integer, 'f' float, 'o' operator, 0 end
	text string // the name, the string without its quotes, or the operator
}

// onlyExpression returns what stands between {{ and }} when the text is that and
// nothing else.
func onlyExpression(s string) (string, bool) {
	if !strings.HasPrefix(s, "{{") || !strings.HasSuffix(s, "}}") || len(s) < 4 {
		return "", false
	}
	inner := s[2 : len(s)-2]
	if strings.Contains(inner, "{{") || strings.Contains(inner, "}}") || strings.Contains(inner, "{%") {
		return "", false
	}
	inner = strings.TrimSuffix(strings.TrimPrefix(inner, "-"), "-")
	return strings.TrimSpace(inner), true
}

// pureReference returns the name in "{{ name }}", or "".
func pureReference(s string) string {
	inner, ok := onlyExpression(s)
	if !ok || !isName(inner) {
		return ""
	}
	return inner
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// lex splits an expression; ok is false when something is not understood.
func lex(s string) (tokens []token, ok bool) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '\'' || c == '"':
			end := closing(s, i)
			if end < 0 {
				return nil, false
			}
			tokens = append(tokens, token{'s', s[i+1 : end]})
			i = end + 1
		case c == '_' || isASCIILetter(c):
			end := span(s, i, func(c byte) bool { return c == '_' || isASCIILetter(c) || isDigit(c) })
			tokens = append(tokens, token{'n', s[i:end]})
			i = end
		case isDigit(c):
			end := span(s, i, func(c byte) bool { return isDigit(c) || c == '.' || c == '_' })
			kind := 'i'
			if strings.Contains(s[i:end], ".") {
				kind = 'f'
			}
			tokens = append(tokens, token{kind, s[i:end]})
			i = end
		default:
			op := operator(s[i:])
			if op == "" {
				return nil, false
			}
			tokens = append(tokens, token{'o', op})
			i += len(op)
		}
	}
	return tokens, true
}

func operator(s string) string {
	for _, op := range []string{"==", "!=", "<=", ">=", "//", "**", "<", ">", "+", "-", "*", "/", "%", "~", "|", "(", ")", "[", "]", "{", "}", ",", ":", ".", "="} {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// closing finds the quote that ends the string that starts at i.
func closing(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case s[i]:
			return j
		}
	}
	return -1
}

func span(s string, i int, in func(byte) bool) int {
	for i < len(s) && in(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool       { return '0' <= c && c <= '9' }
func isASCIILetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// Identifiers lists the names of variables in a condition, each once.
func Identifiers(condition string) []string { return identifiers(condition) }

// identifiers lists the names in a condition in order, each once: no strings, no
// attributes, no filters, no words of the language.
func identifiers(condition string) []string {
	tokens, _ := lex(condition)
	seen := map[string]bool{}
	var names []string
	for i, t := range tokens {
		if t.kind != 'n' || seen[t.text] || jinjaWord(t.text) {
			continue
		}
		if i > 0 && (tokens[i-1].text == "." || tokens[i-1].text == "|") && tokens[i-1].kind == 'o' {
			continue
		}
		if i > 0 && tokens[i-1].kind == 'n' && tokens[i-1].text == "is" {
			continue
		}
		seen[t.text] = true
		names = append(names, t.text)
	}
	return names
}

func jinjaWord(s string) bool {
	switch s {
	case "and", "or", "not", "in", "is", "if", "else", "true", "false", "True", "False", "none", "None":
		return true
	}
	return false
}
