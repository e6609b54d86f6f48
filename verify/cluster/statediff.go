package cluster

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Change is what became of an object between two readings.
type Change string

// The changes. ChangeNone is for what was not there, neither before nor after.
const (
	ChangeNone      Change = ""
	ChangeCreated   Change = "created"
	ChangeRecreated Change = "re-created" // deleted, and another made under its name
	ChangeChanged   Change = "changed"
	ChangeUnchanged Change = "unchanged"
	ChangeGone      Change = "gone"
	ChangeUnknown   Change = "unknown" // it could not be looked at before or after
)

// Compare tells what became of an object, and the fields that differ, such as
// spec.template.spec.containers[metrics-server].args. The status and what controllers
// note do not count. Of a Secret's data no more than "data" is told.
func Compare(before, after State) (Change, []string) {
	switch {
	case before.Err != nil || after.Err != nil:
		return ChangeUnknown, nil
	case !before.Present && !after.Present:
		return ChangeNone, nil
	case !before.Present:
		return ChangeCreated, nil
	case !after.Present:
		return ChangeGone, nil
	case before.UID != after.UID:
		return ChangeRecreated, diff("", before.content, after.content)
	case before.version == after.version:
		return ChangeUnchanged, nil
	}
	if fields := diff("", before.content, after.content); len(fields) > 0 {
		return ChangeChanged, fields
	}
	return ChangeUnchanged, nil
}

// diff lists the paths at which two values differ: down through dictionaries, and
// through lists whose elements have names.
func diff(path string, a, b any) []string {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	am, aok := a.(map[string]any)
	bm, bok := b.(map[string]any)
	join := func(key string) string { return dotted(path, key) }
	if !aok || !bok {
		am, aok = byName(a)
		bm, bok = byName(b)
		join = func(key string) string { return path + "[" + key + "]" }
	}
	if !aok || !bok {
		return []string{path}
	}
	var out []string
	for _, key := range keys(am, bm) {
		out = append(out, diff(join(key), am[key], bm[key])...)
	}
	if len(out) == 0 {
		return []string{path} // only the order of a list
	}
	return out
}

func dotted(path, key string) string {
	switch {
	case strings.ContainsAny(key, "./[]"):
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

func keys(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// byName makes a dictionary of a list whose elements are dictionaries with a name each,
// all different.
func byName(v any) (map[string]any, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	out := map[string]any{}
	for _, item := range list {
		m, _ := item.(map[string]any)
		name, _ := m["name"].(string)
		if _, again := out[name]; name == "" || again {
			return nil, false
		}
		out[name] = item
	}
	return out, true
}
