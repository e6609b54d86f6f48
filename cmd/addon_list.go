package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
)

func (a *app) addonList() *cobra.Command {
	s := &session{app: a}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the addons that this checkout can install",
		Long: `Lists the addons of the checkout's cluster.yml with the variables that switch them on and
the tag to run each by. With an inventory (-i) it also asks Ansible which are asked for;
it connects to no host.` + exitHelp(
			"0 listed",
			"64 arguments, an extra var that does not parse",
			"69 no checkout, or the inventory given cannot be read",
			"70 error of surespray"),
		Example: `  surespray addon list
  surespray addon list -i inventory/mycluster/inventory.ini -o json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.listAddons(c.Context(), s) },
	}
	s.bind(c, func(f runner.Flag) bool { return f.Lookup || f.Name == runner.ExtraVarsFlag })
	a.output.bindFormat(c, "text", "json")
	return c
}

func (a *app) listAddons(ctx context.Context, s *session) error {
	if err := s.open(nil); err != nil {
		return err
	}
	addons, err := s.checkout.Addons()
	if err != nil {
		return fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	for i := range addons {
		addons[i].Checks = checkIDs(addons[i].Name)
	}
	if len(s.plan.Flags["inventory"]) > 0 {
		if err := s.askOnly(ctx); err != nil {
			return err
		}
		for i := range addons {
			if asked, known := s.asked(addons[i]); known {
				addons[i].AskedFor = &asked
			}
		}
	}
	a.output.own = func(w io.Writer) error { return printAddons(w, a.output.format, addons) }
	return nil
}

func printAddons(w io.Writer, format string, addons []kubespray.Addon) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(addons)
	}
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "ADDON\tASKED FOR\tSWITCH\tTAG")
	for _, addon := range addons {
		asked := "-"
		if addon.AskedFor != nil {
			asked = map[bool]string{true: "yes", false: "no"}[*addon.AskedFor]
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", addon.Name, asked, strings.Join(addon.Switch, ","), addon.Tag)
	}
	return table.Flush()
}
