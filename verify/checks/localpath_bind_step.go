package checks

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

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
