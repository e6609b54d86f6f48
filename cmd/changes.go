package cmd

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify/cluster"
	"github.com/surespray/surespray/verify/report"
)

// watch compares the objects of addons before and after a run: Kubespray applies them by
// a module that always says "changed=0".
type watch struct {
	s      *session
	v      verification
	addons []watched // that the run touches
	off    []watched // that are switched off
	before []cluster.State
	server string
	blind  error // why nothing was seen before the run
}

type watched struct {
	kubespray.Addon
	objects []kubespray.Object
}

// watchObjects reads the objects that the run may change. It stops nothing: a cluster
// that cannot be asked is a note at the end.
func (v *verification) watchObjects(ctx context.Context, s *session) (*watch, error) {
	w := &watch{s: s, v: verification{kubeconfig: v.kubeconfig, context: v.context}}
	if v.mode == "off" || v.snapshot != "" || s.plan.Flags.Has("check") || s.plan.Flags.Inert() || !s.installs() {
		return w, nil
	}
	all, err := s.checkout.Addons()
	if err != nil {
		return nil, fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	for _, addon := range all {
		one := watched{addon, s.checkout.Objects(addon, s.told)}
		switch asked, known := s.asked(addon); {
		case known && !asked:
			one.objects = kubespray.Telling(one.objects)
			w.off = append(w.off, one)
		case s.selects(addon):
			w.addons = append(w.addons, one)
		}
	}
	w.ownOnly()
	w.before, w.blind = w.look(ctx, w.addons)
	w.server = w.v.server()
	return w, nil
}

// ownOnly leaves out of the addons that are switched off what another one has as well.
func (w *watch) ownOnly() {
	wanted := map[string]bool{}
	all, _ := w.s.checkout.Addons() // read before
	for _, addon := range all {
		if asked, known := w.s.asked(addon); asked || !known {
			for _, o := range w.s.checkout.Objects(addon, w.s.told) {
				wanted[o.Key()] = true
			}
		}
	}
	for i := range w.off {
		w.off[i].objects = slices.DeleteFunc(w.off[i].objects, func(o kubespray.Object) bool { return wanted[o.Key()] })
	}
}

// look finds the cluster anew: the run may have made or changed the kubeconfig.
func (w *watch) look(ctx context.Context, addons []watched) ([]cluster.State, error) {
	var objects []kubespray.Object
	for _, a := range addons {
		objects = append(objects, a.objects...)
	}
	if len(objects) == 0 {
		return nil, nil
	}
	if err := w.v.find(w.s); err != nil {
		return nil, err
	}
	return w.v.look(ctx, w.s, refs(objects))
}

// tell reads the objects again, and puts into the report what became of them.
func (w *watch) tell(ctx context.Context) {
	if len(w.addons)+len(w.off) == 0 || ctx.Err() != nil {
		return
	}
	after, err := w.look(ctx, slices.Concat(w.addons, w.off))
	if err == nil && w.blind == nil && w.server != "" && w.server != w.v.server() {
		w.blind = fmt.Errorf("before it the kubeconfig was of %s, after it of %s", w.server, w.v.server())
	}
	switch {
	case err != nil:
		if !nowhere(err) {
			w.s.app.output.note("what the run changed is not known: %v", err)
		}
		return
	case w.blind != nil:
		w.s.app.output.note("what the run changed is not known: the objects were not seen before it: %v", w.blind)
	default:
		w.changes(after)
	}
	n := 0
	for _, a := range w.addons {
		n += len(a.objects)
	}
	w.leftover(after[n:])
}

func (w *watch) changes(after []cluster.State) {
	i := 0
	for _, a := range w.addons {
		told := false
		for range a.objects {
			change, fields := cluster.Compare(w.before[i], after[i])
			ref := after[i].Ref
			if change != cluster.ChangeNone {
				w.s.app.output.doc.Changes = append(w.s.app.output.doc.Changes, report.Change{
					Addon: a.Name, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, Change: string(change), Fields: fields,
				})
			}
			if change == cluster.ChangeUnknown && !told {
				w.s.app.output.note("%s: what changed is not known of all its objects: %v", a.Name, firstError(w.before[i].Err, after[i].Err))
				told = true
			}
			i++
		}
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// leftover tells of addons that are switched off and still there.
func (w *watch) leftover(states []cluster.State) {
	i := 0
	for _, a := range w.off {
		var here []string
		for range a.objects {
			if ref := states[i].Ref; states[i].Present {
				w.s.app.output.doc.Leftover = append(w.s.app.output.doc.Leftover, report.Leftover{
					Addon: a.Name, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, Switch: w.s.switchedOff(a.Addon),
				})
				here = append(here, ref.Kind+" "+strings.TrimPrefix(ref.Namespace+"/"+ref.Name, "/"))
			}
			i++
		}
		if len(here) > 0 {
			w.s.app.output.note("addon %s is switched off (%s), and still there: %s; Kubespray removes nothing: delete it with kubectl, or switch it on", a.Name, w.s.switchedOff(a.Addon), strings.Join(here, ", "))
		}
	}
}

// switchedOff names the switches with their values, and says where nobody set them.
func (s *session) switchedOff(a kubespray.Addon) string {
	var parts []string
	for _, name := range a.Switch {
		value := s.values.Vars[name]
		part := fmt.Sprintf("%s is %v", name, masked(name, value))
		if reflect.DeepEqual(value, a.Default[name]) {
			part += ", as by default"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}
