package kubespray

import (
	"path"
	"slices"
	"strings"
)

// switchDefault is the value that a switch has in a role when nobody sets it: the
// role's own default wins over kubespray_defaults, and any other comes last. A
// reference to another variable is followed; other templates stay text.
func (t *Types) switchDefault(role, name string) any {
	best, _ := t.best(role, name)
	if best.Template {
		if ref := pureReference(best.Value.(string)); ref != "" {
			if value, ok := t.Literal(ref); ok {
				return value
			}
		}
	}
	return best.Value
}

// best is the default that counts within a role: its own, else that of
// kubespray_defaults, else any.
func (t *Types) best(role, name string) (Default, bool) {
	best, score := Default{}, 0
	for _, d := range t.defaults[name] {
		s := 1
		switch {
		case strings.HasPrefix(d.File, "roles/"+role+"/defaults/"):
			s = 3
		case strings.HasPrefix(d.File, "roles/kubespray_defaults/"):
			s = 2
		}
		if s > score {
			best, score = d, s
		}
	}
	return best, score > 0
}

// roleVar finds a role's variable with an ending such as _version: the one that has
// the role's name, or that of its chart. For a namespace the only one among the
// role's own defaults counts too.
func (t *Types) roleVar(role, ending string) string {
	base := strings.ReplaceAll(path.Base(role), "-", "_")
	for _, name := range []string{base + ending, base + "_chart" + ending} {
		if len(t.defaults[name]) > 0 {
			return name
		}
	}
	var own []string
	for _, name := range t.names {
		if ending == "_namespace" && strings.HasSuffix(name, ending) && t.within(name, "roles/"+role+"/defaults/") {
			own = append(own, name)
		}
	}
	if len(own) != 1 {
		return ""
	}
	return own[0]
}

func (t *Types) within(name, dir string) bool {
	return slices.ContainsFunc(t.defaults[name], func(d Default) bool { return strings.HasPrefix(d.File, dir) })
}
