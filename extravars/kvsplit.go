package extravars

import "strings"

// item is a piece of a key=value argument, where Ansible cuts it.
type item struct {
	text string
	pos  int // where it starts in the argument, in bytes
}

// splitter cuts a key=value argument into items: at line feeds and at blanks, but not
// inside quotes and not inside the braces of a template. A tab does not cut.
type splitter struct {
	items []item
	buf   []byte // the text of the last item, still growing
	quote byte   // the open quote, or 0
	opens [3]int // how many {{, {% and {# are open
	start int    // where the open quote or brace is
}

// splitItems returns the items of an argument. balanced is false when a quote or a
// brace stays open; open is then where it starts.
func splitItems(arg string) (items []item, balanced bool, open int) {
	var s splitter
	pos := 0
	lines := strings.Split(arg, "\n")
	for i, line := range lines {
		continued := s.line(line, pos)
		if i < len(lines)-1 && !continued {
			s.extend("\n", pos+len(line))
		}
		pos += len(line) + 1
	}
	s.finish()
	return s.items, s.quote == 0 && s.opens == [3]int{}, s.start
}

// line adds the tokens of a line and reports whether it asks to be continued.
func (s *splitter) line(line string, pos int) (continued bool) {
	first := true
	for token := range strings.SplitSeq(line, " ") {
		switch {
		case token == `\` && s.quote == 0:
			continued = true
		case s.inside():
			if !first {
				s.extend(" ", pos)
			}
			s.extend(token, pos)
		case token == "":
			if !first {
				s.extend(" ", pos)
			}
		default:
			s.finish()
			s.items = append(s.items, item{pos: pos})
			s.buf = append(s.buf, token...)
		}
		s.track(token, pos)
		pos += len(token) + 1
		first = false
	}
	return continued
}

func (s *splitter) inside() bool { return s.quote != 0 || s.opens != [3]int{} }

// extend adds text to the last item, or begins one with it.
func (s *splitter) extend(text string, pos int) {
	if len(s.items) == 0 {
		s.items = append(s.items, item{pos: pos})
	}
	s.buf = append(s.buf, text...)
}

// finish stores the text of the last item.
func (s *splitter) finish() {
	if n := len(s.items); n > 0 {
		s.items[n-1].text = string(s.buf)
		s.buf = s.buf[:0]
	}
}

// track follows quotes and braces through a token.
func (s *splitter) track(token string, pos int) {
	if !strings.ContainsAny(token, `'"{}%#`) {
		return
	}
	was := s.inside()
	for i := range len(token) {
		c := token[i]
		if c != '\'' && c != '"' || i > 0 && token[i-1] == '\\' {
			continue
		}
		switch s.quote {
		case 0:
			s.quote = c
			if !was {
				s.start = pos + i
			}
		case c:
			s.quote = 0
		}
	}
	for i, pair := range [3][2]string{{"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}} {
		before := s.opens[i]
		s.opens[i] = max(0, before+strings.Count(token, pair[0])-strings.Count(token, pair[1]))
		if before == 0 && s.opens[i] > 0 && !was {
			s.start = pos + strings.LastIndex(token, pair[0])
		}
	}
}
