package kubespray

import (
	"slices"
	"strings"
)

// Addon is one role of the apps or of the network plugins. The JSON names are part
// of the contract with users; what needs a run or a cluster is filled in by others.
type Addon struct {
	Name      string         `json:"name"`
	Role      string         `json:"role"` // path below roles/
	Play      string         `json:"play"`
	Switch    []string       `json:"switch"`
	Tags      []string       `json:"tags"`
	Default   map[string]any `json:"default"` // of each switch
	AskedFor  *bool          `json:"asked_for"`
	Installed *bool          `json:"installed"` // null: no cluster was looked at
	Checks    []string       `json:"checks"`    // ids of what verify asks about it

	// Own are the tags of the role's own entries, Tag the best one to run it by:
	// its own and nobody else's where there is one.
	Own []string `json:"-"`
	Tag string   `json:"-"`
	// TaskTags are further tags that select only some of its tasks.
	TaskTags []string `json:"-"`
	// FirstControlPlaneOnly: the role runs on the first control-plane host alone.
	FirstControlPlaneOnly bool `json:"-"`
	// NeedsFirstControlPlane: the role, or a task of it, runs there alone. A limit
	// must not leave that host out.
	NeedsFirstControlPlane bool `json:"-"`
	// NeedsDownload: it uses files of the download role and does not fetch them
	// itself, so that its tag alone works only where they still are.
	NeedsDownload bool `json:"-"`
	// Deletes are its tasks that delete objects of the cluster.
	Deletes []Task `json:"-"`
	// NamespaceVar and VersionVar name the variables, "" where there is none.
	NamespaceVar string `json:"-"`
	VersionVar   string `json:"-"`
	// Uses are all ways to the role, the main one first.
	Uses []*Use `json:"-"`

	checkout *Checkout // where it was read from
}

// AskedIf is the condition under which the addon is wanted, as one expression for
// Ansible to evaluate: the conditions of every way, without those about the host.
// "" means always.
func (a Addon) AskedIf() string {
	var ways []string
	for _, u := range a.Uses {
		parts := u.conditions()
		if len(parts) == 0 {
			return ""
		}
		if way := "(" + strings.Join(parts, ") and (") + ")"; !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return "(" + strings.Join(ways, ") or (") + ")"
}

// Conditions are those of the main way, each by itself, without those about the host.
// The switch is one of them; another may be what keeps a switched-on addon from running.
func (a Addon) Conditions() []string {
	if len(a.Uses) == 0 {
		return nil
	}
	return a.Uses[0].conditions()
}

// assemble makes one addon of each role that has tasks, or that exists to hand
// parameters to a helper.
func assemble(uses []*Use, types *Types) []Addon {
	byRole := map[string][]*Use{}
	for _, u := range uses {
		if u.whole && u.inApps() && (u.Tasks > 0 || u.Helper) {
			byRole[u.Role] = append(byRole[u.Role], u)
		}
	}
	c := newCarriers(uses, byRole)
	addons := make([]Addon, 0, len(byRole))
	for role, list := range byRole {
		addons = append(addons, newAddon(role, list, c, types))
	}
	tellApart(addons)
	slices.SortFunc(addons, func(a, b Addon) int { return strings.Compare(a.Name, b.Name) })
	setBestTags(addons)
	return addons
}

// tellApart gives the whole path to addons whose short names are the same: v2.28
// has a network_plugin/flannel and a kubernetes-apps/network_plugin/flannel.
func tellApart(addons []Addon) {
	count := map[string]int{}
	for _, a := range addons {
		count[a.Name]++
	}
	for i := range addons {
		if count[addons[i].Name] > 1 {
			addons[i].Name = addons[i].Role
		}
	}
}

func newAddon(role string, uses []*Use, c carriers, types *Types) Addon {
	a := Addon{Role: role, Default: map[string]any{}, Switch: []string{}, Tags: []string{}, Checks: []string{}}
	a.FirstControlPlaneOnly = true
	for _, u := range uses {
		a.Tags, a.Own = union(a.Tags, u.Tags), union(a.Own, u.Own)
		for tag := range u.TaskTags {
			a.TaskTags = union(a.TaskTags, []string{tag})
		}
		a.FirstControlPlaneOnly = a.FirstControlPlaneOnly && u.FirstControlPlane
		a.NeedsFirstControlPlane = a.NeedsFirstControlPlane || u.NeedsFirstControlPlane
	}
	own := c.pick(role, open(a.Own, [][]string{a.Tags}))
	a.Tag, a.Name = own, kebab(own)
	if own == "" {
		a.Name = strings.TrimPrefix(role, "kubernetes-apps/")
	}
	a.Uses = mainFirst(uses, own)
	a.Play = a.Uses[0].Play.Name
	if s := switches(a.Uses[0].When, types); s != nil {
		a.Switch = s
	}
	for _, name := range a.Switch {
		a.Default[name] = types.switchDefault(role, name)
	}
	a.NeedsDownload, a.Deletes = sideEffects(a.Uses[0])
	a.NamespaceVar, a.VersionVar = types.roleVar(role, "_namespace"), types.roleVar(role, "_version")
	return a
}

// mainFirst puts the way whose entry has the addon's own tag first.
func mainFirst(uses []*Use, own string) []*Use {
	out := slices.Clone(uses)
	slices.SortStableFunc(out, func(a, b *Use) int { return rank(a, own) - rank(b, own) })
	return out
}

func rank(u *Use, own string) int {
	if own != "" && slices.Contains(u.Own, own) && slices.Contains(u.Tags, own) {
		return 0
	}
	return 1
}

// setBestTags gives each addon the tag to run it by: its own if that reaches its
// tasks; else one that reaches them on every way; else any. Of several, the one
// that the fewest addons share.
func setBestTags(addons []Addon) {
	shared := map[string]int{}
	for _, a := range addons {
		for _, tag := range a.Tags {
			shared[tag]++
		}
	}
	for i := range addons {
		a := &addons[i]
		if slices.Contains(a.Tags, a.Tag) {
			continue
		}
		a.Tag = ""
		always := a.Uses[0].Tags
		for _, u := range a.Uses {
			always = open(always, [][]string{u.Tags})
		}
		for _, candidates := range [][]string{open(a.Own, [][]string{a.Tags}), always, a.Tags} {
			for _, tag := range candidates {
				if a.Tag == "" || shared[tag] < shared[a.Tag] {
					a.Tag = tag
				}
			}
			if a.Tag != "" {
				break
			}
		}
	}
}
