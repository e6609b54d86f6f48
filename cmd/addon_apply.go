package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/runner"
)

func (a *app) addonApply() *cobra.Command {
	s := &session{app: a, looks: true}
	v := &verification{}
	show := false
	c := &cobra.Command{
		Use:     "apply NAME...",
		Aliases: []string{"reinstall"},
		Short:   "Re-install addons by their tags, then verify them",
		Long: `Runs cluster.yml of the checkout with the tags of the addons named, and verifies them
afterwards. NAME is an addon of "surespray addon list", its tag, its role or its switch.
An addon that is switched off is refused: nothing would be installed.` + exitHelp(
			"0 applied, and everything in scope is proven",
			"1, 2, 4, 5, 99, 250 Ansible's own; a host unreachable is 4 even where Ansible said 0",
			"64 arguments, an extra var that does not parse, an unknown addon",
			"65 the addon is switched off, or an extra var that this ansible-core gets wrong",
			"66 Ansible ran, and no task of the addon did",
			"69 cannot start: checkout, inventory or Ansible missing",
			"70 error of surespray",
			"73 a check failed, or was still \"not yet\" at its deadline",
			"74 something in scope could not be looked at, or the cluster is not this inventory's",
			"130, 143 cancelled by SIGINT, SIGTERM"),
		Example: `  surespray addon apply metrics-server -i inventory/mycluster/inventory.ini -b
  surespray addon apply helm local-path -i inventory/mycluster/inventory.ini -b -e helm_enabled=true`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("surespray addon list", "name the addons to apply")
			}
			return nil
		},
		RunE: func(c *cobra.Command, names []string) error {
			s.applyNames = names
			return a.runPlaybooks(c.Context(), s, v, []string{"cluster.yml"}, show)
		},
	}
	// The tags are those of the addons: --tags is not the user's here.
	s.bind(c, func(f runner.Flag) bool { return f.Name != "tags" })
	v.bind(c)
	a.output.bind(c)
	c.Flags().BoolVar(&show, "show-plan", false, "print what would be run, start nothing")
	return c
}

// resolveAddons turns the addons named into tags of the plan.
func (s *session) resolveAddons() error {
	if len(s.applyNames) == 0 {
		return nil
	}
	catalogue, err := s.checkout.Catalogue("")
	if err != nil {
		return fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	var tags []string
	for _, name := range s.applyNames {
		addon, tag, err := catalogue.Resolve(name)
		if err != nil {
			return err
		}
		if tag == "" {
			return usagef("surespray run --tags …", "addon %s has no tag of its own in this checkout", addon.Name)
		}
		s.applyAddons = append(s.applyAddons, addon)
		tags = append(tags, tag)
	}
	s.plan.Flags["tags"] = []string{strings.Join(tags, ",")}
	return nil
}
