package kubespray

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var templatePart = regexp.MustCompile(`\{\{.*?\}\}`)

// pattern turns the templates in a name into stars.
func pattern(name string) string {
	return templatePart.ReplaceAllString(name, "*")
}

// templateIn returns the only template in a name, or "".
func templateIn(name string) string {
	found := templatePart.FindAllString(name, -1)
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// roleDirs finds the directory of a role: below roles/, or beside the role that
// names it (as Ansible resolves policy_controller/calico). A templated name gives
// every directory that it can become, with the text that stands for the template.
func (c *Checkout) roleDirs(name, parentDir string) (dirs, values []string) {
	name = strings.TrimPrefix(name, collection)
	roots := []string{c.RolesPath(), filepath.Join(c.Dir, "playbooks", "roles")}
	if parentDir != "" {
		roots = append(roots, filepath.Dir(parentDir))
	}
	if name == "" {
		return nil, nil
	}
	if !isTemplate(name) {
		for _, root := range roots {
			if dir := filepath.Join(root, filepath.FromSlash(name)); isRole(dir) {
				return []string{dir}, []string{""}
			}
		}
		return nil, nil
	}
	glob := pattern(name)
	prefix, suffix, _ := strings.Cut(glob, "*")
	found, _ := filepath.Glob(filepath.Join(c.RolesPath(), filepath.FromSlash(glob)))
	for _, dir := range found {
		if isRole(dir) {
			dirs = append(dirs, dir)
			values = append(values, strings.TrimSuffix(strings.TrimPrefix(c.roleName(dir), prefix), suffix))
		}
	}
	return dirs, values
}

// isRole is true for a directory that has one of the parts of a role.
func isRole(dir string) bool {
	return slices.ContainsFunc([]string{"tasks", "meta", "defaults", "vars", "handlers"}, func(sub string) bool {
		return isDir(filepath.Join(dir, sub))
	})
}

// taskFiles finds the file of an include: beside the including file, below the
// role's tasks, below the role. A templated name gives every file that fits.
func (c *Checkout) taskFiles(name, from, roleDir string) []string {
	bases := []string{filepath.Dir(from)}
	if roleDir != "" {
		bases = append(bases, filepath.Join(roleDir, "tasks"), roleDir)
	}
	if !isTemplate(name) {
		for _, base := range bases {
			if path := below(base, filepath.FromSlash(name)); isFile(path) {
				return []string{path}
			}
		}
		return nil
	}
	glob := pattern(name)
	if glob == "*" {
		glob = "*.yml"
	}
	for _, base := range bases {
		if found, _ := filepath.Glob(below(base, filepath.FromSlash(glob))); len(found) > 0 {
			return slices.DeleteFunc(found, func(p string) bool { return p == from })
		}
	}
	return nil
}
