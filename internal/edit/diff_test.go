package edit

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	tests := []struct {
		name    string
		file    string
		old     string // "": the file is made
		changes []Change
		want    string
	}{
		{
			"one line", "all.yml", ten,
			[]Change{swap(5, 1, "5", "five")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
		},
		{
			"two lines in one hunk", "all.yml", ten,
			[]Change{swap(1, 1, "1", "one"), swap(8, 1, "8", "eight")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -1,10 +1,10 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+eight\n 9\n 10\n",
		},
		{
			"two hunks, the second moved", "all.yml", ten,
			[]Change{insert(1, "0\n"), swap(9, 1, "9\n", "")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -6,5 +7,4 @@\n 6\n 7\n 8\n-9\n 10\n",
		},
		{
			"neighbours", "all.yml", "1\n2\n",
			[]Change{swap(1, 1, "1", "one"), swap(2, 1, "2", "two")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -1,2 +1,2 @@\n-1\n-2\n+one\n+two\n",
		},
		{
			"no final newline", "all.yml", "1\n2",
			[]Change{swap(2, 1, "2", "two")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+two\n\\ No newline at end of file\n",
		},
		{
			"the newline that was missing", "all.yml", "1",
			[]Change{insert(2, "2\n")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -1 +1,2 @@\n-1\n\\ No newline at end of file\n+1\n+2\n",
		},
		{
			"CR LF", "all.yml", "1\r\n2\r\n",
			[]Change{swap(2, 1, "2", "two")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+two\r\n",
		},
		{
			"all goes", "all.yml", "1\n",
			[]Change{swap(1, 1, "1\n", "")},
			"--- a/all.yml\n+++ b/all.yml\n@@ -1 +0,0 @@\n-1\n",
		},
		{
			"new file", "all.yml", "",
			[]Change{insert(1, "1\n2\n")},
			"--- /dev/null\n+++ b/all.yml\n@@ -0,0 +1,2 @@\n+1\n+2\n",
		},
		{
			"a blank in the name", "my all.yml", "1\n",
			[]Change{swap(1, 1, "1", "2")},
			"--- a/my all.yml\t\n+++ b/my all.yml\t\n@@ -1 +1 @@\n-1\n+2\n",
		},
		{
			"a line feed in the name", "a\nb", "1\n",
			[]Change{swap(1, 1, "1", "2")},
			"--- \"a/a\\nb\"\n+++ \"b/a\\nb\"\n@@ -1 +1 @@\n-1\n+2\n",
		},
		{"nothing to do", "all.yml", "1\n", []Change{swap(1, 1, "1", "1")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if tt.old != "" {
				put(t, ".", tt.file, tt.old, 0o644)
			}
			for i := range tt.changes {
				tt.changes[i].File = tt.file
			}
			if diff := cmp.Diff(tt.want, show(t, plan(t, tt.changes...), nil)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDiffHides(t *testing.T) {
	path := put(t, t.TempDir(), "all.yml", bom+"password: a\r\nport: 1\r\npassword: b", 0o644)
	set := plan(t, Change{path, 2, 7, "1", "2"}, Change{path, 3, 11, "b", "c"})
	got := show(t, set, func(line string) string {
		if strings.HasPrefix(line, "password: ") && len(line) == len("password: x") {
			return "password: …"
		}
		return line
	})
	want := "--- a" + path + "\n+++ b" + path + "\n@@ -1,3 +1,3 @@\n " + bom + "password: …\r\n" +
		"-port: 1\r\n-password: …\n\\ No newline at end of file\n+port: 2\r\n+password: …\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestDiffWriterFails(t *testing.T) {
	path := put(t, t.TempDir(), "all.yml", "a\n", 0o644)
	if err := plan(t, Change{path, 1, 1, "a", "b"}).Diff(broken{}, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func show(t *testing.T, set *Set, hide func(string) string) string {
	t.Helper()
	var out strings.Builder
	if err := set.Diff(&out, hide); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// checkDiff applies the diff of a set of one file to old as patch(1) would.
func checkDiff(t *testing.T, set *Set, old, want string) {
	t.Helper()
	text := show(t, set, nil)
	got, err := patch(old, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", text, diff)
	}
}

func patch(old, diff string) (string, error) {
	from, out := lines(old), []string{}
	rest := strings.SplitAfter(strings.ReplaceAll(diff, "\n\\ No newline at end of file\n", "\x00"), "\n")
	var split []string // a line without line feed ends at the mark
	for _, line := range rest {
		split = append(split, strings.SplitAfter(line, "\x00")...)
	}
	at := 0
	for i, line := range split {
		switch {
		case line == "" || i < 2:
		case strings.HasPrefix(line, "@@ "):
			var a, an, b, bn int
			header := strings.NewReplacer("@", "", ",", " ").Replace(full(line))
			if _, err := fmt.Sscan(header, &a, &an, &b, &bn); err != nil {
				return "", fmt.Errorf("%q: %w", line, err)
			}
			a, b = -a, b-1
			if an > 0 {
				a--
			}
			if bn == 0 {
				b++
			}
			out = append(out, from[at:a]...)
			if at = a; len(out) != b {
				return "", fmt.Errorf("%q: %d lines so far", line, len(out))
			}
		case line[0] == '+':
			out = append(out, strings.TrimSuffix(line[1:], "\x00"))
		default:
			if line = strings.TrimSuffix(line, "\x00"); from[at] != line[1:] {
				return "", fmt.Errorf("line %d is %q, the diff has %q", at+1, from[at], line)
			}
			if line[0] == ' ' {
				out = append(out, from[at])
			}
			at++
		}
	}
	return strings.Join(append(out, from[at:]...), ""), nil
}

// full gives a hunk header the counts of 1 that it leaves out.
func full(header string) string {
	words := strings.Fields(header)
	for i, w := range words {
		if w != "@@" && !strings.Contains(w, ",") {
			words[i] += ",1"
		}
	}
	return strings.Join(words, " ")
}
