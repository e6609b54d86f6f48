package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/cluster"
)

func (a *app) addonList() *cobra.Command {
	s := &session{app: a, looks: true, versions: true}
	v := &verification{}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the addons that this checkout can install",
		Long: `Lists the addons of the checkout's cluster.yml with the variables that switch them on and
the tag to run each by. With an inventory (-i) it also asks Ansible which are asked for;
it connects to no host. With a kubeconfig (given, or found as "surespray verify" finds it)
it also tells which are installed, the version that the checkout pins and the one that
runs; a cluster that cannot be asked is no error. With -v it also tells what each gives up
for being easy, and what applying it again destroys.` + exitHelp(
			"0 listed",
			"64 arguments, an extra var that does not parse",
			"69 no checkout, or the inventory given cannot be read",
			"70 error of surespray"),
		Example: `  surespray addon list
  surespray addon list -i inventory/mycluster/inventory.ini -v
  surespray addon list -i inventory/mycluster/inventory.ini --kubeconfig ~/.kube/config -o json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.listAddons(c.Context(), s, v) },
	}
	s.bind(c, func(f runner.Flag) bool { return f.Lookup || f.Name == runner.ExtraVarsFlag })
	v.bindCluster(c)
	c.Flags().BoolVarP(&a.output.verbose, "verbose", "v", false, "also tell what each addon gives up, and what applying it again destroys")
	a.output.bindFormat(c, "text", "json")
	return c
}

// listed is an addon with what only a cluster or the values can tell.
type listed struct {
	kubespray.Addon
	Pinned  string             `json:"pinned,omitempty"`  // the version that would be installed
	Running string             `json:"running,omitempty"` // the version that runs
	Hazards []kubespray.Hazard `json:"hazards"`           // of applying it alone
	Trades  []kubespray.Trade  `json:"trades"`            // what its defaults give up

	objects []kubespray.Object
	pinned  kubespray.Pinned
	unseen  error // why some of its objects could not be looked at
}

func (a *app) listAddons(ctx context.Context, s *session, v *verification) error {
	if err := s.open(nil); err != nil {
		return err
	}
	catalogue, err := s.checkout.Catalogue("")
	if err != nil {
		return fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	if len(s.plan.Flags["inventory"]) > 0 {
		if err := s.askOnly(ctx); err != nil {
			return err
		}
	}
	list := make([]listed, len(catalogue.Addons))
	for i, addon := range catalogue.Addons {
		list[i] = s.list(catalogue, addon)
	}
	looked := v.openQuietly(s) && s.installed(ctx, v, list)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	a.output.own = func(w io.Writer) error {
		if a.output.format == "json" {
			return writeJSON(w, list)
		}
		return printAddons(w, list, looked, a.output.verbose)
	}
	return nil
}

// list tells what needs no cluster.
func (s *session) list(catalogue *kubespray.Catalogue, addon kubespray.Addon) listed {
	l := listed{Addon: addon, objects: s.checkout.Objects(addon, s.told), pinned: s.checkout.Pinned(addon, s.told)}
	l.Checks = checkIDs(addon.Name)
	if len(s.plan.Flags["inventory"]) > 0 {
		if asked, known := s.asked(addon); known {
			l.AskedFor = &asked
		}
	}
	l.Pinned = l.pinned.Version
	l.Hazards, l.Trades = []kubespray.Hazard{}, append([]kubespray.Trade{}, addon.Trades(s.told)...)
	if addon.Tag != "" {
		sel := kubespray.Selection{Tags: []string{addon.Tag}}
		for _, more := range catalogue.Companions(addon, addon.Tag) {
			sel.Tags = append(sel.Tags, more.Tag)
		}
		l.Hazards = append(l.Hazards, catalogue.Hazards(addon, sel, s.told)...)
	}
	return l
}

// openQuietly opens the cluster if there is one. None is no error here, and not worth a
// word as long as nobody named one.
func (v *verification) openQuietly(s *session) bool {
	err := v.open(s)
	if err != nil && !nowhere(err) {
		s.app.output.warn("what is installed is not known: %v", err)
	}
	return err == nil
}

// installed looks at the cluster, and tells what is there and what runs.
func (s *session) installed(ctx context.Context, v *verification, list []listed) bool {
	var objects []kubespray.Object
	for _, l := range list {
		objects = append(objects, kubespray.Telling(l.objects)...)
	}
	states, err := v.look(ctx, s, refs(objects))
	if err != nil {
		s.app.output.warn("what is installed is not known: %v", err)
		return false
	}
	for i := range list {
		n := len(kubespray.Telling(list[i].objects))
		list[i].take(states[:n])
		states = states[n:]
	}
	s.noteUnseen(list)
	return true
}

// take judges by what was seen: one workload that is there is enough, since settings
// leave others out.
func (l *listed) take(states []cluster.State) {
	if len(states) == 0 {
		return // nothing by which one could tell
	}
	here := false
	for _, state := range states {
		here = here || state.Present
		if l.unseen == nil {
			l.unseen = state.Err
		}
		if main := l.pinned.Main; state.Present && (l.Running == "" || main != nil && state.Ref.Name == main.Name) {
			if running := l.pinned.Running(state.Images); running != "" {
				l.Running = running
			}
		}
	}
	if here || l.unseen == nil {
		l.Installed = &here
	}
}

// noteUnseen says what could not be looked at: once for each right that is missing.
func (s *session) noteUnseen(list []listed) {
	var rights []string
	names, errs := map[string][]string{}, map[string]error{}
	for _, l := range list {
		right := missingRight(l.unseen)
		if l.unseen == nil {
			continue
		}
		if errs[right] == nil {
			rights, errs[right] = append(rights, right), l.unseen
		}
		names[right] = append(names[right], l.Name)
	}
	for _, right := range rights {
		s.app.output.warn("not all of %s could be looked at: %v", strings.Join(names[right], ", "), errs[right])
	}
}

// missingRight is what errors of the same reason have in common.
func missingRight(err error) string {
	var e *cluster.Error
	if errors.As(err, &e) {
		return fmt.Sprint(e.Kind, e.Access)
	}
	return fmt.Sprint(err)
}
