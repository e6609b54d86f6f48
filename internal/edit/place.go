package edit

import "strings"

// bom marks a file as UTF-8. It stays first, whatever is inserted.
const bom = "\xef\xbb\xbf"

// utf16 is true for a text whose line feeds are not bytes of their own.
func utf16(content string) bool {
	return strings.HasPrefix(content, "\xff\xfe") || strings.HasPrefix(content, "\xfe\xff")
}

// lineStarts gives the offset of each line. Behind a final newline begins none.
func lineStarts(content string) []int {
	var starts []int
	next := 0
	if strings.HasPrefix(content, bom) {
		next = len(bom)
	}
	for next < len(content) {
		starts = append(starts, next)
		next = lineEnd(content, next)
	}
	return starts
}

// lineEnd is the offset behind the line feed of the line that holds at.
func lineEnd(content string, at int) int {
	if n := strings.IndexByte(content[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(content)
}

// lineBegin is the offset of the first byte of the line that holds at; a byte order
// mark is part of it.
func lineBegin(content string, at int) int {
	return strings.LastIndexByte(content[:at], '\n') + 1
}

// locate finds the bytes that a change replaces. It is false where they are not as
// the change says.
func locate(content string, starts []int, c Change) (splice, bool) {
	if c.insertion() {
		return locateInsertion(content, starts, c)
	}
	if c.Line > len(starts) {
		return splice{}, false
	}
	start := starts[c.Line-1]
	line, _ := cutEnding(content[start:lineEnd(content, start)])
	if c.Column-1 > len(line) {
		return splice{}, false
	}
	start += c.Column - 1
	end, cut, ok := match(content, start, unified(c.Old))
	if !ok {
		return splice{}, false
	}
	text := unified(c.New)
	if cut {
		text = strings.TrimSuffix(text, "\n") // the final newline stays missing
	}
	ending := firstEnding(content[start:])
	if ending == "" {
		ending = lastEnding(content[:start])
	}
	return splice{change: c, start: start, end: end, text: withEnding(text, ending)}, true
}

func locateInsertion(content string, starts []int, c Change) (splice, bool) {
	at := len(content)
	switch {
	case c.Line > len(starts)+1:
		return splice{}, false
	case c.Line <= len(starts):
		at = starts[c.Line-1]
	}
	ending := lastEnding(content[:at])
	if ending == "" {
		ending = firstEnding(content[at:])
	}
	return splice{change: c, start: at, end: at, text: withEnding(unified(c.New), ending), ending: ending}, true
}

// match gives the end of old, which has line feeds only, at start. It has cut the
// last line feed of old when the file ends without one.
func match(content string, start int, old string) (end int, cut, ok bool) {
	end = start
	for i := range len(old) {
		rest := content[end:]
		switch {
		case rest == "":
			// A line that has begun ends here; behind a final newline none has.
			atEnd := old[i:] == "\n" && !strings.HasSuffix(content, "\n")
			return end, atEnd, atEnd
		case old[i] == '\n' && strings.HasPrefix(rest, "\r\n"):
			end += 2
		case old[i] == rest[0]:
			end++
		default:
			return 0, false, false
		}
	}
	return end, false, true
}
