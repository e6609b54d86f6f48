package extravars

import "strings"

// nameIndex finds the known variable that a name is one typing error away from.
type nameIndex struct {
	known  map[string]bool
	folded map[string]string // lower case and _ for - -> the name
	byLen  map[int][]string
}

func newNameIndex(schema Schema) *nameIndex {
	if schema == nil {
		return nil
	}
	names := schema.Names()
	x := &nameIndex{known: make(map[string]bool, len(names)), folded: make(map[string]string, len(names)), byLen: map[int][]string{}}
	for _, n := range names {
		x.known[n] = true
		x.folded[fold(n)] = n
		x.byLen[len(n)] = append(x.byLen[len(n)], n)
	}
	return x
}

func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "_")) }

// near returns the known name, or "" if name is known itself or resembles none. Short names
// resemble too many.
func (x *nameIndex) near(name string) string {
	if x == nil || x.known[name] || strings.HasPrefix(name, "ansible_") {
		return ""
	}
	if n, ok := x.folded[fold(name)]; ok {
		return n
	}
	if len(name) < 5 {
		return ""
	}
	for _, n := range []int{len(name), len(name) - 1, len(name) + 1} {
		for _, known := range x.byLen[n] {
			if oneEdit(name, known) {
				return known
			}
		}
	}
	return ""
}

// oneEdit reports whether two different texts, of lengths at most one apart, differ by one
// character changed, added or left out, or by two neighbours exchanged.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case i == len(a):
		return false
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
