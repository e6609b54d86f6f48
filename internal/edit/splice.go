package edit

import (
	"cmp"
	"slices"
	"strings"
)

// splice is a change by offsets: text replaces old[start:end].
type splice struct {
	change     Change
	start, end int
	text       string
	ending     string // of an insertion, for the line above it if that has none
	// newStart and newEnd are where text stands in the new content.
	newStart, newEnd int
}

// sort orders the splices by place. An insertion comes before a replacement that
// begins at the same byte.
func (f *file) sort() error {
	slices.SortStableFunc(f.splices, func(a, b splice) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	end, line := 0, 0
	for _, s := range f.splices {
		if s.start < end {
			return &OverlapError{File: f.path, Line: line, Second: s.change.Line}
		}
		end, line = s.end, s.change.Line
	}
	return nil
}

// splice makes the new content.
func (f *file) splice() {
	var out strings.Builder
	// begun is true when a line stands open at the end of out.
	begun := func() bool { return out.Len() > 0 && !strings.HasSuffix(out.String(), "\n") && out.String() != bom }
	at := 0
	for i := range f.splices {
		s := &f.splices[i]
		out.WriteString(f.old[at:s.start])
		s.newStart = out.Len()
		if s.change.insertion() && begun() {
			out.WriteString(cmp.Or(s.ending, "\n"))
		}
		out.WriteString(s.text)
		s.newEnd = out.Len()
		at = s.end
	}
	out.WriteString(f.old[at:])
	f.new = out.String()
}
