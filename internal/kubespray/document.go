package kubespray

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"gopkg.in/yaml.v3"
)

// node is what the YAML reader gives: a value with its line.
type node = yaml.Node

// document is one parsed YAML file. Root is nil for an empty file and for one
// that is encrypted as a whole.
type document struct {
	path string
	root *yaml.Node
	err  error
}

// documents reads every file once. It is safe for concurrent use.
type documents struct {
	mu   sync.Mutex
	byID map[string]*slot
}

type slot struct {
	once sync.Once
	doc  document
}

func (d *documents) get(path string) document {
	path = filepath.Clean(path)
	d.mu.Lock()
	if d.byID == nil {
		d.byID = make(map[string]*slot)
	}
	s, ok := d.byID[path]
	if !ok {
		s = &slot{}
		d.byID[path] = s
	}
	d.mu.Unlock()
	s.once.Do(func() { s.doc = readDocument(path) })
	return s.doc
}

// preload parses files on all processors; get then finds them ready.
func (d *documents) preload(paths []string) {
	each(len(paths), func(i int) { d.get(paths[i]) })
}

// each calls f for 0 to n-1 on all processors.
func each(n int, f func(int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		}()
	}
	wg.Wait()
}

func readDocument(path string) document {
	doc := document{path: path}
	raw, err := os.ReadFile(path)
	if err != nil {
		doc.err = err
		return doc
	}
	if bytes.HasPrefix(raw, []byte("$ANSIBLE_VAULT;")) {
		return doc
	}
	var root yaml.Node
	if err := yaml.Unmarshal(raw, &root); err != nil {
		doc.err = fmt.Errorf("%s: %w; mend the YAML, or put the release's own file back", path, err)
		return doc
	}
	if root.Kind == yaml.DocumentNode && len(root.Content) > 0 {
		doc.root = root.Content[0]
	}
	return doc
}

// firstYAML reads base.yml, base.yaml or base (Ansible's order) and returns a
// document without root when none exists.
func (d *documents) firstYAML(base string) document {
	for _, ext := range []string{".yml", ".yaml", ".json", ""} {
		doc := d.get(base + ext)
		if doc.err == nil || !missing(doc.err) {
			return doc
		}
	}
	return document{path: base + ".yml"}
}

// missing is true for a file that is not there, and for a directory of its name.
func missing(err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	var pathErr *fs.PathError
	return errors.As(err, &pathErr) && pathErr.Op == "read"
}
