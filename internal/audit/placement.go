package audit

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/inventory"
)

// unusableInventory tells which inventory arguments give no hosts.
func unusableInventory(a *auditor) {
	for _, p := range a.Unusable {
		a.add(Finding{Severity: extravars.SeverityError, Code: p.Code, Message: p.Text, File: p.Path, Line: 1, Fix: p.Next})
	}
}

// unreadValues tells what Ansible passes over, or takes in another way than it looks.
func unreadValues(a *auditor) {
	severities := map[string]extravars.Severity{
		"inventory-syntax": extravars.SeverityError, "vars-syntax": extravars.SeverityError, "vars-unreadable": extravars.SeverityError,
		"not-audited-encrypted": extravars.SeverityInfo, "not-audited-stream": extravars.SeverityWarning, "host-vars-unused": extravars.SeverityInfo, "vars-file-ignored": extravars.SeverityInfo,
	}
	for _, p := range a.Inventory.Problems {
		severity, ok := severities[p.Code]
		if !ok {
			severity = extravars.SeverityWarning
		}
		f := Finding{Severity: severity, Code: p.Code, Key: p.Key, Message: p.Message, File: p.File, Line: p.Line, Fix: p.Fix}
		if p.Code == "group-vars-unused" {
			f.Message, f.Fix = a.groupHint(p.Key, f.Message, f.Fix)
		}
		if p.Code == "duplicate-key" {
			f.Message += a.inEffect(p)
		}
		a.add(f)
	}
}

// inEffect is the value of a key at the top of a file that stands there twice.
func (a *auditor) inEffect(p inventory.Problem) string {
	for _, s := range a.Inventory.Named(p.Key) {
		if s.File == p.File && s.Line == p.Line {
			return ": " + shown(s)
		}
	}
	return ""
}

// shown is a setting's value for people.
func shown(s *inventory.Setting) string {
	if extravars.LooksSecret(s.Key) {
		return extravars.Mask
	}
	switch v := s.Value.(type) {
	case extravars.Vault:
		return "<vault>"
	case string:
		if len(v) > 60 {
			v = v[:57] + "..."
		}
		return strconv.Quote(extravars.MaskUserinfo(v))
	case nil:
		return "null"
	case extravars.Mapping, []any:
		return "another " + extravars.TypeOf(v).String()
	default:
		return fmt.Sprint(v)
	}
}

// redefinitions tells where one value hides another: two files of one directory nearly
// always are a mistake, two groups are how overriding works.
func redefinitions(a *auditor) {
	seen := map[string]bool{}
	for _, s := range a.Inventory.Settings {
		if seen[s.Key] {
			continue
		}
		seen[s.Key] = true
		groups := slices.DeleteFunc(a.Inventory.Named(s.Key), func(s *inventory.Setting) bool { return s.Host != "" })
		last := map[string]*inventory.Setting{} // of each directory
		for _, g := range groups {
			last[g.Dir] = g
		}
		for i, earlier := range groups {
			if later := last[earlier.Dir]; later.File != earlier.File && !sameValue(later, earlier) {
				a.add(Finding{
					Severity: extravars.SeverityWarning, Code: "key-redefined-same-group", Key: s.Key, File: later.File, Line: later.Line,
					Message: fmt.Sprintf("%s is %s here and %s at %s:%d: files of one directory are read in name order, so this one is in effect", s.Key, shown(later), shown(earlier), earlier.File, earlier.Line),
					Fix:     "delete the stale line; keep one definition per key",
				})
			}
			if i > 0 {
				a.otherGroup(groups[:i], earlier)
			}
		}
	}
}

// otherGroup tells of the first value of another group that s hides, or is hidden by.
func (a *auditor) otherGroup(before []*inventory.Setting, s *inventory.Setting) {
	for _, other := range before {
		if other.Group == s.Group || other.Dir == s.Dir || sameValue(other, s) {
			continue
		}
		host := a.shared(other.Group, s.Group)
		if host == "" {
			continue
		}
		winner, loser := s, other
		if w, ok := a.Inventory.Effective(host, s.Key); ok && w == other {
			winner, loser = other, s
		}
		a.add(Finding{
			Severity: extravars.SeverityInfo, Code: "key-redefined-other-group", Key: s.Key, File: winner.File, Line: winner.Line,
			Message: fmt.Sprintf("%s is %s for %s, which wins over %s for %s at %s:%d", s.Key, shown(winner), winner.Group, shown(loser), loser.Group, loser.File, loser.Line),
		})
		return
	}
}

func sameValue(x, y *inventory.Setting) bool { return reflect.DeepEqual(x.Value, y.Value) }

// shared is a host that is in both groups, or "".
func (a *auditor) shared(x, y string) string {
	in := map[string]bool{}
	for _, h := range a.Inventory.HostsOf(x) {
		in[h] = true
	}
	for _, h := range a.Inventory.HostsOf(y) {
		if in[h] {
			return h
		}
	}
	return ""
}

// groupHint names the group that a directory in group_vars was probably meant for.
func (a *auditor) groupHint(name, message, fix string) (string, string) {
	for _, group := range slices.Sorted(maps.Keys(a.Inventory.Groups)) {
		if group != name && strings.ReplaceAll(group, "-", "_") == strings.ReplaceAll(name, "-", "_") {
			return fmt.Sprintf("%s; there is %s", message, group), fmt.Sprintf("rename it to %s", group)
		}
	}
	return message, fix
}
