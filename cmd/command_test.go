package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/surespray/surespray/runner"
)

// all walks every command of ours.
func all(c *cobra.Command, f func(*cobra.Command)) {
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" && sub.Name() != "help" {
			f(sub)
			all(sub, f)
		}
	}
}

func root() *cobra.Command { return (&app{}).root() }

func TestEveryCommandHasAnExampleAndItsExitCodes(t *testing.T) {
	all(root(), func(c *cobra.Command) {
		if c.Example == "" || !strings.Contains(c.Long, "Exit codes:\n") || c.Short == "" {
			t.Errorf("%s lacks an example, exit codes or a short text", c.CommandPath())
		}
	})
}

// A prefix resolves among Ansible's names only: a flag of ours that is a prefix of one of
// them, or of its alias, would take its place.
func TestNoFlagOfOursShadowsAnsibles(t *testing.T) {
	var theirs []string
	for _, f := range runner.AnsibleFlags() {
		theirs = append(append(theirs, f.Name), f.Aliases...)
	}
	all(root(), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for _, name := range theirs {
				taken := c.Flags().Lookup(name) != nil // verify takes few of them
				if taken && !slices.Contains(theirs, f.Name) && strings.HasPrefix(name, f.Name) {
					t.Errorf("%s --%s is a prefix of --%s", c.CommandPath(), f.Name, name)
				}
			}
		})
	})
}

// run takes every flag of ansible-playbook.
func TestRunTakesEveryFlagOfAnsible(t *testing.T) {
	c, _, err := root().Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range runner.AnsibleFlags() {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if c.Flags().Lookup(name) == nil {
				t.Errorf("run has no --%s", name)
			}
		}
		if f.Short != "" && c.Flags().ShorthandLookup(f.Short) == nil {
			t.Errorf("run has no -%s", f.Short)
		}
	}
}

func TestPrefixesResolveAsArgparseDoes(t *testing.T) {
	name := normalize(func(runner.Flag) bool { return true })
	for in, want := range map[string]string{
		"tag": "tags", "inv": "inventory", "inventory-file": "inventory", "extra": "extra-vars", "key-file": "private-key",
		"vault-pass-file": "vault-password-file", "become": "become", "become-p": "become-password-file",
		"list": "list", "s": "s", "kubespray": "kubespray", "verify": "verify", "limit": "limit", "li": "li",
	} {
		if got := string(name(nil, in)); got != want {
			t.Errorf("--%s is %s, want %s", in, got, want)
		}
	}
}

func TestCategoriesAreThoseOfTheDesign(t *testing.T) {
	known := []string{"ok", "playbook", "unreachable", "usage", "audit", "nothing-ran", "preflight", "internal", "verify-failed", "inconclusive", "cancelled"}
	for _, code := range []int{0, 1, 2, 4, 5, 64, 65, 66, 69, 70, 73, 74, 99, 130, 143, 250} {
		if c := category(code); !slices.Contains(known, c) {
			t.Errorf("%d is %q", code, c)
		}
	}
}
