package kubespray

import (
	_ "embed"
	"strings"
	"sync"
)

// removedNames lists the variables that a release from v2.8 on had in its defaults or in
// inventory/sample and the newest has nowhere, each with the last minor release that had
// it. It was counted from the tags of the repository.
//
//go:embed removed.tsv
var removedNames string

var removedByName = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for line := range strings.Lines(removedNames) {
		if name, release, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			byName[name] = release
		}
	}
	return byName
})

// LastKnown returns the last minor release, such as v2.30, that had a variable which
// later ones do not.
func LastKnown(name string) (release string, ok bool) {
	release, ok = removedByName()[name]
	return release, ok
}
