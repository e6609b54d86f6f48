package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
)

// versions tells about versions that the release cannot fetch: with a leading v, or outside
// its tables of checksums.
func versions(a *auditor) {
	var names []string
	for _, s := range a.Inventory.Settings {
		names = append(names, s.Key)
	}
	for _, e := range a.ExtraVars.Elements {
		for _, p := range e.Sent {
			if name, ok := p.Key.(string); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if strings.HasSuffix(name, "_version") {
			a.version(name)
		}
	}
}

var releaseNumber = regexp.MustCompile(`^v?[0-9]+(?:\.[0-9]+)+`)

func (a *auditor) version(name string) {
	if a.unset(name) {
		return
	}
	value, ok := a.value(name)
	text := fmt.Sprint(value)
	if _, isText := value.(string); !ok || !isText || !releaseNumber.MatchString(text) {
		return // numbers are judged by their type
	}
	table, known := a.Checkout.VersionTableOf(name, a.Defaults)
	bare := strings.TrimPrefix(text, "v")
	if bare != text && (known || a.plainDefault(name)) {
		f := Finding{
			Severity: extravars.SeverityWarning, Code: "version-leading-v", Key: name,
			Message: fmt.Sprintf("%s is %q: since v2.28 versions have no leading v, and what is fetched by it is not found", name, text),
			Fix:     fmt.Sprintf("write %q", bare),
		}
		if known && !slices.Contains(table.Versions, bare) {
			f.Fix = fmt.Sprintf("write one that the release knows, such as %q", a.nearVersion(bare, table.Versions))
		}
		if table.Asserted != nil {
			f.Severity = extravars.SeverityError
		}
		a.add(a.at(f, name))
		return
	}
	if !known || slices.Contains(table.Versions, text) {
		return
	}
	newest := table.Versions[len(table.Versions)-1]
	f := Finding{
		Severity: extravars.SeverityWarning, Code: "version-unknown", Key: name,
		Message: fmt.Sprintf("%s is %s, and the release has no checksum for it (%s has %s to %s): its download fails", name, text, table.Name, table.Versions[0], newest),
		Fix:     fmt.Sprintf("take one of them, such as %s, or add its checksum to %s", a.nearVersion(text, table.Versions), table.Name),
	}
	if table.Asserted != nil {
		f.Severity = extravars.SeverityError
		f.Message += fmt.Sprintf(", and the checkout refuses it before (%s:%d)", table.Asserted.File, table.Asserted.Line)
	} else if a.ownChecksum(table.Name) {
		return
	}
	a.add(a.at(f, name))
}

// unset is true for a variable that neither the inventory nor an extra var gives.
func (a *auditor) unset(name string) bool {
	_, set := a.setting(name)
	_, given := a.argument(name)
	return !set && !given
}

// ownChecksum is true when the user brings a table or a checksum of his own.
func (a *auditor) ownChecksum(table string) bool {
	return !a.unset(table) || !a.unset(strings.TrimSuffix(table, "s"))
}

// plainDefault is true for a version whose default is a number without a leading v.
func (a *auditor) plainDefault(name string) bool {
	v, ok := a.Defaults.Literal(name)
	text := fmt.Sprint(v)
	return ok && releaseNumber.MatchString(text) && !strings.HasPrefix(text, "v")
}

// nearVersion is the newest version with the same minor, else the newest.
func (a *auditor) nearVersion(text string, versions []string) string {
	minor, _, _ := cutLast(text, ".")
	for _, v := range slices.Backward(versions) {
		if strings.HasPrefix(v, minor+".") {
			return v
		}
	}
	return versions[len(versions)-1]
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

var bareFilter = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*\|\s*(?:ansible\.(?:utils|netcommon)\.)?ip(?:v4|v6)?addr(?:\([^)]*\))?\s*$`)

// releaseBugs tells about assertions of the release that this core can never fulfil: what
// a filter returns is no boolean. The inventory is right, the release is not.
func releaseBugs(a *auditor) {
	if a.core != extravars.Core219 {
		return
	}
	for _, claim := range a.claims {
		m := bareFilter.FindStringSubmatch(claim.That)
		if m == nil || !a.holds(claim) {
			continue
		}
		a.add(a.at(Finding{
			Severity: extravars.SeverityError, Code: "release-bug", Detail: claim.File, Key: m[1],
			Message: fmt.Sprintf("a bug of this release (%s), not of the inventory: %s:%d asserts %q, which is no boolean, and ansible-core from 2.19 on stops there", a.Checkout.Version(), claim.File, claim.Line, strings.TrimSpace(claim.That)),
			Fix:     fmt.Sprintf("append \"is truthy\" to the line in the checkout (kubernetes-sigs/kubespray#13547), or take a release without it: %s", m[1]),
		}, conditionNames(claim)...))
	}
}

// holds reports whether a claim is looked at: every condition that can be judged is true.
func (a *auditor) holds(claim kubespray.Claim) bool {
	for _, when := range claim.When {
		name, negated := strings.CutPrefix(strings.TrimSpace(when), "not ")
		name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(name), "| bool"))
		value, known := a.truth(name)
		if !known || value == negated {
			return false
		}
	}
	return true
}

func conditionNames(claim kubespray.Claim) []string {
	var names []string
	for _, when := range claim.When {
		names = append(names, word.FindAllString(when, -1)...)
	}
	return names
}
