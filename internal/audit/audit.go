// Package audit finds, before anything runs, what this checkout, this inventory and this
// ansible-core would get wrong: values of the wrong type, values that nobody reads,
// names that the release does not know, and settings that do not go together.
//
// Every rule is one function from an [Input] to findings; all of them stand in rules().
// An error is what this core gets wrong or what the checkout's own assertions stop; what
// only breaks later is a warning; what is merely worth knowing is information.
package audit

import (
	"cmp"
	"slices"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/edit"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
)

// Input is what is looked at.
type Input struct {
	Checkout  *kubespray.Checkout
	Types     extravars.Schema // with the types that Ansible told, where it was asked
	Defaults  *kubespray.Types
	Inventory *inventory.Inventory
	// Unusable says which inventory arguments Ansible would read no host from.
	Unusable  []*kubespray.InventoryProblem
	ExtraVars *extravars.Vars
	// Core is the version of ansible-core in use; "": the newest of the checkout's range.
	Core string
	// Values are effective values that Ansible told; nil where it was not asked.
	Values map[string]any
	// Touches reports whether a run comes to a place of the checkout; nil: to all.
	// What only others read is a warning.
	Touches func(kubespray.Read) bool
	// Facts is the directory where facts of earlier runs are kept, or "".
	Facts string
}

// Finding is one thing to know, with its place.
type Finding struct {
	Severity extravars.Severity
	Code     string
	Detail   string // what --accept CODE=DETAIL means by it; "" for the key
	Key      string
	Message  string
	File     string // as reached from the argument
	Line     int    // from 1
	Arg      *int   // index of the extra var that it is about
	Fix      string
	// Change mends it, where that is mechanical.
	Change *edit.Change
}

// Run applies all rules. The worst findings come first, those of one severity in the order
// of their places.
func Run(in Input) []Finding {
	a := newAuditor(in)
	for _, rule := range rules() {
		rule(a)
	}
	slices.SortStableFunc(a.found, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(rankOf(x), rankOf(y)), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Code, y.Code), cmp.Compare(x.Key, y.Key))
	})
	return a.found
}

// rules are all rules, in the order in which they run.
func rules() []func(*auditor) {
	return []func(*auditor){
		unusableInventory, unreadValues, emptyGroups, legacyGroups, hostsOutside, unknownGroups, etcdMembers,
		extraVarTypes, settingTypes, templatedTypes, labels, redefinitions,
		removedVariables, unknownVariables,
		metricsServerPort, metricsServerTLS, defaultStorageClasses, strictARP, noProxy, versions, tunnelMTU, releaseBugs,
	}
}

func rankOf(f Finding) int {
	return slices.Index([]extravars.Severity{extravars.SeverityError, extravars.SeverityWarning, extravars.SeverityInfo}, f.Severity)
}

// auditor is one audit under way.
type auditor struct {
	Input
	core       extravars.Core
	coreName   string // for people
	first      string // the first control-plane host, "" where it is not known
	assertions map[string]kubespray.Assertion
	claims     []kubespray.Claim
	found      []Finding
	asked      map[string]bool // whose values the rules looked at, for a test
}

func newAuditor(in Input) *auditor {
	a := &auditor{Input: in, core: extravars.Core219, coreName: in.Core, assertions: map[string]kubespray.Assertion{}, asked: map[string]bool{}}
	version := in.Core
	if version == "" {
		r, _, _, err := in.Checkout.AnsibleRange()
		if err == nil && r.Max != "" && kubespray.CompareVersions(r.Max, "2.19") <= 0 {
			version = "2.18"
		}
		a.coreName = "the newest that this checkout takes"
	}
	if version != "" && kubespray.CompareVersions(version, "2.19") < 0 {
		a.core = extravars.Core218
	}
	if hosts := in.Inventory.HostsOf("kube_control_plane"); len(hosts) > 0 {
		a.first = hosts[0]
	}
	a.claims, _ = in.Checkout.Claims() // a role that cannot be read asserts nothing
	asserted, _ := in.Checkout.Assertions()
	for _, x := range asserted {
		if x.Unless == "" || !a.isTrue(x.Unless) {
			a.assertions[x.Variable] = x
		}
	}
	return a
}

func (a *auditor) add(f Finding) { a.found = append(a.found, f) }
