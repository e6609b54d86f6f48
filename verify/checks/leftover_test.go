package checks

import (
	"path/filepath"
	"testing"

	"github.com/surespray/surespray/verify"
)

// leftoverFile is one file under testdata/ID.leftover.
type leftoverFile struct {
	Asked     *bool
	ByDefault bool `json:"by_default"`
	Values    map[string]any
	Host      string
	There     []string
	Error     string
	Want      expectation
}

// TestLeftoverStates judges the states of every addon that may be left.
func TestLeftoverStates(t *testing.T) {
	for _, addon := range keptAddons() {
		id := addon.area + ".leftover"
		t.Run(id, func(t *testing.T) {
			each(t, id, func(t *testing.T, path string) (map[string][]verify.Finding, map[string]expectation) {
				var file leftoverFile
				readYAML(t, path, &file)
				f := Facts{Wanted: map[string]*bool{addon.name: file.Asked}, ByDefault: map[string]bool{addon.name: file.ByDefault}, Values: file.Values, FirstControlPlane: file.Host}
				var err error
				if file.Error != "" {
					err = failure(t, file.Error, right("apps", "deployments", "get"))
				}
				return map[string][]verify.Finding{id: {judgeLeftover(addon, f, file.There, err)}}, map[string]expectation{id: file.Want}
			})
			if files, _ := filepath.Glob("testdata/" + id + "/broken-*.yaml"); len(files) == 0 {
				t.Error("no broken state")
			}
		})
	}
}
