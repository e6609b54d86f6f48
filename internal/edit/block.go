package edit

import (
	"slices"
	"strings"
)

// block is a run of lines that differ: new stands where old stood. Lines have their
// endings.
type block struct {
	at       int // the first line of old, from 0
	old, new []string
}

// end is the line behind the last one of old.
func (b block) end() int { return b.at + len(b.old) }

// blocks are the lines that the splices of a file touch. No search for what differs
// is needed: the places are known.
func (f *file) blocks() []block {
	var out []block
	for i := 0; i < len(f.splices); {
		first, last := f.splices[i], f.splices[i]
		from := lineBegin(f.old, first.start)
		to := lineEnd(f.old, last.end)
		for i++; i < len(f.splices); i++ {
			next := f.splices[i]
			if lineBegin(f.old, next.start) >= to && next.start > last.end {
				break
			}
			last, to = next, max(to, lineEnd(f.old, next.end))
		}
		// Between a splice and the end of its line the bytes are the same on both sides.
		b := block{
			at:  strings.Count(f.old[:from], "\n"),
			old: lines(f.old[from:to]),
			new: lines(f.new[first.newStart-(first.start-from) : last.newEnd+(to-last.end)]),
		}
		if b = b.trim(); len(b.old)+len(b.new) == 0 {
			continue
		}
		if n := len(out) - 1; n >= 0 && out[n].end() == b.at {
			out[n].old = slices.Concat(out[n].old, b.old)
			out[n].new = slices.Concat(out[n].new, b.new)
			continue
		}
		out = append(out, b)
	}
	return out
}

// trim leaves out the lines at both ends that are the same: a whole line that was
// inserted touches the next one without changing it.
func (b block) trim() block {
	for len(b.old) > 0 && len(b.new) > 0 && b.old[0] == b.new[0] {
		b.at, b.old, b.new = b.at+1, b.old[1:], b.new[1:]
	}
	for len(b.old) > 0 && len(b.new) > 0 && b.old[len(b.old)-1] == b.new[len(b.new)-1] {
		b.old, b.new = b.old[:len(b.old)-1], b.new[:len(b.new)-1]
	}
	return b
}

// lines splits a text behind its line feeds.
func lines(text string) []string { return slices.Collect(strings.Lines(text)) }
