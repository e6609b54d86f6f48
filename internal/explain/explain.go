// Package explain says in plain words what a code means, why it happens and what to do.
// It holds words only, so that they are there without a cluster, a checkout or a network.
package explain

import "sort"

// Entry explains one code.
type Entry struct {
	Code    string
	Meaning string // what is the case
	Why     string // how it comes about, what it leads to
	Fix     string // what to do
	Link    string // further reading; may be empty
}

// Find returns the explanation of a code of the audit or of a cause of a check.
func Find(code string) (Entry, bool) {
	for _, list := range [][]Entry{audit(), causes()} {
		for _, e := range list {
			if e.Code == code {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Codes returns every code that is explained, sorted.
func Codes() []string {
	var out []string
	for _, list := range [][]Entry{audit(), causes()} {
		for _, e := range list {
			out = append(out, e.Code)
		}
	}
	sort.Strings(out)
	return out
}
