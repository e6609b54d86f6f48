package kubespray

import (
	"fmt"
	"strings"
)

// NoCheckoutError says that no checkout was found anywhere.
type NoCheckoutError struct{ Looked []string }

func (e *NoCheckoutError) Error() string {
	return fmt.Sprintf("no Kubespray checkout at, above or directly below %s; give one with --kubespray DIR or KUBESPRAY_DIR",
		strings.Join(e.Looked, " or "))
}

// AmbiguousError says that several children of a directory are checkouts.
type AmbiguousError struct {
	Dir      string
	Children []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s holds %d Kubespray checkouts (%s); say which with --kubespray DIR",
		e.Dir, len(e.Children), strings.Join(e.Children, ", "))
}

// NotACheckoutError says that a directory that was named is no checkout.
type NotACheckoutError struct {
	Dir   string
	From  string // --kubespray, KUBESPRAY_DIR or ""
	Lacks string
}

func (e *NotACheckoutError) Error() string {
	from := ""
	if e.From != "" {
		from = " (from " + e.From + ")"
	}
	return fmt.Sprintf("%s%s is not a Kubespray checkout: it has no %s; give the directory that holds cluster.yml, roles/ and playbooks/",
		e.Dir, from, e.Lacks)
}

// PlaybookError says that a playbook was not found.
type PlaybookError struct {
	Name   string
	Looked []string
	Has    []string // playbooks of the checkout
}

func (e *PlaybookError) Error() string {
	msg := fmt.Sprintf("playbook %s not found (looked for %s)", e.Name, strings.Join(e.Looked, " and "))
	if near := Nearest(e.Name, e.Has, 1); len(near) > 0 {
		return msg + "; did you mean " + near[0] + "?"
	}
	if len(e.Has) > 0 {
		return msg + "; this checkout has " + strings.Join(e.Has, ", ")
	}
	return msg + "; give its path"
}

// UnknownAddonError says that no addon of the checkout has this name.
type UnknownAddonError struct {
	Name    string
	Nearest []string
}

func (e *UnknownAddonError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("this checkout has no addon %q; surespray addon list shows them", e.Name)
	}
	return fmt.Sprintf("this checkout has no addon %q; did you mean %s? surespray addon list shows all",
		e.Name, strings.Join(e.Nearest, " or "))
}

// AmbiguousAddonError says that a name fits several addons.
type AmbiguousAddonError struct {
	Name string
	Fits []string
}

func (e *AmbiguousAddonError) Error() string {
	return fmt.Sprintf("%q fits several addons: %s; name one of them", e.Name, strings.Join(e.Fits, ", "))
}
