package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
)

// settingTypes compares every value of the inventory with the type of its variable.
func settingTypes(a *auditor) {
	type line struct {
		file, key string
		line      int
	}
	seen := map[line]bool{} // a line that names many hosts is one finding
	for _, s := range a.Inventory.Settings {
		at := line{s.File, s.Key, s.Line}
		if s.Host != "" && seen[at] {
			continue
		}
		seen[at] = true
		f, ok := a.judge(s)
		if !ok {
			continue
		}
		f.File, f.Line, f.Key = s.File, s.ValueLine, s.Key
		if s.Line > 0 {
			f.Line = s.Line
		}
		if winner := a.overruled(s); winner != "" && f.Severity != extravars.SeverityInfo {
			f.Severity = extravars.SeverityWarning // it waits there for the next run
			f.Message += "; without effect here, because " + winner + " wins"
		}
		a.add(f)
	}
}

// judge compares one value; the finding has no place yet.
func (a *auditor) judge(s *inventory.Setting) (Finding, bool) {
	value, t := s.Value, a.Types.TypeOf(s.Key)
	text, isText := value.(string)
	if isText && isTemplate(text) {
		return Finding{}, false
	}
	if _, vault := value.(extravars.Vault); vault {
		return Finding{}, false
	}
	plain := s.Plain
	if s.Form != inventory.YAML {
		plain = strings.Trim(s.Raw, `'"`)
	}
	if _, float := value.(float64); float && t != extravars.Float && t != extravars.Int && strings.HasSuffix(s.Key, "_version") {
		t = extravars.String
	}
	switch {
	case t == extravars.Bool && isText:
		return a.textForBoolean(s, text), true
	case (t == extravars.List || t == extravars.Dict) && (extravars.TypeOf(value) == extravars.List || extravars.TypeOf(value) == extravars.Dict):
		if got := extravars.TypeOf(value); got != t && !a.isEmptyDefault(s.Key) {
			return Finding{Severity: extravars.SeverityWarning, Code: "wrong-collection", Message: fmt.Sprintf("%s is a %s in the checkout, this is a %s", s.Key, t, got), Fix: "write it as in the checkout's inventory/sample"}, true
		}
		return Finding{}, false
	}
	judged, found := extravars.Judge(s.Key, value, plain, t)
	if !found {
		return Finding{}, false
	}
	f := Finding{Severity: judged.Severity, Code: judged.Code, Message: judged.Message, Fix: judged.Fix}
	if a.Types.TypeOf(s.Key) == extravars.Unknown {
		f.Message = strings.Replace(f.Message, "is text in the checkout", "is a version", 1)
	}
	switch judged.Code {
	case "string-number":
		if r := a.counted(s.Key); r == nil {
			f.Severity, f.Message = extravars.SeverityInfo, fmt.Sprintf("%s is a number in the checkout, this is text; nothing of this release reckons with it", s.Key)
		} else {
			f.Message += fmt.Sprintf(" (%s:%d)", r.File, r.Line)
		}
	case "not-boolean":
		condition, _, _ := a.readers(s.Key)
		_, asserted := a.assertions[s.Key]
		if !asserted && (condition == nil || !slices.Contains(judged.Cores, a.core)) {
			f.Severity = extravars.SeverityWarning
		}
	case "boolean-where-text-expected":
		if a.mayBeBoolean(s.Key, value == true) {
			return Finding{}, false
		}
		f = a.quoted(f, s, plain)
	case "string-collection":
		f.Fix = fmt.Sprintf("write it as a %s of YAML, as in the checkout's defaults", t)
	case "version-read-as-number", "octal-read-as-number", "unquoted-number", "unquoted-date":
		f = a.wholeVersion(a.quoted(f, s, plain), s, plain)
	}
	if s.Form != inventory.YAML && (judged.Code == "string-number" || judged.Code == "string-collection") {
		f.Fix = "an INI takes Python's literals: write one, or move it to group_vars"
	}
	f.Message += a.hostsOf(s)
	return f, true
}

// mayBeBoolean reports whether a boolean does well where the checkout has a text: it is
// tested, and true is not written anywhere.
func (a *auditor) mayBeBoolean(name string, value bool) bool {
	tested, written := false, false
	for _, r := range a.Checkout.Reads(name) {
		tested = tested || r.How == kubespray.ReadCondition || r.How == kubespray.ReadTemplate
		written = written || r.How == kubespray.ReadOther
	}
	return tested && (!value || !written)
}

// counted is a place where the checkout reckons with a variable.
func (a *auditor) counted(name string) *kubespray.Read {
	for _, r := range a.Checkout.Reads(name) {
		if r.How == kubespray.ReadNumber {
			return &r
		}
	}
	return nil
}

// wholeVersion says what to write where a number cannot be among the release's versions,
// and that the checkout refuses it where it does.
func (a *auditor) wholeVersion(f Finding, s *inventory.Setting, plain string) Finding {
	table, known := a.Checkout.VersionTableOf(s.Key, a.Defaults)
	if f.Code != "version-read-as-number" || !known {
		return f
	}
	f.Fix = fmt.Sprintf("write a whole version in quotes, such as %q", a.nearVersion(plain+".", table.Versions))
	if table.Asserted != nil {
		f.Severity = extravars.SeverityError
		f.Message += fmt.Sprintf(", and the checkout refuses it (%s:%d)", table.Asserted.File, table.Asserted.Line)
	}
	return f
}

// hostsOf names the hosts that have a value from one line.
func (a *auditor) hostsOf(s *inventory.Setting) string {
	if s.Host == "" {
		return ""
	}
	var hosts []string
	for _, o := range a.Inventory.Named(s.Key) {
		if o.Host != "" && o.File == s.File && o.Line == s.Line {
			hosts = append(hosts, o.Host)
		}
	}
	return " (on " + some(hosts) + ")"
}

// quoted says how to keep a text in this form of file.
func (a *auditor) quoted(f Finding, s *inventory.Setting, plain string) Finding {
	if plain == "" || extravars.LooksSecret(s.Key) {
		return f
	}
	switch s.Form {
	case inventory.INIHost:
		f.Fix = fmt.Sprintf(`write %s="'%s'": Ansible eats the outer quotes; or move it to host_vars`, s.Key, plain)
	case inventory.INIVars:
		f.Fix = fmt.Sprintf(`write %s="%s", or move it to group_vars`, s.Key, plain)
	default:
		f.Fix = fmt.Sprintf("put it in quotes: %q", plain)
	}
	return f
}

// textForBoolean judges a text where the checkout has a boolean.
func (a *auditor) textForBoolean(s *inventory.Setting, text string) Finding {
	severity, what := a.consequence(s.Key, text)
	shown := " " + strconv.Quote(text)
	if _, isSwitch := booleanWord(text); extravars.LooksSecret(s.Key) && !isSwitch {
		shown = ""
	}
	f := Finding{
		Severity: severity, Code: "string-boolean",
		Message: fmt.Sprintf("%s is the text%s%s, and a boolean in the checkout: %s%s", s.Key, shown, a.hostsOf(s), what, a.disagreement(s)),
		Fix:     fmt.Sprintf("write %s: true or %s: false, without quotes", s.Key, s.Key),
	}
	if s.Form != inventory.YAML {
		f.Fix = fmt.Sprintf("write %s=True or %s=False, and nothing behind it", s.Key, s.Key)
	}
	meant, ok := booleanWord(strings.TrimSpace(beforeComment(text, s.Form)))
	if !ok {
		return f
	}
	f.Change = s.Change(meant)
	f.Fix = fmt.Sprintf("write %s: %t, without quotes", s.Key, meant)
	if s.Form != inventory.YAML && f.Change != nil {
		f.Fix = fmt.Sprintf("write %s=%s (an INI takes Python's spelling), or move it to group_vars", s.Key, f.Change.New)
	}
	return f
}

// beforeComment cuts what was meant as a comment in [group:vars], where Ansible knows none.
func beforeComment(text string, form inventory.Form) string {
	if form == inventory.INIVars {
		text, _, _ = strings.Cut(text, "#")
	}
	return text
}

// disagreement says when other hosts have a boolean where one has a text.
func (a *auditor) disagreement(s *inventory.Setting) string {
	if s.Host == "" {
		return ""
	}
	var others []string
	for _, o := range a.Inventory.Named(s.Key) {
		if _, boolean := o.Value.(bool); boolean && o.Host != "" && o.Host != s.Host {
			others = append(others, o.Host)
		}
	}
	if len(others) == 0 {
		return ""
	}
	return "; the hosts disagree: it is a boolean on " + some(others)
}

// some lists a few names and counts the rest.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// overruled says what wins over a setting on every host that it reaches, or "".
func (a *auditor) overruled(s *inventory.Setting) string {
	if i, ok := a.argument(s.Key); ok {
		return "-e " + a.ExtraVars.Elements[i].Shown
	}
	if winner := a.Inventory.Shadowed(s); winner != nil {
		return fmt.Sprintf("%s:%d", winner.File, winner.Line)
	}
	return ""
}

// isEmptyDefault is true for a variable whose default is an empty list or dictionary:
// it says nothing about what may be in there.
func (a *auditor) isEmptyDefault(name string) bool {
	v, ok := a.Defaults.Literal(name)
	switch v := v.(type) {
	case []any:
		return ok && len(v) == 0
	case map[string]any:
		return ok && len(v) == 0
	}
	return false
}
