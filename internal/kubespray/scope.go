package kubespray

import "slices"

// scope is what tasks inherit from where they stand.
type scope struct {
	play  Play
	use   *Use
	tags  []string
	gates [][]string
	when  []string // since the role was entered
	chain []string // conditions before that
	stack []string // files and roles being walked, against circles
	after bool     // in a rescue
}

func (s scope) with(tags, when []string) scope {
	s.tags = union(s.tags, tags)
	s.when = append(slices.Clip(s.when), when...)
	return s
}

// behind is the scope of what a dynamic include brings in: its own tags are a
// gate, and only what it applies is inherited.
func (s scope) behind(own, apply, when []string) scope {
	gate := union(s.tags, own)
	s.gates = append(slices.Clip(s.gates), gate)
	return s.with(apply, when)
}

func (s scope) enter(key string) (scope, bool) {
	if slices.Contains(s.stack, key) || len(s.stack) > 40 {
		return s, false
	}
	s.stack = append(slices.Clip(s.stack), key)
	return s, true
}

// open keeps the tags that are in every gate.
func open(tags []string, gates [][]string) []string {
	var out []string
	for _, tag := range tags {
		if !slices.ContainsFunc(gates, func(g []string) bool { return !slices.Contains(g, tag) }) {
			out = append(out, tag)
		}
	}
	return out
}

// union returns the sorted union.
func union(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}
