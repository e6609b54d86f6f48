package kubespray

import (
	"path/filepath"
	"regexp"
	"strings"
)

// Assertion is a variable that the checkout itself refuses when it is no boolean.
type Assertion struct {
	Variable string
	File     string // below the checkout
	Line     int
	// Unless is the variable that switches the assertion off, or "".
	Unless string
}

var boolAssertion = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z0-9_]*)\s*\|\s*type_debug\s*==\s*['"]bool['"]\s*$`)

// Assertions returns the variables that roles/validate_inventory asserts to be
// boolean, in file order. A checkout without that role has none.
func (c *Checkout) Assertions() ([]Assertion, error) {
	doc := c.docs.firstYAML(filepath.Join(c.RolesPath(), "validate_inventory", "tasks", "main"))
	if doc.err != nil {
		return nil, doc.err
	}
	var out []Assertion
	for _, task := range items(doc.root) {
		action, args := actionOf(task)
		if action != "assert" {
			continue
		}
		unless := ""
		for _, condition := range conditions(field(task, "when")) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(condition), "not "); ok && isName(strings.TrimSpace(name)) {
				unless = strings.TrimSpace(name)
			}
		}
		that := field(args, "that")
		lines := items(that)
		if len(lines) == 0 && that != nil {
			lines = []*node{that}
		}
		for _, n := range lines {
			if m := boolAssertion.FindStringSubmatch(text(n)); m != nil {
				out = append(out, Assertion{Variable: m[1], File: c.rel(doc.path), Line: n.Line, Unless: unless})
			}
		}
	}
	return out, nil
}
