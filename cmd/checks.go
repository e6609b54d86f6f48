package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/checks"
)

func (a *app) checks() *cobra.Command {
	c := &cobra.Command{
		Use:     "checks",
		Short:   "List the checks, or print the rights that they need",
		Long:    "Lists the checks of verify, or prints the least rights that they need." + exitHelp("0 ok", "64 arguments"),
		Example: "  surespray checks list\n  surespray checks rbac | kubectl apply -f -",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.checksList(), a.checksRBAC())
	return c
}

func (a *app) checksList() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the checks with their ids and areas",
		Long: `Lists the checks: verify takes ids and areas, explain tells more about each. No cluster
is needed.` + exitHelp("0 listed", "64 arguments"),
		Example: "  surespray checks list\n  surespray checks list -o json",
		Args:    noArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			list := checks.For(nil, checks.Facts{}, checks.Options{})
			a.output.own = func(w io.Writer) error { return printChecks(w, a.output.format, list) }
			return nil
		},
	}
	a.output.bindFormat(c, "text", "json")
	return c
}

func printChecks(w io.Writer, format string, list []verify.Check) error {
	if format != "json" {
		table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tAREA\tPROVES THAT")
		for _, c := range list {
			fmt.Fprintf(table, "%s\t%s\t%s\n", c.ID, c.Area, c.Title)
		}
		return table.Flush()
	}
	type entry struct {
		ID    string   `json:"id"`
		Area  string   `json:"area"`
		Title string   `json:"title"`
		Help  string   `json:"help"`
		Needs []string `json:"needs"`
	}
	out := make([]entry, 0, len(list))
	for _, c := range list {
		out = append(out, entry{c.ID, c.Area, c.Title, c.Help, nonNil(c.Needs)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
