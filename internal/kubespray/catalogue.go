package kubespray

import (
	"path/filepath"
	"slices"
	"strings"
)

// Catalogue is what one playbook of the checkout can run: the addons, the tags,
// and every way to every role.
type Catalogue struct {
	Playbook string // absolute
	Addons   []Addon
	Uses     []*Use
	Tasks    []Task
	// Opaque lists places (file:line) where files cannot tell what is included. The
	// tags of all roles count as known then.
	Opaque []string

	tags []string
}

// Addons returns the addons of the checkout's cluster.yml.
func (c *Checkout) Addons() ([]Addon, error) {
	catalogue, err := c.Catalogue("")
	if err != nil {
		return nil, err
	}
	return catalogue.Addons, nil
}

// Catalogue reads a playbook, given by its path; "" is the checkout's cluster.yml.
func (c *Checkout) Catalogue(playbook string) (*Catalogue, error) {
	if playbook == "" {
		playbook = filepath.Join(c.Dir, "playbooks", "cluster.yml")
		if !isFile(playbook) {
			playbook = filepath.Join(c.Dir, "cluster.yml")
		}
	}
	playbook, err := filepath.Abs(playbook)
	if err != nil {
		return nil, err
	}
	types, err := c.Types()
	if err != nil {
		return nil, err
	}
	c.preloadRoles()
	w := walker{co: c}
	w.playbook(playbook, scope{})
	if w.err != nil {
		return nil, w.err
	}
	slices.Sort(w.opaque)
	cat := &Catalogue{Playbook: playbook, Uses: w.uses, Tasks: w.tasks, Opaque: slices.Compact(w.opaque)}
	cat.tags = cat.collectTags(c, w.gates)
	cat.Addons = assemble(w.uses, types)
	for i := range cat.Addons {
		cat.Addons[i].checkout = c
	}
	return cat, nil
}

// preloadRoles parses the files that a walk of cluster.yml reads, in parallel.
func (c *Checkout) preloadRoles() {
	var paths []string
	for _, glob := range []string{"*/meta/*.y*ml", "*/*/meta/*.y*ml", "*/*/*/meta/*.y*ml", "*/tasks/*.y*ml", "*/*/tasks/*.y*ml", "*/*/*/tasks/*.y*ml"} {
		found, _ := filepath.Glob(filepath.Join(c.RolesPath(), filepath.FromSlash(glob)))
		paths = append(paths, found...)
	}
	c.docs.preload(paths)
}

// UsesOf returns the ways to a role.
func (cat *Catalogue) UsesOf(role string) []*Use {
	var out []*Use
	for _, u := range cat.Uses {
		if u.Role == role {
			out = append(out, u)
		}
	}
	return out
}

// inApps is true for roles of the apps and of the network plugins, and for what
// they depend on.
func (u *Use) inApps() bool {
	for at := u; at != nil; at = at.parent {
		if isAppRole(at.Role) {
			return true
		}
	}
	return false
}

func isAppRole(role string) bool {
	first, _, _ := strings.Cut(role, "/")
	return first == "kubernetes-apps" || first == "network_plugin"
}
