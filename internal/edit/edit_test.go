package edit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put writes a file into dir and returns its path.
func put(t *testing.T, dir, name, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
	return path
}

func get(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func plan(t *testing.T, changes ...Change) *Set {
	t.Helper()
	set, err := Plan(changes)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// names lists a directory: nothing temporary may stay.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func swap(line, column int, old, text string) Change {
	return Change{Line: line, Column: column, Old: old, New: text}
}

func insert(line int, text string) Change { return swap(line, 1, "", text) }

func TestContent(t *testing.T) {
	tests := []struct {
		name    string
		old     string
		changes []Change
		want    string
	}{
		{"LF", "# c\nkey:   old  # why\nz: 1\n", []Change{swap(2, 8, "old", "new")}, "# c\nkey:   new  # why\nz: 1\n"},
		{"CR LF", "a: 1\r\nb: 2\r\n", []Change{swap(2, 4, "2", "3")}, "a: 1\r\nb: 3\r\n"},
		{"mixed", "a: 1\r\nb: 2\nc: 3\r\n", []Change{swap(1, 4, "1", "x"), swap(2, 4, "2", "y")}, "a: x\r\nb: y\nc: 3\r\n"},
		{"byte order mark", bom + "a: 1\n", []Change{swap(1, 1, "a", "b")}, bom + "b: 1\n"},
		{"no final newline", "a: 1\nb: 2", []Change{swap(2, 4, "2", "3")}, "a: 1\nb: 3"},
		{"column counts bytes", "é: 1\n", []Change{swap(1, 5, "1", "2")}, "é: 2\n"},
		{"the lone CR is a byte", "a\rb\n", []Change{swap(1, 3, "b", "c")}, "a\rc\n"},
		{"two in a line", "a b c\n", []Change{swap(1, 1, "a", "long"), swap(1, 5, "c", "longer")}, "long b longer\n"},
		{"two in a line, told backwards", "a b c\n", []Change{swap(1, 5, "c", ""), swap(1, 1, "a", "long")}, "long b \n"},
		{"two that touch", "ab\n", []Change{swap(1, 2, "b", "B"), swap(1, 1, "a", "A")}, "AB\n"},
		{"the same text", "a\n", []Change{swap(1, 1, "a", "a")}, "a\n"},

		{"remove a line", "a\nb\nc\n", []Change{swap(2, 1, "b\n", "")}, "a\nc\n"},
		{"remove a line, CR LF", "a\r\nb\r\nc\r\n", []Change{swap(2, 1, "b\n", "")}, "a\r\nc\r\n"},
		{"remove the last line", "a\nb", []Change{swap(2, 1, "b\n", "")}, "a\n"},
		{"replace the last line", "a\nb", []Change{swap(2, 1, "b\n", "c\n")}, "a\nc"},
		{"lines for lines", "a\r\nb\nc\n", []Change{swap(1, 1, "a\nb\n", "x\r\ny\nz\n")}, "x\r\ny\r\nz\r\nc\n"},
		{"one line into two", "a: [1]\r\nb: 2", []Change{swap(1, 4, "[1]", "\n- 1")}, "a: \r\n- 1\r\nb: 2"},

		{"insert first", "a\n", []Change{insert(1, "x\n")}, "x\na\n"},
		{"insert first, behind the mark", bom + "a\r\n", []Change{insert(1, "x\n")}, bom + "x\r\na\r\n"},
		{"insert in the middle, mixed", "a\r\nb\nc\n", []Change{insert(2, "x\n"), insert(3, "y\n")}, "a\r\nx\r\nb\ny\nc\n"},
		{"insert at the end", "a\r\nb\r\n", []Change{insert(3, "x\ny\r\n")}, "a\r\nb\r\nx\r\ny\r\n"},
		{"insert behind a missing newline", "a\r\nb", []Change{insert(3, "x\n")}, "a\r\nb\r\nx\r\n"},
		{"insert behind the only line", "a", []Change{insert(2, "x\n")}, "a\nx\n"},
		{"insert into nothing", "", []Change{insert(1, "x\n")}, "x\n"},
		{"insert behind a mark alone", bom, []Change{insert(1, "x\n")}, bom + "x\n"},
		{"the order given", "a", []Change{insert(2, "x\n"), insert(2, "y\n"), insert(1, "w\n")}, "w\na\nx\ny\n"},
		{"before a line that changes", "a\n", []Change{swap(1, 1, "a", "b"), insert(1, "x\n")}, "x\nb\n"},
		{"in place of the last line", "a\nb", []Change{swap(2, 1, "b\n", ""), insert(3, "x\n")}, "a\nx\n"},
		{"behind a line that lost its newline", "a\nb\n", []Change{swap(2, 1, "b\n", "c"), insert(3, "x\n")}, "a\nc\nx\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := put(t, dir, "all.yml", tt.old, 0o644)
			for i := range tt.changes {
				tt.changes[i].File = path
			}
			set := plan(t, tt.changes...)
			if set.Empty() != (tt.old == tt.want) {
				t.Errorf("Empty() = %v", set.Empty())
			}
			if get(t, path) != tt.old {
				t.Error("Plan wrote")
			}
			checkDiff(t, set, tt.old, tt.want)
			if err := set.Write(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, get(t, path)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"all.yml"}, names(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPlanRefuses(t *testing.T) {
	dir := t.TempDir()
	path := put(t, dir, "all.yml", "one: s3cret\ntwo: 2", 0o644)
	wide := put(t, dir, "wide.yml", "\xff\xfea\x00\n\x00", 0o644)
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	at := func(file string, changes ...Change) []Change {
		for i := range changes {
			changes[i].File = file
		}
		return changes
	}
	tests := []struct {
		name    string
		changes []Change
		want    string
	}{
		{"other text", at(path, swap(1, 6, "other", "x")), "all.yml:1 is not as it was"},
		{"other column", at(path, swap(1, 5, "s3cret", "x")), "all.yml:1 is not as it was"},
		{"column behind the line", at(path, swap(1, 13, "\n", "x")), "all.yml:1 is not as it was"},
		{"column far behind the line", at(path, swap(1, 1<<62, "x", "y")), "all.yml:1 is not as it was"},
		{"line behind the file", at(path, swap(3, 1, "two", "x")), "all.yml:3 is not as it was"},
		{"text behind the file", at(path, swap(2, 6, "2\nx", "x")), "all.yml:2 is not as it was"},
		{"insert far behind the file", at(path, insert(4, "x\n")), "all.yml:4 is not as it was"},
		{"insert into a new file", at(dir+"/new.yml", insert(2, "x\n")), "new.yml:2 is not as it was"},
		{"text of a new file", at(dir+"/new.yml", swap(1, 1, "x", "y")), "new.yml:1 is not as it was"},

		{"the same twice", at(path, swap(1, 1, "one", "x"), swap(1, 1, "one", "x")), "lines 1 and 1"},
		{"overlap", at(path, swap(1, 2, "ne", "x"), swap(1, 1, "on", "x")), "lines 1 and 1"},
		{"insert into what is replaced", at(path, swap(1, 6, "s3cret\ntwo", "x"), insert(2, "x\n")), "lines 1 and 2"},

		{"no file", at("", insert(1, "x\n")), "names no file"},
		{"line 0", at(path, insert(0, "x\n")), "count from 1"},
		{"half a line", at(path, insert(1, "x")), "whole lines"},
		{"insert in a line", at(path, swap(1, 2, "", "x\n")), "whole lines"},
		{"directory", at(dir, insert(1, "x\n")), "no regular file"},
		{"no directory", at(dir+"/no/new.yml", insert(1, "x\n")), "mkdir -p " + dir + "/no"},
		{"below a file", at(path+"/new.yml", insert(1, "x\n")), "cannot be reached"},
		{"link to nowhere", at(dir+"/dangling", insert(1, "x\n")), "make that file"},
		{"UTF-16", at(wide, insert(1, "x\n")), "save it as UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Plan(tt.changes)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the message quotes the file: %v", err)
			}
			var conflict *ConflictError
			if errors.As(err, &conflict) != strings.Contains(tt.want, "not as it was") {
				t.Errorf("got %T", err)
			}
			var overlap *OverlapError
			if errors.As(err, &overlap) != strings.Contains(tt.want, " and ") {
				t.Errorf("got %T", err)
			}
		})
	}
}
