package kubespray

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Checkout is a Kubespray directory. It is safe for concurrent use, and reads each
// file at most once.
type Checkout struct {
	Dir string // absolute

	docs       documents
	texts      texts
	sampleOnce sync.Once
	sample     map[string]bool // what inventory/sample sets
	cache      manifestCache
	typesOnce  sync.Once
	types      *Types
	typesErr   error
}

// Open takes dir as a checkout. It fails with a [NotACheckoutError] where dir does
// not look like one.
func Open(dir string) (*Checkout, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("make the checkout's path %q absolute: %w", dir, err)
	}
	if lacks := lacking(abs); lacks != "" {
		return nil, &NotACheckoutError{Dir: dir, Lacks: lacks}
	}
	return &Checkout{Dir: abs}, nil
}

// RolesPath is the directory of the checkout's roles.
func (c *Checkout) RolesPath() string { return filepath.Join(c.Dir, "roles") }

// Library lists the directories that hold the checkout's own modules.
func (c *Checkout) Library() []string {
	var dirs []string
	for _, sub := range []string{"library", filepath.Join("plugins", "modules")} {
		if isDir(filepath.Join(c.Dir, sub)) {
			dirs = append(dirs, filepath.Join(c.Dir, sub))
		}
	}
	return dirs
}

// ConfigFile is the checkout's ansible.cfg, or "" when it has none.
func (c *Checkout) ConfigFile() string {
	path := filepath.Join(c.Dir, "ansible.cfg")
	if !isFile(path) {
		return ""
	}
	return path
}

// Requirements returns the path and the content of requirements.txt, from which
// the Ansible environment of this checkout is made.
func (c *Checkout) Requirements() (string, []byte, error) {
	path := filepath.Join(c.Dir, "requirements.txt")
	content, err := os.ReadFile(path)
	if err != nil {
		return path, nil, fmt.Errorf("read what the checkout asks for: %w", err)
	}
	return path, content, nil
}

// Playbook resolves the name of a playbook: in the current directory first, then
// in the checkout. It returns an absolute path, or a [PlaybookError].
func (c *Checkout) Playbook(name, cwd string) (string, error) {
	if filepath.IsAbs(name) {
		if isFile(name) {
			return filepath.Clean(name), nil
		}
		return "", &PlaybookError{Name: name, Looked: []string{name}}
	}
	looked := []string{filepath.Join(cwd, name), filepath.Join(c.Dir, name)}
	for _, path := range looked {
		if isFile(path) {
			return filepath.Abs(path)
		}
	}
	return "", &PlaybookError{Name: name, Looked: looked, Has: c.playbooks()}
}

func (c *Checkout) playbooks() []string {
	found, _ := filepath.Glob(filepath.Join(c.Dir, "*.yml"))
	var names []string
	for _, path := range found {
		if doc := c.docs.get(path); doc.err == nil && len(items(doc.root)) > 0 {
			names = append(names, filepath.Base(path))
		}
	}
	return names
}

// rel is a path below the checkout with slashes, or the path itself outside it.
func (c *Checkout) rel(path string) string {
	rel, err := filepath.Rel(c.Dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.ToSlash(rel)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
