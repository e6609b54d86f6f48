package cmd

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/cluster"
)

func (a *app) probes() *cobra.Command {
	c := &cobra.Command{
		Use:   "probes",
		Short: "List or remove what probes have left in the cluster",
		Long: `A probe makes a volume or a pod in a namespace of its own, surespray-probe-…, with the label
app.kubernetes.io/managed-by=surespray and an expiry, and removes it at its end. What a
killed process leaves is removed by the next probe after its expiry, or by clean.` + exitHelp("0 ok", "64 arguments"),
		Example: "  surespray probes list --kubeconfig ~/.kube/config\n  surespray probes clean -i inventory/mycluster/inventory.ini",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		a.probesCommand("list", "List the namespaces that probes have made", `Lists the namespaces that probes have made, of this and of other processes. It only reads.`, a.listProbes),
		a.probesCommand("clean", "Remove the namespaces that probes have made",
			`Removes the namespaces that probes have made, expired or not: a probe that is under way
somewhere else ends as unknown. Nothing else in the cluster is touched.`, a.cleanProbes))
	return c
}

func (a *app) probesCommand(use, short, long string, do func(context.Context, *verification) error) *cobra.Command {
	s := &session{app: a}
	v := &verification{}
	c := &cobra.Command{
		Use: use, Short: short,
		Long: long + exitHelp("0 ok", "64 arguments", "69 the inventory given cannot be read", "70 error of surespray",
			"74 the cluster cannot be asked, a right is missing, or something is still left"),
		Example: "  surespray probes " + use + " --kubeconfig ~/.kube/config",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := v.prepare(c.Context(), s, nil); err != nil {
				return err
			}
			if err := v.open(s); err != nil {
				_, next := noWay(err)
				return exitError{code: exitInconclusive, what: err.Error(), next: next}
			}
			defer runner.Guard()()
			return do(c.Context(), v)
		},
	}
	s.bind(c, func(f runner.Flag) bool { return f.Lookup && f.Name != "module-path" || f.Name == runner.ExtraVarsFlag })
	v.bindCluster(c)
	a.output.bindFormat(c, "text", "json")
	return c
}

func (a *app) listProbes(ctx context.Context, v *verification) error {
	all, err := v.cluster.Probes(ctx)
	if err != nil {
		return exitError{code: exitInconclusive, what: err.Error(), next: "surespray verify api-server"}
	}
	a.output.own = func(w io.Writer) error {
		if a.output.format == "json" {
			return writeJSON(w, all)
		}
		return printProbes(w, all, v.cluster.Now())
	}
	return nil
}

func printProbes(w io.Writer, all []cluster.ProbeNamespace, now time.Time) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no probe has left anything")
		return err
	}
	for _, p := range all {
		ends := "expires in " + p.Expires.Sub(now).Round(time.Second).String()
		if p.Expires.Before(now) {
			ends = "expired"
		}
		line := fmt.Sprintf("%s  %s, made %s ago, %s", p.Name, strings.ToLower(p.State), now.Sub(p.Created).Round(time.Second), ends)
		if len(p.Volumes) > 0 {
			line += ", with the volumes " + strings.Join(p.Volumes, ", ")
		}
		if p.Stuck != "" {
			line += "; it does not go: " + p.Stuck
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) cleanProbes(ctx context.Context, v *verification) error {
	all, err := v.cluster.Probes(ctx)
	if err != nil {
		return exitError{code: exitInconclusive, what: err.Error(), next: "surespray verify api-server"}
	}
	names := []string{}
	for _, p := range all {
		names = append(names, p.Name)
	}
	if err := v.cluster.RemoveProbes(ctx, names); err != nil {
		return exitError{code: exitInconclusive, what: err.Error(), next: "surespray probes list"}
	}
	a.output.own = func(w io.Writer) error {
		if a.output.format == "json" {
			return writeJSON(w, all)
		}
		_, err := fmt.Fprintf(w, "%d removed %s\n", len(names), strings.Join(names, " "))
		return err
	}
	return nil
}
