package edit

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// context is how many lines a diff shows around a change.
const context = 3

// Diff writes what Write will do as a unified diff, with the paths that the changes
// named. What hide gives is shown instead of each line, be it changed or context:
// files hold secrets. It gets a line without ending and byte order mark, as it was or
// as it shall be; nil shows lines as they are. A secret of several lines has to be
// known by hide from each of them.
//
// Endings are written as they are in the file, the CR of a CR LF too: patch(1) needs
// them, and on a terminal a CR before a LF is not seen. Other control characters are
// left to hide. Errors are those of w.
func (s *Set) Diff(w io.Writer, hide func(line string) string) error {
	if hide == nil {
		hide = func(line string) string { return line }
	}
	var out strings.Builder
	for _, f := range s.files {
		if !f.changed() {
			continue
		}
		from := header("a", f.path)
		if f.missing {
			from = "/dev/null"
		}
		fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, header("b", f.path))
		old := lines(f.old)
		shift := 0 // lines that the blocks so far have added
		for _, h := range hunks(f.blocks()) {
			shift += h.write(&out, old, shift, hide)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// header writes a path as Git and patch(1) read it.
func header(side, path string) string {
	path = side + "/" + strings.TrimPrefix(path, "/")
	if quoted := strconv.QuoteToGraphic(path); quoted != `"`+path+`"` {
		return quoted
	}
	if strings.Contains(path, " ") {
		return path + "\t" // else a date might begin at the blank
	}
	return path
}

// hunk is a run of blocks with so little between them that their context meets.
type hunk []block

func hunks(blocks []block) []hunk {
	var out []hunk
	for i, b := range blocks {
		if i > 0 && b.at-blocks[i-1].end() <= 2*context {
			out[len(out)-1] = append(out[len(out)-1], b)
			continue
		}
		out = append(out, hunk{b})
	}
	return out
}

// write shows a hunk and returns how many lines it adds.
func (h hunk) write(out *strings.Builder, old []string, shift int, hide func(string) string) (added int) {
	from := max(h[0].at-context, 0)
	to := min(h[len(h)-1].end()+context, len(old))
	for _, b := range h {
		added += len(b.new) - len(b.old)
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(from, to-from), span(from+shift, to-from+added))
	show := func(sign string, lines []string) {
		for _, line := range lines {
			out.WriteString(sign + shown(line, hide))
		}
	}
	for _, b := range h {
		show(" ", old[from:b.at])
		show("-", b.old)
		show("+", b.new)
		from = b.end()
	}
	show(" ", old[from:to])
	return added
}

// span writes a range of lines as unified diffs do: an empty one names the line before.
func span(from, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}

func shown(line string, hide func(string) string) string {
	mark := ""
	if rest, ok := strings.CutPrefix(line, bom); ok {
		mark, line = bom, rest
	}
	text, ending := cutEnding(line)
	text = mark + hide(text) + ending
	if ending == "" {
		text += "\n\\ No newline at end of file\n"
	}
	return text
}
