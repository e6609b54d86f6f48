package cmd

import (
	"github.com/spf13/cobra"

	"github.com/surespray/surespray/runner"
)

func (a *app) addonApply() *cobra.Command {
	s := &session{app: a, looks: true, versions: true}
	v := &verification{}
	show := false
	c := &cobra.Command{
		Use:     "apply NAME...",
		Aliases: []string{"reinstall"},
		Short:   "Re-install addons by their tags, then verify them",
		Long: `Runs cluster.yml of the checkout with the tags of the addons named, and verifies them
afterwards. NAME is an addon of "surespray addon list", its tag, its role or its switch,
or a pattern such as 'csi-*', which stands for the addons that are switched on.
Tags that an addon needs beside its own are added, and said. Refused is what would do
nothing, such as an addon that is switched off, and what the re-run would destroy: see
"hazard" in the message for the way round it, or --accept hazard=NAME.` + exitHelp(
			"0 applied, and everything in scope is proven",
			"1, 2, 4, 5, 99, 250 Ansible's own; a host unreachable is 4 even where Ansible said 0",
			"64 arguments, an extra var that does not parse, an unknown addon",
			"65 it would do nothing, or destroys something (hazard), or an extra var that this ansible-core gets wrong",
			"66 Ansible ran, and no task of the addon did",
			"69 cannot start: checkout, inventory or Ansible missing",
			"70 error of surespray",
			"73 a check failed, or was still \"not yet\" at its deadline",
			"74 something in scope could not be looked at, or the cluster is not this inventory's",
			"130, 143 cancelled by SIGINT, SIGTERM"),
		Example: `  surespray addon apply metrics-server -i inventory/mycluster/inventory.ini -b
  surespray addon apply helm local-path -i inventory/mycluster/inventory.ini -b -e helm_enabled=true
  surespray addon apply cert-manager -i inventory/mycluster/inventory.ini -b --skip-tags upgrade
  surespray addon apply calico -i inventory/mycluster/inventory.ini -b --accept hazard=cni-reapply`,
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
	s.bindAudit(c)
	v.bind(c)
	a.output.bind(c)
	c.Flags().BoolVar(&show, "show-plan", false, "print what would be run, start nothing")
	return c
}
