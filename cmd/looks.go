package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/cluster"
)

// lookLimit bounds a look at the cluster that no exit code depends on.
const lookLimit = 3 * time.Second

// told is a variable's effective value, where Ansible told it.
func (s *session) told(name string) (any, bool) {
	if s.values == nil {
		return nil, false
	}
	v, ok := s.values.Vars[name]
	return v, ok
}

// look reads objects, in the order of refs, once the cluster is known to be the
// inventory's. An error says why nothing was looked at. It waits little: a plugin of the
// kubeconfig may hang whatever its context says.
func (v *verification) look(ctx context.Context, s *session, refs []cluster.Ref) ([]cluster.State, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	defer runner.Guard()()
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	type answer struct {
		states []cluster.State
		err    error
	}
	told := make(chan answer, 1)
	looker := *v // what is found anew meanwhile does not concern a look that hangs
	go func() {
		err := looker.foreign(ctx, s)
		var states []cluster.State
		if err == nil {
			states = looker.cluster.States(ctx, refs)
		}
		told <- answer{states, err}
	}()
	select {
	case a := <-told:
		return a.states, a.err
	case <-ctx.Done():
		if parent.Err() != nil {
			return nil, context.Cause(parent)
		}
		return nil, fmt.Errorf("%s gave no answer within %s", v.cluster.Server(), lookLimit)
	}
}

// foreign says why the cluster may not be taken for the inventory's. One that the user
// named counts as it where its nodes may not be read.
func (v *verification) foreign(ctx context.Context, s *session) error {
	if len(s.inventories()) == 0 {
		return nil
	}
	named := v.kubeconfig != ""
	if s.values == nil {
		if named {
			return nil
		}
		return errors.New("the inventory's hosts are not known")
	}
	nodes, err := v.cluster.Nodes(ctx)
	switch {
	case cluster.KindOf(err) == cluster.KindForbidden && named:
		return nil
	case err != nil:
		return err
	}
	var hosts []cluster.Host
	for _, h := range s.values.Hosts {
		hosts = append(hosts, cluster.Host(h))
	}
	if m := cluster.MatchInventory(nodes, hosts); m.None() && len(nodes) > 0 {
		return fmt.Errorf("%s is another cluster: its nodes %s are none of the inventory's hosts", v.cluster.Server(), strings.Join(m.NodesOnly, ", "))
	}
	return nil
}

// nowhere is true where nobody named a cluster, and none was found.
func nowhere(err error) bool {
	var none *cluster.NoKubeconfigError
	return errors.As(err, &none) && none.Given == ""
}

// refs are the objects as the cluster is asked for them.
func refs(objects []kubespray.Object) []cluster.Ref {
	out := make([]cluster.Ref, len(objects))
	for i, o := range objects {
		out[i] = cluster.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
	}
	return out
}
