package kubespray

import (
	"io/fs"
	"path/filepath"
	"slices"
)

// specialTags mean something to Ansible itself.
func specialTags() []string { return []string{"all", "always", "never", "tagged", "untagged"} }

// Tags returns every tag that can select something in this playbook, sorted, with
// Ansible's own five. Where an include cannot be followed, the tags of all roles
// are in it: better to let a tag through than to refuse one that works.
func (cat *Catalogue) Tags() []string { return slices.Clone(cat.tags) }

// HasTag is true for a tag that the playbook can know.
func (cat *Catalogue) HasTag(tag string) bool {
	_, found := slices.BinarySearch(cat.tags, tag)
	return found
}

// NearestTag returns the tags that look most like this one, best first. A name of
// an addon counts as its tag.
func (cat *Catalogue) NearestTag(tag string) []string {
	if _, best, err := cat.Resolve(tag); err == nil && best != "" {
		return []string{best}
	}
	return Nearest(tag, cat.tags, 3)
}

func (cat *Catalogue) collectTags(c *Checkout, gates []string) []string {
	seen := map[string]bool{}
	add := func(tags []string) {
		for _, tag := range tags {
			seen[tag] = true
		}
	}
	add(specialTags())
	add(gates)
	for _, t := range cat.Tasks {
		add(t.Tags)
	}
	for _, u := range cat.Uses {
		add(u.Tags)
	}
	if len(cat.Opaque) > 0 {
		add(c.allTags())
	}
	tags := make([]string, 0, len(seen))
	for tag := range seen {
		if !isTemplate(tag) {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tags
}

// allTags collects what stands under tags: in the tasks and meta of all roles.
func (c *Checkout) allTags() []string {
	seen := map[string]bool{}
	_ = filepath.WalkDir(c.RolesPath(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // a directory that cannot be read has no tags for us
		}
		in := filepath.Base(filepath.Dir(path))
		if ext := filepath.Ext(path); entry.IsDir() || ext != ".yml" && ext != ".yaml" || in != "tasks" && in != "meta" {
			return nil
		}
		tagsBelow(c.docs.get(path).root, seen, 20)
		return nil
	})
	tags := make([]string, 0, len(seen))
	for tag := range seen {
		tags = append(tags, tag)
	}
	return tags
}

func tagsBelow(n *node, seen map[string]bool, depth int) {
	n = resolveAlias(n)
	if n == nil || depth == 0 {
		return
	}
	for _, tag := range words(field(n, "tags")) {
		seen[tag] = true
	}
	for _, child := range n.Content {
		tagsBelow(child, seen, depth-1)
	}
}
