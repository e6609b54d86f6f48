package kubespray

import (
	"path/filepath"
	"regexp"
	"strings"
)

// Claim is one condition that the checkout insists on: an element of an assert's that.
type Claim struct {
	That   string
	When   []string
	File   string // below the checkout
	Line   int
	Unless string // the variable that switches it off, or ""
}

// Claims returns what ansible_version.yml and roles/validate_inventory assert, in file
// order.
func (c *Checkout) Claims() ([]Claim, error) {
	version := c.docs.get(filepath.Join(c.Dir, "playbooks", "ansible_version.yml"))
	var out []Claim
	for _, play := range items(version.root) {
		out = append(out, c.claims(version, field(play, "tasks"))...)
	}
	doc := c.validation()
	return append(out, c.claims(doc, doc.root)...), doc.err
}

func (c *Checkout) validation() document {
	return c.docs.firstYAML(filepath.Join(c.RolesPath(), "validate_inventory", "tasks", "main"))
}

func (c *Checkout) claims(doc document, tasks *node) []Claim {
	var out []Claim
	for _, task := range items(tasks) {
		action, args := actionOf(task)
		if action != "assert" {
			continue
		}
		when := conditions(field(task, "when"))
		unless := ""
		for _, condition := range when {
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
			out = append(out, Claim{text(n), when, c.rel(doc.path), n.Line, unless})
		}
	}
	return out
}

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
	claims, err := c.Claims()
	var out []Assertion
	for _, claim := range claims {
		if m := boolAssertion.FindStringSubmatch(claim.That); m != nil {
			out = append(out, Assertion{Variable: m[1], File: claim.File, Line: claim.Line, Unless: claim.Unless})
		}
	}
	return out, err
}
