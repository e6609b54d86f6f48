package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// bindView is what is seen of a try on one node.
type bindView struct {
	state       *localPathState
	try         *bindTry
	pod         *corev1.Pod
	claim       *corev1.PersistentVolumeClaim
	volume      seen[*corev1.PersistentVolume]
	claimEvents seen[[]corev1.Event]
	podEvents   []corev1.Event
	err         error // pods or claims of the probe could not be read
}

// judge says where the try is. It passes when the pod has used the volume.
func (v *bindView) judge() verify.Finding {
	node := v.try.node
	switch {
	case v.err != nil:
		return unseen(v.err)
	case v.pod == nil || v.claim == nil:
		return verify.Unknown("probe-removed", "the probe on %s was removed by somebody else", node)
	case v.claim.Status.Phase != corev1.ClaimBound:
		return v.unbound()
	case v.volume.err != nil:
		return unseen(v.volume.err)
	case v.volume.value == nil:
		return verify.Underway("provisioning", "a volume is being made on %s", node)
	}
	where := volumePath(*v.volume.value)
	if roots := v.roots(); len(roots) > 0 && !slices.ContainsFunc(roots, func(r string) bool { return strings.HasPrefix(where, path.Clean(r)+"/") }) {
		return verify.Fail("path-not-under-root", "the volume on %s is at %s, which is not below %s", node, where, some(roots, 3)).
			Mend(fmt.Sprintf("kubectl -n %s rollout restart deployment/%s (it reads its configuration late)", v.state.namespace, localPathRole), applyLocalPath)
	}
	if on := volumeNodes(*v.volume.value); len(on) > 0 && !slices.Contains(on, v.state.hostname(node)) {
		return verify.Fail("volume-other-node", "the volume for %s is bound to %s", node, some(on, 3)).
			Seen("volume " + v.volume.value.Name).Mend("kubectl describe pv " + v.volume.value.Name)
	}
	return v.used(where)
}

// roots are the paths below which a volume of the node may be.
func (v *bindView) roots() []string {
	if config, err := v.state.pathConfig(); err == nil {
		return config.paths(v.try.node)
	}
	if v.state.claimRoot != "" {
		return []string{v.state.claimRoot}
	}
	return nil
}

// unbound says why the claim waits: the same judge as for everybody's claims.
func (v *bindView) unbound() verify.Finding {
	if c := podCondition(*v.pod, corev1.PodScheduled); c != nil && c.Status == corev1.ConditionFalse && v.claim.Annotations[selectedNode] == "" {
		f := verify.Unknown("unschedulable", "no volume was tried on %s: it takes no pod now", v.try.node).
			Seen(fmt.Sprintf("PodScheduled=False %s: %s", c.Reason, c.Message)).Mend("kubectl describe node " + v.try.node)
		f.Retry = true
		return f
	}
	s := *v.state
	s.claimEvents, s.consumers = v.claimEvents, seen[[]corev1.Pod]{value: []corev1.Pod{*v.pod}}
	s.claims = seen[[]corev1.PersistentVolumeClaim]{value: []corev1.PersistentVolumeClaim{*v.claim}}
	f := s.judgeClaim(*v.claim)
	if f.Verdict == verify.VerdictPass || f.CausedBy != "" {
		return verify.Underway("provisioning", "a volume is being made on %s", v.try.node)
	}
	// What is to be looked at in the probe's namespace is gone when somebody reads it.
	f.Fix = slices.DeleteFunc(slices.Clone(f.Fix), func(fix string) bool { return strings.Contains(fix, v.claim.Namespace) })
	return f
}
