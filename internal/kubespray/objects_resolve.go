package kubespray

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// resolver fills references in text: with effective values where they are known, else
// with literal defaults.
type resolver struct {
	types   *Types
	role    string
	version string // the addon's version variable
	value   func(string) (any, bool)
	sums    *node // the checkout's table of checksums
	direct  bool  // what a known value comes from is of no interest
}

func (c *Checkout) resolver(a Addon, value func(string) (any, bool)) *resolver {
	types, err := c.Types()
	if err != nil {
		types = &Types{} // whoever asks has the addon from these types
	}
	if value == nil {
		value = func(string) (any, bool) { return nil, false }
	}
	sums := c.docs.get(filepath.Join(c.RolesPath(), "kubespray_defaults", "vars", "main", "checksums.yml")).root
	return &resolver{types: types, role: a.Role, version: a.VersionVar, value: value, sums: sums}
}

// expand fills the {{ name }} in a text. It is false where anything else of Jinja
// stands in it, and where a name has no known value.
func (r *resolver) expand(text string) (string, bool) {
	s, _, ok := r.fill(text, referenceDepth)
	return s, ok
}

// fill also says whether the addon's version variable was used on the way.
func (r *resolver) fill(text string, depth int) (filled string, ofVersion, ok bool) {
	if !strings.Contains(text, "{") {
		return text, false, true
	}
	if strings.Contains(text, "{%") || strings.Contains(text, "{#") {
		return "", false, false
	}
	var b strings.Builder
	ok = true
	for text != "" {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			break
		}
		inner, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return "", false, false
		}
		// The rest is filled even then: whoever asks which variables matter wants all.
		s, v, known := r.reference(strings.TrimSpace(inner), depth)
		b.WriteString(s)
		ofVersion, ok = ofVersion || v, ok && known
		text = after
	}
	return b.String(), ofVersion, ok
}

func (r *resolver) reference(name string, depth int) (filled string, ofVersion, ok bool) {
	if !isName(name) {
		s, ok := r.newest(name)
		return s, false, ok
	}
	ofVersion = name == r.version
	v, ok := r.value(name)
	if ok {
		// What Ansible made of a template may still come from the version variable.
		if d, has := r.types.best(r.role, name); has && d.Template && depth > 0 && !r.direct {
			_, of, _ := r.fill(d.Value.(string), depth-1)
			ofVersion = ofVersion || of
		}
		s, ok := scalarText(v)
		return s, ofVersion, ok
	}
	d, ok := r.types.best(r.role, name)
	switch {
	case !ok:
		return "", ofVersion, false
	case d.Template && depth > 0:
		s, of, ok := r.fill(d.Value.(string), depth-1)
		return s, ofVersion || of, ok
	case d.Template:
		return "", ofVersion, false
	}
	s, ok := scalarText(d.Value)
	return s, ofVersion, ok
}

// image reads REPO:TAG, each of which may be templates. A tag that is not known is left
// empty, and a digest left out: it says nothing to people.
func (r *resolver) image(text string) (Image, bool) {
	repo, tag := splitImage(text)
	image := Image{text: text}
	ok := false
	var whole bool
	if image.Repo, whole, ok = r.fill(repo, referenceDepth); !ok {
		return Image{}, false
	}
	if tag == "" {
		image.Repo, image.Tag = splitImage(image.Repo)
		image.ofVersion = whole
		return image, true
	}
	if image.Tag, image.ofVersion, ok = r.fill(tag, referenceDepth); !ok {
		image.Tag = ""
	}
	return image, true
}

func splitImage(text string) (repo, tag string) {
	text, _, _ = strings.Cut(text, "@")
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, '/') && i > 0 {
		return text[:i], text[i+1:]
	}
	return text, ""
}

// scalarText is a value as a template prints it. Lists and dictionaries are no names.
func scalarText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

var firstOfSums = regexp.MustCompile(`^\(\s*(\w+)(?:\['(\w+)'\]|\.(\w+))\s*\|\s*dict2items\s*\)\[0\]\.key$`)

// newest is the first key of one of the checkout's tables of checksums: from v2.28 on
// that is how Kubespray writes "the newest version we know".
func (r *resolver) newest(expression string) (string, bool) {
	m := firstOfSums.FindStringSubmatch(expression)
	if m == nil {
		return "", false
	}
	first, found := "", false
	pairs(field(field(r.sums, m[1]), m[2]+m[3]), func(key, _ *node) {
		if !found {
			first, found = key.Value, true
		}
	})
	return first, found
}
