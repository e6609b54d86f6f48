package cmd

import "github.com/spf13/cobra"

func (a *app) addon() *cobra.Command {
	c := &cobra.Command{
		Use:     "addon",
		GroupID: "everyday",
		Short:   "List the addons of the checkout, or re-install one by its tag",
		Long:    "Lists the addons that the checkout can install, or re-installs one by its tag." + exitHelp("0 ok", "64 arguments"),
		Example: "  surespray addon list\n  surespray addon apply metrics-server -i inventory/mycluster/inventory.ini -b",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.addonList(), a.addonApply(), a.addonSwitch("enable", true), a.addonSwitch("disable", false))
	return c
}
