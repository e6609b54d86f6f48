package inventory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/surespray/surespray/extravars"
)

// duplicates notes keys that stand twice in one mapping; the last one counts.
func (inv *Inventory) duplicates(shown string, list []extravars.Duplicate) {
	for _, d := range list {
		lines := make([]string, len(d.Lines))
		for i, l := range d.Lines {
			lines[i] = strconv.Itoa(l)
		}
		last := d.Lines[len(d.Lines)-1]
		inv.problem(Problem{
			Code: "duplicate-key", Place: Place{shown, last}, Key: d.Path[len(d.Path)-1],
			Message: fmt.Sprintf("%s stands on lines %s; line %d is in effect", strings.Join(d.Path, "."), strings.Join(lines, " and "), last),
			Fix:     "delete the stale line; keep one definition per key",
		})
	}
}

// ignoredFile notes a file whose ending Ansible does not read. An ending that somebody
// gave to a file to switch it off is no surprise.
func (inv *Inventory) ignoredFile(shown, ext string) {
	if slices.Contains([]string{
		".bak", ".orig", ".old", ".disabled", ".off", ".sample", ".example", ".dist", ".md", ".txt", ".rst", ".j2", ".swp", ".rej", ".sh", ".gpg", ".creds", ".pem", ".crt", ".key",
	}, ext) {
		return
	}
	inv.problem(Problem{
		Code: "vars-file-ignored", Place: Place{shown, 1},
		Message: fmt.Sprintf("Ansible does not read files that end in %s here", ext),
		Fix:     "rename it to .yml if it is meant to count",
	})
}

// unused notes what lies in group_vars or host_vars for nobody.
func (r *varsReader) unused(kind string) {
	if r.inv.Dynamic || len(r.inv.Hosts) == 0 {
		return // a script or a plugin may name them; without hosts nothing is read
	}
	what, code := "group", "group-vars-unused"
	if kind == "host_vars" {
		what, code = "host", "host-vars-unused"
	}
	for _, e := range r.entries {
		name := e.Name()
		ext := filepath.Ext(name)
		if r.used[name] || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
			continue
		}
		owner := name
		switch {
		case r.isDir(name):
			if isEmpty(filepath.Join(r.path, name)) {
				continue
			}
		case !slices.Contains(extensions(), ext):
			if r.inv.known(what, strings.TrimSuffix(name, ext)) {
				r.inv.ignoredFile(filepath.Join(r.shown, name), ext)
			}
			continue
		default:
			owner = strings.TrimSuffix(name, ext)
		}
		r.inv.problem(Problem{
			Code: code, Place: Place{filepath.Join(r.shown, name), 1}, Key: owner,
			Message: fmt.Sprintf("Ansible never reads it: the inventory has no %s %s", what, owner),
			Fix:     fmt.Sprintf("give it the name of a %s, or move its content to group_vars/all/", what),
		})
	}
}

func (inv *Inventory) known(what, name string) bool {
	if what == "host" {
		return inv.Hosts[name] != nil
	}
	return inv.Groups[name] != nil
}

func isEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") })
}
