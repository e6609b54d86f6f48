package kubespray

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// wordIndex says in which files of the checkout a word stands. It is made once, when
// something asks for a name that no role gives a default.
type wordIndex struct {
	once   sync.Once
	files  []string           // absolute
	raw    [][]byte           // their content
	byWord map[string][]int32 // indexes of files, ascending
}

// Knows reports whether a name stands anywhere in the checkout's roles and playbooks, be
// it in a comment: a variable that is in no file there has no effect on them.
func (c *Checkout) Knows(name string) bool {
	return len(c.words.having(c, name)) > 0
}

func (w *wordIndex) load(c *Checkout) {
	w.once.Do(func() {
		for _, dir := range []string{"roles", "playbooks", "extra_playbooks"} {
			_ = filepath.WalkDir(filepath.Join(c.Dir, dir), func(path string, entry fs.DirEntry, err error) error {
				if err == nil && entry.Type().IsRegular() && slices.Contains([]string{".yml", ".yaml", ".j2", ".json", ".sh", ".py", ".cfg", ".conf"}, filepath.Ext(path)) && filepath.Base(path) != "checksums.yml" {
					w.files = append(w.files, path)
				}
				return nil // what cannot be read has no words for us
			})
		}
		w.index()
	})
}

// index reads the files on all processors and joins what each has found.
func (w *wordIndex) index() {
	w.raw = make([][]byte, len(w.files))
	found := make([][]string, len(w.files))
	each(len(w.files), func(i int) {
		raw, err := os.ReadFile(w.files[i])
		if err != nil {
			return
		}
		w.raw[i] = raw
		seen := map[string]bool{}
		eachWord(raw, func(word []byte) {
			if !seen[string(word)] {
				s := string(word)
				seen[s] = true
				found[i] = append(found[i], s)
			}
		})
	})
	w.byWord = make(map[string][]int32, 20_000)
	for i, list := range found {
		for _, word := range list {
			w.byWord[word] = append(w.byWord[word], int32(i))
		}
	}
}

// eachWord calls f for every word with an underscore: nearly all names of variables have
// one, and few other words do.
func eachWord(raw []byte, f func([]byte)) {
	for i := 0; i < len(raw); {
		if c := raw[i]; c != '_' && !isASCIILetter(c) {
			i++
			continue
		}
		end, underscore := i, false
		for end < len(raw) && wordByte(raw[end]) {
			underscore = underscore || raw[end] == '_'
			end++
		}
		if underscore {
			f(raw[i:end])
		}
		i = end
	}
}

// having returns the files that hold a word.
func (w *wordIndex) having(c *Checkout, name string) []int32 {
	w.load(c)
	if strings.Contains(name, "_") {
		return w.byWord[name]
	}
	var found []int32
	for i, raw := range w.raw {
		if hasWord(raw, name) {
			found = append(found, int32(i))
		}
	}
	return found
}

// hasWord reports whether a word stands in a text by itself.
func hasWord(raw []byte, name string) bool {
	for at := 0; ; {
		i := bytes.Index(raw[at:], []byte(name))
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		if (i == 0 || !wordByte(raw[i-1])) && (end == len(raw) || !wordByte(raw[end])) {
			return true
		}
		at = end
	}
}

func wordByte(c byte) bool { return c == '_' || isASCIILetter(c) || isDigit(c) }

// Mentions returns the lines of the checkout's files that hold a word, trimmed.
func (c *Checkout) Mentions(name string) []string {
	var out []string
	for _, i := range c.words.having(c, name) {
		for line := range bytes.Lines(c.words.raw[i]) {
			if hasWord(line, name) {
				out = append(out, string(bytes.TrimSpace(line)))
			}
		}
	}
	return out
}
