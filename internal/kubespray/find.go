package kubespray

import (
	"os"
	"path/filepath"
)

// FindOptions says where to look for a checkout.
type FindOptions struct {
	Flag     string // --kubespray
	Env      string // KUBESPRAY_DIR
	Playbook string // as the user wrote it; may not exist
	Cwd      string // absolute
}

// Find returns the checkout's directory and, in a few words, how it was found. The
// order: the flag, the environment, the nearest parent of the playbook, of the
// current directory, and last a direct child of the current directory (a
// submodule). The errors are [NotACheckoutError] for a directory that was named,
// [AmbiguousError] for two children, [NoCheckoutError] for none.
func Find(o FindOptions) (dir, how string, err error) {
	for _, named := range []struct{ dir, from string }{{o.Flag, "--kubespray"}, {o.Env, "KUBESPRAY_DIR"}} {
		if named.dir == "" {
			continue
		}
		dir := below(o.Cwd, named.dir)
		if lacks := lacking(dir); lacks != "" {
			return "", "", &NotACheckoutError{Dir: named.dir, From: named.from, Lacks: lacks}
		}
		return dir, named.from, nil
	}
	if o.Playbook != "" {
		playbook := below(o.Cwd, o.Playbook)
		if target, err := filepath.EvalSymlinks(playbook); err == nil && isFile(target) {
			for _, path := range []string{playbook, target} {
				if dir := parent(filepath.Dir(path)); dir != "" {
					return dir, "parent of " + o.Playbook, nil
				}
			}
		}
	}
	if dir := parent(o.Cwd); dir != "" {
		if dir == filepath.Clean(o.Cwd) {
			return dir, "current directory", nil
		}
		return dir, "parent of the current directory", nil
	}
	return child(o.Cwd)
}

// child looks one level below dir.
func child(dir string) (string, string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", "", &NoCheckoutError{Looked: []string{dir}}
	}
	var found []string
	seen := map[string]bool{} // a link to a sibling is no second checkout
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if lacking(path) != "" {
			continue
		}
		target, err := filepath.EvalSymlinks(path)
		if err != nil || !seen[target] {
			found = append(found, entry.Name())
		}
		seen[target] = true
	}
	switch len(found) {
	case 0:
		return "", "", &NoCheckoutError{Looked: []string{dir}}
	case 1:
		return filepath.Join(dir, found[0]), "child of the current directory", nil
	}
	return "", "", &AmbiguousError{Dir: dir, Children: found}
}

// parent returns dir or the nearest directory above it that is a checkout.
func parent(dir string) string {
	for {
		if lacking(dir) == "" {
			return filepath.Clean(dir)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// lacking names what dir misses to be a checkout, or returns "".
func lacking(dir string) string {
	for _, sub := range []string{"roles/kubespray_defaults", "playbooks"} {
		if !isDir(filepath.Join(dir, filepath.FromSlash(sub))) {
			return sub
		}
	}
	return ""
}

func below(cwd, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}
