package checks

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// bindNodes is on how many nodes a probe makes a volume.
const bindNodes = 8

// localPathBind proves with a claim and a pod of its own, on several nodes, that volumes
// are made, mounted, written to and removed. Without a probe it tells what helper pods
// that others have caused say.
func localPathBind(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	b := &bindProbe{c: c, o: o}
	check := verify.Check{
		ID: lpBind, Title: "A volume is made, mounted, written to and removed", Area: localPathArea, Also: []string{localPathRole},
		Needs: []string{apiHealth, apiIdentity, lpDeployment, lpConfig, lpClass, lpClaims},
		Access: []verify.Access{
			right("", "pods", "list"), right("", "events", "list"), right("", "pods/log", "get"), right("", "nodes", "list"),
		},
		Help: "With --probe: makes a claim and a pod for up to 8 nodes in a namespace of its own, looks at the volume's path and node, writes a file and reads it back, and removes all again. " +
			"Without: reads the helper pods that are there. https://github.com/rancher/local-path-provisioner#usage",
		Run: func(ctx context.Context) []verify.Finding {
			s, err := sharedLocalPath(ctx, c, f, o)
			if err != nil {
				return []verify.Finding{unseen(err)}
			}
			own := judgeLocalPath(s)
			if !o.Probe || own[lpBind][0].Verdict == verify.VerdictSkip && s.nothingThere() {
				return own[lpBind]
			}
			for _, id := range []string{lpConfig, lpDeployment, lpClass} {
				if trouble(own[id]) {
					return []verify.Finding{verify.Because(id, "no volume was tried: the provisioner does not work")}
				}
			}
			return b.ask(ctx, s)
		},
	}
	if o.Probe {
		check.Access = append(check.Access,
			right("", "namespaces", "create"), right("", "namespaces", "get"), right("", "namespaces", "list"), right("", "namespaces", "delete"),
			right("", "pods", "create"), right("", "pods", "delete"), right("", "persistentvolumes", "get"), right("", "persistentvolumes", "patch"),
			right("", "persistentvolumeclaims", "create"), right("", "persistentvolumeclaims", "delete"), right("", "persistentvolumeclaims", "list"))
	}
	return []verify.Check{check}
}

// bindProbe is the probe under way. The engine asks again and again: each time it looks
// where every node is, and takes the next step.
type bindProbe struct {
	c *cluster.Cluster
	o Options

	mu    sync.Mutex
	probe *cluster.Probe
	tries []*bindTry
	over  bool
}

// bindTry is what is tried on one node.
type bindTry struct {
	node, name string
	image      probeImage
	began      time.Time
	made       bool            // claim and pod
	removed    bool            // they are deleted, and the volume should go
	volume     string          // once bound
	final      *verify.Finding // nothing more is to come
	proven     verify.Finding  // what passes once the volume is gone
}

func (b *bindProbe) ask(ctx context.Context, s *localPathState) []verify.Finding {
	b.mu.Lock()
	defer b.mu.Unlock()
	nodes, left := bindable(s.nodes.value)
	switch {
	case s.nodes.err != nil:
		return []verify.Finding{unseen(s.nodes.err)}
	case len(nodes) == 0 && b.tries == nil:
		return []verify.Finding{verify.Unknown("unschedulable", "no volume was tried: no node takes a pod without tolerations (not Ready, cordoned or tainted)").
			Mend("kubectl get nodes; kubectl describe nodes | grep -A3 Taints")}
	}
	if b.probe == nil {
		probe, err := b.c.StartProbe(ctx)
		if err != nil {
			return []verify.Finding{notAllowed(err, "")}
		}
		b.probe = probe
		for i, n := range nodes {
			b.tries = append(b.tries, &bindTry{node: n.Name, name: fmt.Sprintf("bind-%d", i), image: s.probeImage(n, b.o.ProbeImage), began: b.c.Now()})
		}
	}
	out := b.round(ctx, s)
	if left > 0 {
		out = append(out, verify.Skip("volumes were tried on %d of %d nodes", len(b.tries), len(s.nodes.value)))
	}
	if !b.over && !slices.ContainsFunc(b.tries, func(t *bindTry) bool { return t.final == nil }) {
		b.over = true
		_ = b.probe.End(ctx) // whoever opened the cluster waits for it, and tells if it fails
	}
	return out
}

// round takes each node a step further and says where it is.
func (b *bindProbe) round(ctx context.Context, s *localPathState) []verify.Finding {
	pods, claims := look(b.c.Pods(ctx, b.probe.Namespace, "")), look(b.c.Claims(ctx, b.probe.Namespace))
	events := look(b.c.EventsOfKind(ctx, b.probe.Namespace, "PersistentVolumeClaim"))
	podEvents := look(b.c.EventsOfKind(ctx, b.probe.Namespace, "Pod"))
	out := make([]verify.Finding, len(b.tries))
	var wg sync.WaitGroup
	for i, t := range b.tries {
		wg.Go(func() {
			view := bindView{
				state: s, try: t, claimEvents: events, podEvents: podEvents.value,
				pod: named(pods.value, t.name), claim: named(claims.value, t.name), err: firstError(pods.err, claims.err),
			}
			out[i] = b.step(ctx, t, &view)
			out[i].Subject, out[i].Of, out[i].On = t.node, len(b.tries), nil
		})
	}
	wg.Wait()
	return out
}

// step does what is next on one node.
func (b *bindProbe) step(ctx context.Context, t *bindTry, v *bindView) verify.Finding {
	if t.final != nil {
		return *t.final
	}
	if !t.made {
		if f, ok := b.make(ctx, t, v.state); !ok {
			t.final = &f
			return f
		}
		t.made = true
		return verify.Underway("provisioning", "a volume is being made on %s", t.node)
	}
	if v.claim != nil && v.claim.Spec.VolumeName != "" && !t.removed {
		t.volume = v.claim.Spec.VolumeName
	}
	if t.volume != "" {
		v.volume = look(b.c.Volume(ctx, t.volume))
	}
	if t.removed {
		return b.gone(t, v)
	}
	f := v.judge()
	if f.Retry {
		return f
	}
	if t.volume != "" && v.volume.ok() && v.volume.value.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain {
		_ = b.probe.DropWithClaim(ctx, t.volume) // else it shows as not removed
	}
	err := b.probe.Remove(ctx, t.name, t.name)
	switch {
	case f.Verdict != verify.VerdictPass:
		t.final = &f
		return f
	case err != nil:
		g := unseen(err)
		return g
	}
	t.removed, t.proven = true, f
	return verify.Underway("removing", "the volume on %s works, and is being removed", t.node)
}

// gone waits until the volume is removed: that is part of what the provisioner does.
func (b *bindProbe) gone(t *bindTry, v *bindView) verify.Finding {
	switch {
	case t.volume == "" || v.volume.absent():
		t.final = &t.proven
		return t.proven
	case v.volume.blind():
		return unseen(v.volume.err)
	}
	f := verify.NotYet("volume-not-removed", "the volume on %s works, and is not removed again", t.node).
		Seen(fmt.Sprintf("volume %s: %s %s", t.volume, v.volume.value.Status.Phase, v.volume.value.Status.Message)).
		Mend(fmt.Sprintf("kubectl -n %s logs deploy/%s --tail=50", v.state.namespace, localPathRole), "kubectl describe pv "+t.volume)
	f.Moving = v.state.now.Sub(t.began) < 2*time.Minute
	return f
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
