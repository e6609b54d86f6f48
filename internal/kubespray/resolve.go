package kubespray

import (
	"path"
	"slices"
	"strings"
)

// Resolve finds an addon by what people call it: its name, one of its own tags,
// its role, its switch, or the beginning of its name; - and _ and case do not
// count. It returns the addon and the tag to run it by. A tag of single tasks, such
// as coredns, gives the addon and that tag. The errors are [UnknownAddonError] and
// [AmbiguousAddonError].
func (cat *Catalogue) Resolve(name string) (Addon, string, error) {
	want := squeeze(name)
	for _, names := range []func(Addon) []string{
		func(a Addon) []string {
			return []string{a.Name, a.Role, strings.TrimPrefix(a.Role, "kubernetes-apps/")}
		},
		uniqueNames,
		func(a Addon) []string { return []string{path.Base(a.Role)} },
		switchNames,
	} {
		fits := cat.fitting(func(a Addon) bool {
			return slices.ContainsFunc(names(a), func(s string) bool { return want != "" && squeeze(s) == want })
		})
		if len(fits) > 0 {
			return one(name, fits)
		}
	}
	for _, a := range cat.Addons {
		for _, tag := range a.TaskTags {
			if squeeze(tag) == want && len(cat.fitting(func(o Addon) bool { return slices.Contains(o.TaskTags, tag) })) == 1 {
				return a, tag, nil
			}
		}
	}
	fits := cat.fitting(func(a Addon) bool { return len(want) > 2 && strings.HasPrefix(kebab(a.Name), kebab(name)+"-") })
	if len(fits) > 0 {
		return one(name, fits)
	}
	return Addon{}, "", &UnknownAddonError{Name: name, Nearest: Nearest(name, cat.names(), 3)}
}

// IsPattern is true for a name that stands for several: one with * or ?.
func IsPattern(name string) bool { return strings.ContainsAny(name, "*?") }

// Match returns the addons whose name or own tag fits a pattern with * and ?. A name
// that is a path, such as csi_driver/cinder, counts as csi-driver-cinder.
func (cat *Catalogue) Match(pattern string) []Addon {
	flat := func(s string) string { return strings.ReplaceAll(kebab(s), "/", "-") }
	return cat.fitting(func(a Addon) bool {
		return slices.ContainsFunc(append(uniqueNames(a), a.Name), func(name string) bool {
			ok, err := path.Match(flat(pattern), flat(name))
			return err == nil && ok
		})
	})
}

// NearestAddons are the names that a pattern which fits nothing may have meant.
func (cat *Catalogue) NearestAddons(pattern string) []string {
	bare := strings.NewReplacer("*", "", "?", "").Replace(pattern)
	if a, _, err := cat.Resolve(bare); err == nil {
		return []string{a.Name}
	}
	return Nearest(strings.Trim(bare, "-_"), cat.names(), 3)
}

// uniqueNames are the own tags by which nobody else goes: the best tag only.
func uniqueNames(a Addon) []string {
	if !slices.Contains(a.Own, a.Tag) {
		return nil
	}
	return []string{a.Tag}
}

// switchNames are the switches that belong to the addon, with and without what
// makes them a switch. A switch that chooses between addons names none of them.
func switchNames(a Addon) []string {
	var out []string
	for _, s := range a.Switch {
		short := strings.TrimSuffix(s, "_enabled")
		if short == s && !strings.HasPrefix(s, "enable_") {
			continue
		}
		out = append(out, s, strings.TrimPrefix(short, "enable_"))
	}
	return out
}

func (cat *Catalogue) fitting(fits func(Addon) bool) []Addon {
	var out []Addon
	for _, a := range cat.Addons {
		if fits(a) {
			out = append(out, a)
		}
	}
	return out
}

// one returns the only fit. Several that go by the same tag are one thing to the
// user, installed by two roles: the role with the shorter path stands for it.
func one(name string, fits []Addon) (Addon, string, error) {
	first := slices.MinFunc(fits, func(a, b Addon) int { return len(a.Role) - len(b.Role) })
	if !slices.ContainsFunc(fits, func(a Addon) bool { return a.Tag != first.Tag }) {
		return first, first.Tag, nil
	}
	e := &AmbiguousAddonError{Name: name}
	for _, a := range fits {
		e.Fits = append(e.Fits, a.Name)
	}
	return Addon{}, "", e
}

// names are all names that a slip of the pen may have meant.
func (cat *Catalogue) names() []string {
	var out []string
	for _, a := range cat.Addons {
		out = append(out, a.Name)
	}
	return out
}

// squeeze drops case and the characters between words.
func squeeze(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "", "/", "", ".", "").Replace(strings.ToLower(s))
}
