package edit

import (
	"os"
	"strings"
	"testing"
)

// FuzzChange takes any bytes of any content as what is to be replaced. All outside
// them stays byte for byte, and a diff says just that.
func FuzzChange(f *testing.F) {
	f.Add("a: 1\nb: 2\n", 1, 3, 1, "x", "c: 3\n")
	f.Add("a: 1\r\nb: 2", 1, 3, 9, "", "c: 3\n")
	f.Add(bom+"a\rb\n\n\r\n", 0, 0, 2, "x\r", "\n")
	f.Add("", 0, 0, 0, "", "\r\n")
	f.Add("x\ny\n", 1, 1, 1, "\xff", "\\ No newline at end of file\n")
	f.Fuzz(func(t *testing.T, content string, line, column, length int, text, inserted string) {
		if utf16(content) || strings.Contains(content+text+inserted, "\x00") {
			t.Skip("no text, or the mark of the test's own patch")
		}
		path := put(t, t.TempDir(), "f", content, 0o600)
		// Line breaks in Old and New follow the file; TestContent has them.
		text = strings.NewReplacer("\r\n", "", "\n", "").Replace(text)
		inserted = strings.ReplaceAll(inserted, "\r", "") + "\n"

		var changes []Change
		prefix, old, suffix := content, "", ""
		starts := lineStarts(content)
		if n := len(starts); n > 0 {
			line = int(uint(line) % uint(n))
			whole, _ := cutEnding(content[starts[line]:lineEnd(content, starts[line])])
			column = int(uint(column) % uint(len(whole)+1))
			length = int(uint(length) % uint(len(whole)-column+1))
			old = whole[column : column+length]
			prefix, suffix = content[:starts[line]+column], content[starts[line]+column+length:]
		}
		if old == "" {
			text = ""
		} else {
			changes = append(changes, Change{path, line + 1, column + 1, old, text})
		}
		want := prefix + text + suffix
		set := plan(t, changes...)
		if len(changes) > 0 {
			checkDiff(t, set, content, want)
		}
		// The same with lines added at the end, after that change was made.
		if err := set.Write(); err != nil {
			t.Fatal(err)
		}
		if got := get(t, path); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if utf16(want) {
			return
		}
		set = plan(t, Change{path, len(lineStarts(want)) + 1, 1, "", inserted})
		added, ok := strings.CutPrefix(set.files[0].new, want)
		if !ok {
			t.Fatalf("got %q for %q", set.files[0].new, want)
		}
		if bare := strings.TrimPrefix(unified(added), "\n"); unified(added) != inserted && bare != inserted {
			t.Errorf("added %q, want %q", added, inserted)
		}
		checkDiff(t, set, want, set.files[0].new)
	})
}
