package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/edit"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
)

// settingTypes compares every value of the inventory with the type of its variable.
func settingTypes(a *auditor) {
	for _, s := range a.Inventory.Settings {
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
		plain = strings.Trim(s.Raw[strings.Index(s.Raw, "=")+1:], `'"`)
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
	case "version-read-as-number", "octal-read-as-number", "unquoted-number", "unquoted-date", "boolean-where-text-expected":
		f = a.quoted(f, s, plain)
	}
	f.Message += hostsOf(s)
	return f, true
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

// hostsOf names the host of a setting that only one has.
func hostsOf(s *inventory.Setting) string {
	if s.Host == "" {
		return ""
	}
	return " (on " + s.Host + ")"
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
	shown := strconv.Quote(text)
	if extravars.LooksSecret(s.Key) {
		shown = "a text"
	}
	f := Finding{
		Severity: severity, Code: "string-boolean",
		Message: fmt.Sprintf("%s is the text %s%s, and a boolean in the checkout: %s%s", s.Key, shown, hostsOf(s), what, a.disagreement(s)),
		Fix:     fmt.Sprintf("write %s: true or %s: false, without quotes", s.Key, s.Key),
	}
	meant, ok := booleanWord(strings.TrimSpace(beforeComment(text, s.Form)))
	if !ok {
		return f
	}
	if s.Form == inventory.YAML {
		f.Fix = fmt.Sprintf("write %s: %t, without quotes", s.Key, meant)
		f.Change = changeYAML(s, meant)
		return f
	}
	word := strings.ToUpper(strconv.FormatBool(meant)[:1]) + strconv.FormatBool(meant)[1:]
	f.Fix = fmt.Sprintf("write %s=%s (an INI takes Python's spelling), or move it to group_vars", s.Key, word)
	f.Change = changeINI(s, word)
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

func changeYAML(s *inventory.Setting, meant bool) *edit.Change {
	written := s.Quoted
	if written == "" {
		written = s.Plain // a word such as y, which YAML 1.1 does not take for a boolean
	}
	if written == "" {
		return nil
	}
	return &edit.Change{File: s.File, Line: s.ValueLine, Column: s.ValueColumn, Old: written, New: strconv.FormatBool(meant)}
}

func changeINI(s *inventory.Setting, word string) *edit.Change {
	old := s.Raw[strings.Index(s.Raw, "=")+1:]
	if s.Form == inventory.INIVars {
		old = strings.TrimSpace(beforeComment(s.Raw, s.Form))
	}
	return &edit.Change{File: s.File, Line: s.ValueLine, Column: s.ValueColumn, Old: old, New: word}
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
