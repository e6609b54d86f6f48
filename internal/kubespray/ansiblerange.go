package kubespray

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Names of the variables that hold the range. They are play variables, so an
// extra var wins over them.
const (
	MinimalAnsibleVersion = "minimal_ansible_version"
	MaximalAnsibleVersion = "maximal_ansible_version"
)

// Range is the Ansible that a checkout accepts: Min <= version < Max. An empty
// bound does not limit.
type Range struct{ Min, Max string }

// With returns the range with the user's own bounds; an empty one changes nothing.
func (r Range) With(minimum, maximum string) Range {
	if minimum != "" {
		r.Min = minimum
	}
	if maximum != "" {
		r.Max = maximum
	}
	return r
}

// Contains is true for a version of ansible-core inside the range.
func (r Range) Contains(version string) bool {
	return (r.Min == "" || CompareVersions(version, r.Min) >= 0) && (r.Max == "" || CompareVersions(version, r.Max) < 0)
}

func (r Range) String() string {
	switch {
	case r.Min == "" && r.Max == "":
		return "any ansible-core"
	case r.Max == "":
		return "ansible-core >= " + r.Min
	case r.Min == "":
		return "ansible-core < " + r.Max
	}
	return "ansible-core >= " + r.Min + " and < " + r.Max
}

// AnsibleRange reads the range from playbooks/ansible_version.yml, with the file
// (below the checkout) and the line of the minimum.
func (c *Checkout) AnsibleRange() (Range, string, int, error) {
	path := filepath.Join(c.Dir, "playbooks", "ansible_version.yml")
	rel := c.rel(path)
	doc := c.docs.get(path)
	if doc.err != nil {
		return Range{}, rel, 0, fmt.Errorf("read the range of Ansible: %w", doc.err)
	}
	var r Range
	line := 0
	for _, play := range items(doc.root) {
		vars := field(play, "vars")
		if n := field(vars, MinimalAnsibleVersion); n != nil {
			r.Min, line = text(n), n.Line
		}
		if n := field(vars, MaximalAnsibleVersion); n != nil {
			r.Max = text(n)
			line = max(line, 1)
		}
	}
	if line == 0 || isTemplate(r.Min+r.Max) {
		return Range{}, rel, line, fmt.Errorf("%s: no literal %s and %s there",
			rel, MinimalAnsibleVersion, MaximalAnsibleVersion)
	}
	return r, rel, line, nil
}

// CompareVersions compares as Ansible's version test does for releases: number by
// number, missing ones count as 0, and 2.19.0rc1 comes before 2.19.0.
func CompareVersions(a, b string) int {
	as, apre := versionParts(a)
	bs, bpre := versionParts(b)
	for i := range max(len(as), len(bs)) {
		var x, y int
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if x != y {
			return x - y
		}
	}
	switch {
	case apre == bpre:
		return 0
	case apre == "":
		return 1
	case bpre == "":
		return -1
	}
	return strings.Compare(apre, bpre)
}

// versionParts splits "2.19.0rc1" into 2, 19, 0 and "rc1".
func versionParts(v string) ([]int, string) {
	v = strings.TrimPrefix(strings.TrimSpace(v), "v")
	end := span(v, 0, func(c byte) bool { return isDigit(c) || c == '.' })
	var parts []int
	for p := range strings.SplitSeq(v[:end], ".") {
		if n, err := strconv.Atoi(p); err == nil {
			parts = append(parts, n)
		}
	}
	return parts, strings.TrimLeft(v[end:], ".-+")
}
