package edit

import "strings"

// cutEnding takes the line ending off a line.
func cutEnding(line string) (text, ending string) {
	text, ok := strings.CutSuffix(line, "\n")
	if !ok {
		return line, ""
	}
	if bare, ok := strings.CutSuffix(text, "\r"); ok {
		return bare, "\r\n"
	}
	return text, "\n"
}

// firstEnding is the ending of the first line that has one, else "".
func firstEnding(content string) string {
	_, ending := cutEnding(content[:strings.IndexByte(content, '\n')+1])
	return ending
}

// lastEnding is the ending of the last line that has one, else "".
func lastEnding(content string) string {
	_, ending := cutEnding(content[:strings.LastIndexByte(content, '\n')+1])
	return ending
}

// unified gives a text line feeds only.
func unified(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// withEnding gives the lines of a unified text a file's ending.
func withEnding(text, ending string) string {
	if ending != "\r\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", ending)
}
