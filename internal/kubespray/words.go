package kubespray

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// texts are the files of the checkout's roles and playbooks, read once when something asks
// where a word stands. A search goes through all of them: it takes about a millisecond.
type texts struct {
	once  sync.Once
	files []string // absolute
	raw   [][]byte // their content
}

// Knows reports whether a name stands anywhere in the checkout's roles and playbooks, be
// it in a comment: a variable that is in no file there has no effect on them.
func (c *Checkout) Knows(name string) bool {
	c.texts.load(c.Dir)
	return slices.ContainsFunc(c.texts.raw, func(raw []byte) bool { return hasWord(raw, name) })
}

// Mentions returns the lines of the checkout's files that hold a word, trimmed.
func (c *Checkout) Mentions(name string) []string {
	c.texts.load(c.Dir)
	var out []string
	for _, raw := range c.texts.raw {
		if !hasWord(raw, name) {
			continue
		}
		for line := range bytes.Lines(raw) {
			if hasWord(line, name) {
				out = append(out, string(bytes.TrimSpace(line)))
			}
		}
	}
	return out
}

func (t *texts) load(dir string) {
	t.once.Do(func() {
		for _, sub := range []string{"roles", "playbooks", "extra_playbooks"} {
			_ = filepath.WalkDir(filepath.Join(dir, sub), func(path string, entry fs.DirEntry, err error) error {
				if err == nil && entry.Type().IsRegular() && slices.Contains([]string{".yml", ".yaml", ".j2", ".json", ".sh", ".py", ".cfg", ".conf"}, filepath.Ext(path)) && filepath.Base(path) != "checksums.yml" {
					t.files = append(t.files, path)
				}
				return nil // what cannot be read has no words for us
			})
		}
		t.raw = make([][]byte, len(t.files))
		each(len(t.files), func(i int) { t.raw[i], _ = os.ReadFile(t.files[i]) })
	})
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
