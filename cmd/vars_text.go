package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/surespray/surespray/extravars"
)

// text tells for each argument, variable by variable, what three readers make of it.
func (v varsView) text(w io.Writer) error {
	var b strings.Builder
	for _, e := range v.vars.Elements {
		v.element(&b, e)
	}
	if len(v.vars.Elements) == 0 {
		b.WriteString("no -e was given\n")
	}
	for _, f := range v.vars.Findings {
		fmt.Fprintf(&b, "%s %s: %s\n", f.Severity, f.Code, f.Message)
		if f.Fix != "" {
			fmt.Fprintf(&b, "  fix: %s\n", f.Fix)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (v varsView) element(b *strings.Builder, e extravars.Element) {
	fmt.Fprintf(b, "-e %s\n", extravars.ShellQuote(v.shown(e)))
	switch {
	case e.Form == extravars.FormEmpty:
		b.WriteString("  empty: dropped, as Ansible does\n\n")
		return
	case e.Opaque:
		b.WriteString("  passed on as it is, not looked into: encrypted as a whole, or a pipe\n\n")
		return
	case e.Form == extravars.FormFile:
		b.WriteString("  passed on as it is: a file has types already\n")
	}
	for _, key := range v.keys(e) {
		v.variable(b, e, key)
	}
	for _, n := range e.Notes {
		fmt.Fprintf(b, "  note: %s\n", strings.TrimPrefix(n.Key+": "+n.Text, ": "))
	}
	b.WriteString("\n")
}

// keys are the variables of an element, in the order of its text.
func (v varsView) keys(e extravars.Element) []string {
	var keys []string
	seen := map[string]bool{}
	for _, m := range []extravars.Mapping{e.Raw[extravars.Core218], e.Raw[extravars.Core219], e.Sent} {
		for _, p := range m {
			if key := fmt.Sprint(p.Key); !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// variable writes the lines of one variable. A row for each reader: its value, and what
// the value does.
func (v varsView) variable(b *strings.Builder, e extravars.Element, key string) {
	fmt.Fprintf(b, "  %s%s\n", key, v.defaultText(key))
	for _, core := range extravars.Cores() {
		label := map[extravars.Core]string{extravars.Core218: "raw, ansible-core <= 2.18", extravars.Core219: "raw, ansible-core >= 2.19"}[core]
		fmt.Fprintf(b, "    %-26s %-20s %s\n", label, v.value(e.Raw[core], key), v.effect(e, core, key))
	}
	fmt.Fprintf(b, "    %-26s %-20s %s\n", "surespray sends", v.value(e.Sent, key), v.sentText(e, key))
	for _, core := range extravars.Cores() {
		if a, stopped := v.assertion(e, core); stopped && a.Variable == key {
			fmt.Fprintf(b, "    the checkout's own check stops the raw one (%s:%d)\n", a.File, a.Line)
			break
		}
	}
}

func (v varsView) defaultText(key string) string {
	for _, d := range v.types.Defaults(key) {
		if d.Type == v.types.TypeOf(key) && d.Type != extravars.Unknown {
			return fmt.Sprintf("  (the checkout's default is %s: %s:%d)", typeWord(d.Type), d.File, d.Line)
		}
	}
	if d := v.types.Defaults(key); len(d) > 0 {
		return fmt.Sprintf("  (its default is a template: run asks Ansible for its type: %s:%d)", d[0].File, d[0].Line)
	}
	return "  (this checkout has no default for it)"
}

func typeWord(t extravars.Type) string {
	switch t {
	case extravars.Bool:
		return "a boolean"
	case extravars.Int:
		return "an integer"
	case extravars.Float:
		return "a number"
	case extravars.String:
		return "text"
	case extravars.List:
		return "a list"
	case extravars.Dict:
		return "a dictionary"
	}
	return t.String()
}

// value is a variable's value as JSON, so that text and boolean look different.
func (v varsView) value(m extravars.Mapping, key string) string {
	for _, p := range v.mask(m) {
		if fmt.Sprint(p.Key) != key {
			continue
		}
		text, err := json.Marshal(extravars.Mapping{{Key: "v", Value: p.Value}})
		if err != nil {
			return "?"
		}
		value := strings.TrimSpace(strings.TrimSuffix(strings.SplitN(string(text), ":", 2)[1], "}"))
		if len(value) > 60 {
			value = value[:57] + "..."
		}
		return value
	}
	return "(refused)"
}

// effect says what a raw value does in a bare condition, loudly where it is not what it
// says.
func (v varsView) effect(e extravars.Element, core extravars.Core, key string) string {
	raw, given := e.Raw[core].Get(key)
	if !given {
		return ""
	}
	boolean := v.types.TypeOf(key) == extravars.Bool
	switch e.Condition(core)[key] {
	case "error":
		if boolean {
			return "ERROR in a condition: the run dies there"
		}
	case true:
		if sent, ok := e.Sent.Get(key); ok && sent == false {
			if addon := v.switches[key]; addon != "" {
				return "counts as TRUE in a condition: " + addon + " is INSTALLED"
			}
			return "counts as TRUE in a condition"
		}
		if _, text := raw.(string); text && boolean {
			return "counts as true in a condition"
		}
	}
	return ""
}

func (v varsView) sentText(e extravars.Element, key string) string {
	sent, ok := e.Sent.Get(key)
	if !ok {
		return ""
	}
	switch sent.(type) {
	case bool:
		return "a boolean: means what it says"
	case string:
		if v.types.TypeOf(key) == extravars.String {
			return "text by design"
		}
	}
	return ""
}

// args prints the same meaning for raw ansible-playbook, and for the inventory. Secrets
// are not printed: @FILE stands for a file of the user's.
func (v varsView) args(w io.Writer) error {
	var b strings.Builder
	for _, e := range v.vars.Elements {
		text, _ := e.Content()
		switch {
		case e.Form == extravars.FormFile && text == nil:
			fmt.Fprintf(&b, "-e %s\n", extravars.ShellQuote("@"+e.Path))
		case text == nil:
		case !v.secrets && e.Shown != e.Text:
			fmt.Fprintf(&b, "-e @FILE   # a file of yours, mode 0600, for %s\n", strings.Join(v.keys(e), ", "))
		default:
			fmt.Fprintf(&b, "-e %s\n", extravars.ShellQuote(strings.TrimSpace(string(text))))
		}
	}
	lines, err := v.yamlLines()
	if err != nil {
		return err
	}
	if lines != "" {
		b.WriteString("\n# the same in the inventory, e.g. group_vars/all/extra.yml\n" + lines)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// yamlLines writes each variable as a line of YAML whose value is JSON, which YAML is a
// superset of.
func (v varsView) yamlLines() (string, error) {
	var b strings.Builder
	for _, p := range v.merged() {
		if name := fmt.Sprint(p.Key); !v.secrets && extravars.LooksSecret(name) {
			fmt.Fprintf(&b, "# %s: not shown; keep it in a vaulted file\n", name)
			continue
		}
		text, err := json.Marshal(v.mask(extravars.Mapping{{Key: "v", Value: p.Value}}))
		if err != nil {
			return "", fmt.Errorf("writing %v: %w", p.Key, err)
		}
		_, value, _ := strings.Cut(string(text), ":")
		fmt.Fprintf(&b, "%v: %s\n", p.Key, strings.TrimSpace(strings.TrimSuffix(value, "}")))
	}
	return b.String(), nil
}
