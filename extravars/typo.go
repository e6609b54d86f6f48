package extravars

import "strings"

// nameIndex finds the known variable that a name is one typing error away from. One
// error leaves the first or the second half of a name as it is, so the index goes by
// halves. It is built when the first unknown name comes.
type nameIndex struct {
	names  []string
	known  map[string]bool
	folded map[string]string // lower case and _ for - -> the name
	halves map[half][]string
}

// half is one half of a known name.
type half struct {
	length int // of the whole name
	second bool
	text   string
}

func newNameIndex(schema Schema) *nameIndex {
	if schema == nil {
		return nil
	}
	x := &nameIndex{names: schema.Names()}
	x.known = make(map[string]bool, len(x.names))
	for _, n := range x.names {
		x.known[n] = true
	}
	return x
}

func (x *nameIndex) build() {
	x.folded = make(map[string]string, len(x.names))
	x.halves = make(map[half][]string, 2*len(x.names))
	for _, n := range x.names {
		x.folded[fold(n)] = n
		first, second := halvesOf(len(n), n, n)
		x.halves[first] = append(x.halves[first], n)
		x.halves[second] = append(x.halves[second], n)
	}
}

// halvesOf cuts what would be the halves of a known name of a length out of a start and
// an end. A character between them is in neither, for two that are exchanged there.
func halvesOf(length int, start, end string) (first, second half) {
	middle := length / 2
	return half{length, false, start[:min(max(middle-1, 0), len(start))]}, half{length, true, end[max(0, len(end)-(length-middle)):]}
}

func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "_")) }

// near returns the known name, or "" if name is known itself or resembles none. Short names
// resemble too many.
func (x *nameIndex) near(name string) string {
	if x == nil || x.known[name] || strings.HasPrefix(name, "ansible_") {
		return ""
	}
	if x.halves == nil {
		x.build()
	}
	if n, ok := x.folded[fold(name)]; ok {
		return n
	}
	if len(name) < 5 {
		return ""
	}
	for _, length := range []int{len(name), len(name) - 1, len(name) + 1} {
		first, second := halvesOf(length, name, name)
		for _, h := range []half{first, second} {
			for _, known := range x.halves[h] {
				if oneEdit(name, known) {
					return known
				}
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
