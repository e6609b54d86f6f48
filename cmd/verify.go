package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
)

func (a *app) verify() *cobra.Command {
	s := &session{app: a, looks: true, versions: true}
	v := &verification{}
	c := &cobra.Command{
		Use:     "verify [NAME...]",
		GroupID: "everyday",
		Short:   "Verify the live cluster; without --probe nothing is changed",
		Long: `Verifies on the live cluster that the control plane answers, that the nodes are Ready,
and that metrics-server delivers metrics for every node. It only reads, unless --probe
allows it to make a volume and pods in a namespace of its own, which it removes again.
NAME is the id of a check, an area or an addon; without one everything is checked. hpa
NAMESPACE/NAME asks about one HorizontalPodAutoscaler.
With an inventory (-i) Ansible is asked which addons should be there and which hosts are
the cluster's; without one what is present is checked, and a NAME given is asked for.` + exitHelp(
			"0 everything in scope is proven (warnings and explained skips allowed)",
			"64 arguments, an unknown NAME",
			"69 the inventory given cannot be read, or Ansible is missing for it",
			"70 error of surespray",
			"73 a check failed, or was still \"not yet\" at its deadline",
			"74 something could not be looked at, or the cluster is not the inventory's",
			"130, 143 cancelled by SIGINT, SIGTERM"),
		Example: `  surespray verify --kubeconfig ~/.kube/config
  surespray verify metrics-server -i inventory/mycluster/inventory.ini -v
  surespray verify nodes.ready -o json
  surespray verify hpa shop/web
  surespray verify local-path --probe
  surespray verify --snapshot /tmp/mycluster`,
		RunE: func(c *cobra.Command, names []string) error { return a.verifyCluster(c.Context(), s, v, names) },
	}
	s.bind(c, func(f runner.Flag) bool {
		return f.Lookup && f.Name != "module-path" || f.Name == runner.ExtraVarsFlag
	})
	v.bindCluster(c)
	v.bindSnapshot(c)
	v.bindProbes(c)
	c.Flags().StringArrayVar(&v.skip, "skip", nil, "leave a check or an area `NAME` out, repeatable")
	c.Flags().DurationVar(&v.within, "within", 30*time.Second, "how long to wait for what is not there yet")
	a.output.bind(c)
	return c
}

func (a *app) verifyCluster(ctx context.Context, s *session, v *verification, names []string) error {
	if v.snapshot != "" {
		if err := v.openSnapshot(); err != nil {
			return err
		}
	}
	names, err := v.takeSubjects(names)
	if err != nil {
		return err
	}
	if err := v.prepare(ctx, s, names); err != nil {
		return err
	}
	return v.check(ctx, s, s.verifyNames)
}

// prepare reads what a verification stands on: the inventory with what Ansible makes of
// it; without one the snapshot's own values, or nothing but the names of a checkout.
func (v *verification) prepare(ctx context.Context, s *session, names []string) (err error) {
	switch {
	case len(s.ansible.args["inventory"]) > 0:
		if err = s.open(nil); err == nil {
			err = s.askOnly(ctx)
		}
	case v.snapshot != "":
		err = s.readFolder(v.cluster.Snapshot())
	default:
		err = s.openPresent()
	}
	if err == nil {
		err = v.settle(s)
	}
	if err != nil {
		return err
	}
	s.verifyNames = s.checkNames(names)
	return nil
}

// openPresent is for a cluster without an inventory. A checkout is of use for the names
// of addons, and not needed.
func (s *session) openPresent() (err error) {
	if s.cwd, err = os.Getwd(); err != nil {
		return fmt.Errorf("reading the current directory: %w", err)
	}
	if err := s.openCheckout(nil); err != nil {
		var none *kubespray.NoCheckoutError
		if !errors.As(err, &none) {
			return err
		}
	}
	return nil
}

// checkNames maps addons as people call them (metrics_server) to their checks.
func (s *session) checkNames(names []string) []string {
	if s.checkout == nil {
		return names
	}
	catalogue, err := s.checkout.Catalogue("")
	if err != nil {
		return names
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name
		addon, _, err := catalogue.Resolve(name)
		if err == nil && (len(checkIDs(addon.Name)) > 0 || len(checkIDs(name)) == 0) {
			out[i] = addon.Name // "network" is an area first, and a role's tag second
		}
	}
	return out
}
