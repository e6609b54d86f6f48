package edit

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// Many changes of one file, of every kind, side by side: the diff says what is written.
func TestManyChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) // the same each time
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	word := func() string { return one("a", "b", "aa", "", "a\r") }
	planned := 0
	for range 5000 {
		content := one("", "", bom)
		for range r.IntN(25) {
			content += word() + one("\n", "\n", "\r\n")
		}
		content += one("", "z")
		starts := lineStarts(content)
		f := &file{path: "f", old: content}
		for range 1 + r.IntN(5) {
			c := Change{File: "f", Line: 1 + r.IntN(len(starts)+1), Column: 1, New: word() + "\n"}
			if c.Line <= len(starts) {
				start := starts[c.Line-1]
				end := lineEnd(content, start)
				line, _ := cutEnding(content[start:end])
				switch kind := r.IntN(4); {
				case kind == 0 && line != "":
					c.Column = 1 + r.IntN(len(line))
					c.Old, c.New = line[c.Column-1:c.Column], one(word(), "\n")
				case kind == 1:
					c.Old, c.New = content[start:end], one("", word(), word()+"\n")
				case kind == 2:
					c.Old, c.New = content[start:lineEnd(content, end)], one("", word(), word()+"\n")
				}
			}
			s, ok := locate(content, starts, c)
			if !ok {
				t.Fatalf("%q: %+v not found", content, c)
			}
			f.changes, f.splices = append(f.changes, c), append(f.splices, s)
		}
		var overlap *OverlapError
		if err := f.sort(); errors.As(err, &overlap) {
			continue
		}
		planned++
		f.splice()
		if checkDiff(t, &Set{files: []*file{f}}, content, f.new); t.Failed() {
			t.Fatalf("%q: %+v", content, f.changes)
		}
		if f.new != "" && strings.HasPrefix(content, bom) && !strings.HasPrefix(f.new, bom) {
			t.Fatalf("%q: the mark is gone: %q", content, f.new)
		}
	}
	if planned < 1000 {
		t.Errorf("only %d of 5000 had no overlap", planned)
	}
}
