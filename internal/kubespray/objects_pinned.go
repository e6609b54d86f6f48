package kubespray

import (
	"path"
	"slices"
	"strings"
)

// Pinned is the version of an addon that the checkout would install.
type Pinned struct {
	Version string  // the image's tag, else the version variable's value; "" where unknown
	Image   Image   // of the main workload; no Repo where the addon has none
	Main    *Object // that workload
}

// Pinned finds an addon's version: the tag of its main workload's image, else of its
// entries in the list of downloads, else its version variable. Values come from value,
// else from literal defaults; what only Ansible can tell is absent.
func (c *Checkout) Pinned(a Addon, value func(string) (any, bool)) Pinned {
	return c.pinned(a, c.resolver(a, value), c.Objects(a, value))
}

func (c *Checkout) pinned(a Addon, r *resolver, objects []Object) Pinned {
	p := mainImage(a, objects)
	if (p.Image.Repo == "" || p.Image.Tag == "") && (p.Main != nil || a.VersionVar != "") {
		if image, ok := c.downloadImage(a, r); ok && (p.Image.Repo == "" || p.Image.Repo == image.Repo) {
			p.Image = image
		}
	}
	p.Version = p.Image.Tag
	if version, ok := r.expand("{{ " + a.VersionVar + " }}"); ok && p.Image.Repo == "" {
		p.Version = version
	}
	return p
}

// PinnedVars are the variables that the version of an addon directly refers to, sorted:
// what to ask Ansible for.
func (c *Checkout) PinnedVars(a Addon) []string {
	text := c.Pinned(a, nil).Image.text
	return c.referred(a, func(r *resolver) {
		if text == "" && a.VersionVar != "" {
			text = "{{ " + a.VersionVar + " }}"
		}
		r.expand(text)
	})
}

// Running tells the version that runs, of the images of the main workload in the cluster:
// the tag of the one that is the pinned image, be it from a mirror. It is "" where none
// is, or where it has a digest only.
func (p Pinned) Running(images []string) string {
	for _, text := range images {
		repo, tag := splitImage(text)
		if image := (Image{Repo: repo}); image.Base() == p.Image.Base() || p.Image.Repo == "" && len(images) == 1 {
			return tag
		}
	}
	return ""
}

// mainImage chooses among the images of the workloads: the one that goes by the addon's
// name or version. Where nothing speaks for any, the only one there is.
func mainImage(a Addon, objects []Object) Pinned {
	var p Pinned
	best, repos := 0, []string{}
	for i := range objects {
		o := &objects[i]
		if o.Workload() && p.Main == nil {
			p.Main = o
		}
		for _, image := range o.Images {
			if !slices.Contains(repos, image.Repo) {
				repos = append(repos, image.Repo)
			}
			if s := likeness(a, *o, image); s > best {
				best, p.Image, p.Main = s, image, o
			}
		}
	}
	if best == 0 && len(repos) == 1 {
		for i := range objects {
			if len(objects[i].Images) > 0 {
				return Pinned{Image: objects[i].Images[0], Main: &objects[i]}
			}
		}
	}
	return p
}

// likeness counts what makes an image the addon's own, not that of a helper beside it.
func likeness(a Addon, o Object, image Image) int {
	base := path.Base(a.Role)
	name, s := kebab(base), 0
	switch {
	case image.Base() == name:
		s = 3
	case strings.Contains(image.Repo, name):
		s = 1
	}
	if image.ofVersion {
		s += 4
	}
	if s == 0 && !strings.Contains(image.text, base+"_") {
		return 0
	}
	if o.Name == name || strings.HasSuffix(o.Name, "-"+image.Base()) {
		s += 2
	}
	if o.Kind == "DaemonSet" && strings.HasPrefix(a.Role, "network_plugin/") {
		s++ // what a network plugin runs on the nodes is the plugin
	}
	return s + 1
}

// downloadImage finds the addon's image in the list of downloads: the first entry that
// the addon's switch enables. One with the name of the role comes before the others.
func (c *Checkout) downloadImage(a Addon, r *resolver) (Image, bool) {
	list, ok := r.types.best("", "downloads")
	if !ok {
		return Image{}, false
	}
	var found *node
	base := strings.ReplaceAll(path.Base(a.Role), "-", "_")
	pairs(field(c.docs.get(path.Join(c.Dir, list.File)).root, "downloads"), func(key, entry *node) {
		if text(field(entry, "container")) == "true" && a.enables(text(field(entry, "enabled"))) && (found == nil || key.Value == base) {
			found = entry
		}
	})
	if found == nil {
		return Image{}, false
	}
	return r.image(text(field(found, "repo")) + ":" + text(field(found, "tag")))
}

// enables reports whether a condition of the download list is about the addon's switch.
// A switch that is a choice (kube_network_plugin) must be compared with the same word.
func (a Addon) enables(condition string) bool {
	names, words := identifiers(condition), quoted(condition)
	for _, name := range a.Switch {
		if !slices.Contains(names, name) {
			continue
		}
		if _, choice := a.Default[name].(string); !choice {
			return true
		}
		for _, own := range a.Uses[0].When {
			if slices.Contains(identifiers(own), name) && slices.ContainsFunc(quoted(own), func(w string) bool { return slices.Contains(words, w) }) {
				return true
			}
		}
	}
	return false
}

// quoted lists the strings in an expression, none where it is not understood.
func quoted(expression string) []string {
	inner, ok := onlyExpression(strings.TrimSpace(expression))
	if !ok {
		inner = expression
	}
	tokens, ok := lex(inner)
	if !ok {
		return nil
	}
	var out []string
	for _, t := range tokens {
		if t.kind == 's' {
			out = append(out, t.text)
		}
	}
	return out
}
