package kubespray

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Object is something that an addon's role hands to kubectl apply.
type Object struct {
	APIVersion string
	Kind       string
	Namespace  string // "": of the whole cluster, or the manifest leaves it out
	Name       string
	// Images are those of a workload's containers whose repository is known, in the
	// order of the manifest.
	Images []Image

	File string // below the checkout
	Line int    // of its kind
}

// Image is a container image that a manifest or the download list names.
type Image struct {
	Repo string // without a tag
	Tag  string

	text      string // as the manifest has it
	ofVersion bool   // its tag comes from the addon's own version variable
}

// Base is the last path element of the repository: what a mirror keeps.
func (i Image) Base() string { return i.Repo[strings.LastIndexByte(i.Repo, '/')+1:] }

// Workload reports whether the object runs pods.
func (o Object) Workload() bool {
	return slices.Contains([]string{"Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"}, o.Kind)
}

// Key identifies the object whatever the version of its API.
func (o Object) Key() string {
	group, _, found := strings.Cut(o.APIVersion, "/")
	if !found {
		group = ""
	}
	return strings.Join([]string{group, o.Kind, o.Namespace, o.Name}, "/")
}

// Objects returns the objects that an addon's role applies, from its templates and
// files, sorted by where they stand. Conditions around them do not count: an object may
// be one that these settings leave out. Names are resolved with value, which gives
// effective values, else with literal defaults; an object whose name stays unknown (one
// of a loop, say) is left out.
func (c *Checkout) Objects(a Addon, value func(string) (any, bool)) []Object {
	r := c.resolver(a, value)
	var out []Object
	for _, m := range c.manifests(a.Role) {
		out = append(out, m.objects(r)...)
	}
	for _, o := range madeElsewhere(a.Role) {
		name, ok := r.expand(o.Namespace)
		if o.Namespace = name; ok {
			out = append(out, o)
		}
	}
	return once(out)
}

// once leaves out what was there before: two templates may have the same object, of
// which the settings choose one.
func once(objects []Object) []Object {
	seen := map[string]bool{}
	return slices.DeleteFunc(objects, func(o Object) bool {
		again := seen[o.Key()]
		seen[o.Key()] = true
		return again
	})
}

// ObjectVars are the variables that the names of an addon's objects refer to, sorted:
// what to ask Ansible for.
func (c *Checkout) ObjectVars(a Addon) []string {
	return c.referred(a, func(r *resolver) {
		for _, m := range c.manifests(a.Role) {
			m.images = nil
			m.objects(r)
		}
		for _, o := range madeElsewhere(a.Role) {
			r.expand(o.Namespace)
		}
	})
}

// referred lists the variables that are asked for.
func (c *Checkout) referred(a Addon, ask func(*resolver)) []string {
	asked := map[string]bool{}
	r := c.resolver(a, func(name string) (any, bool) { asked[name] = true; return "", true })
	r.direct = true
	ask(r)
	own := strings.ReplaceAll(path.Base(a.Role), "-", "_") + "_"
	names := make([]string, 0, len(asked))
	for name := range asked {
		// The variable of a loop has no default, and no value either.
		if len(r.types.Defaults(name)) > 0 || strings.HasPrefix(name, own) || strings.HasSuffix(name, "_namespace") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// manifestCache keeps what was read of the roles' templates. It is safe for concurrent
// use.
type manifestCache struct {
	mu   sync.Mutex
	byID map[string][]manifest
}

// manifests are the YAML documents with a kind in a role's templates and files.
func (c *Checkout) manifests(role string) []manifest {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	if found, ok := c.cache.byID[role]; ok {
		return found
	}
	var found []manifest
	for _, sub := range []string{"files", "templates"} {
		root := filepath.Join(c.RolesPath(), filepath.FromSlash(role), sub)
		_ = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !isManifest(file) {
				return nil // a role without templates has no objects
			}
			found = append(found, readManifests(file, c.rel(file))...)
			return nil
		})
	}
	if c.cache.byID == nil {
		c.cache.byID = map[string][]manifest{}
	}
	c.cache.byID[role] = found
	return found
}

func isManifest(file string) bool {
	switch filepath.Ext(strings.TrimSuffix(file, ".j2")) {
	case ".yml", ".yaml":
		return true
	}
	return false
}

// Telling are the objects by whose presence one can tell that the addon is installed:
// what runs pods, else all but namespaces, which others may have made.
func Telling(objects []Object) []Object {
	tells := func(o Object) bool { return o.Kind != "Namespace" }
	if slices.ContainsFunc(objects, Object.Workload) {
		tells = Object.Workload
	}
	return slices.DeleteFunc(slices.Clone(objects), func(o Object) bool { return !tells(o) })
}
