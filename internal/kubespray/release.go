package kubespray

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
)

// GroupRule says that Kubespray puts the hosts of some groups into another group before
// anything else: old names of groups, and k8s_cluster.
type GroupRule struct {
	Group string
	From  []string
	File  string // below the checkout
	Line  int
}

// GroupRules reads the rules from roles/dynamic_groups, or, up to v2.28, from the play
// that stands in its place.
func (c *Checkout) GroupRules() []GroupRule {
	var out []GroupRule
	for _, path := range []string{filepath.Join(c.RolesPath(), "dynamic_groups", "tasks", "main.yml"), filepath.Join(c.Dir, "playbooks", "boilerplate.yml")} {
		doc := c.docs.get(path)
		var look func(n *node, depth int)
		look = func(n *node, depth int) {
			pairs(field(n, "group_mappings"), func(k, v *node) {
				out = append(out, GroupRule{k.Value, textsOf(v), c.rel(path), k.Line})
			})
			if n = resolveAlias(n); n != nil && depth > 0 {
				for _, child := range n.Content {
					look(child, depth-1)
				}
			}
		}
		if doc.err == nil {
			look(doc.root, 8)
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// textsOf lists the texts of a sequence.
func textsOf(n *node) []string {
	var out []string
	for _, item := range items(n) {
		out = append(out, text(item))
	}
	return out
}

// Removed returns the variables that validate_inventory refuses, by name, each with
// its file and line.
func (c *Checkout) Removed() map[string]Assertion {
	out := map[string]Assertion{}
	doc := c.validation()
	for _, task := range items(doc.root) {
		for _, item := range items(field(field(task, "vars"), "removed_vars")) {
			out[text(item)] = Assertion{Variable: text(item), File: c.rel(doc.path), Line: item.Line}
		}
	}
	return out
}

var (
	inChecksums   = regexp.MustCompile(`^\s*([a-z_]+_version)\s+in\s+([a-z_]+_checksums)\b`)
	firstChecksum = regexp.MustCompile(`\b([a-z_]+_checksums)(?:\['amd64'\]|\.amd64|\.no_arch|\['no_arch'\])`)
)

// VersionTable is the list of versions that the release has checksums for.
type VersionTable struct {
	Name     string // of the table
	Versions []string
	// Asserted is the claim that insists on it, nil where nothing does and the
	// download fails.
	Asserted *Claim
}

// VersionTableOf returns the table that a variable such as helm_version must be in; ok is
// false where the release has none for it.
func (c *Checkout) VersionTableOf(name string, types *Types) (VersionTable, bool) {
	table := VersionTable{}
	for _, d := range types.defaults[name] {
		if s, ok := d.Value.(string); ok && d.Template {
			if m := firstChecksum.FindStringSubmatch(s); m != nil {
				table.Name = m[1]
			}
		}
	}
	claims, _ := c.Claims() // an unreadable role asserts nothing
	for _, claim := range claims {
		if m := inChecksums.FindStringSubmatch(claim.That); m != nil && m[1] == name {
			table.Name, table.Asserted = m[2], &claim
		}
	}
	if table.Name == "" {
		return table, false
	}
	seen := map[string]bool{}
	for _, base := range []string{"vars", "defaults"} {
		doc := c.docs.firstYAML(filepath.Join(c.RolesPath(), "kubespray_defaults", base, "main", "checksums"))
		pairs(field(doc.root, table.Name), func(_, versions *node) {
			pairs(versions, func(k, _ *node) { seen[k.Value] = true })
		})
	}
	table.Versions = slices.SortedFunc(maps.Keys(seen), CompareVersions)
	return table, len(seen) > 0
}

// SampleSets reports whether the checkout's own inventory/sample gives a value to a
// variable.
func (c *Checkout) SampleSets(name string) bool {
	c.sampleOnce.Do(func() {
		c.sample = map[string]bool{}
		for _, glob := range []string{"*.yml", "*/*.yml"} {
			found, _ := filepath.Glob(filepath.Join(c.Dir, "inventory", "sample", "group_vars", glob))
			for _, path := range found {
				pairs(c.docs.get(path).root, func(k, _ *node) { c.sample[k.Value] = true })
			}
		}
	})
	return c.sample[name]
}
