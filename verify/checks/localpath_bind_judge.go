package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
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

// used says what the pod made of its volume.
func (v *bindView) used(where string) verify.Finding {
	node, took := v.try.node, ""
	c := containerStatus(*v.pod, mainContainer(*v.pod))
	if c != nil && c.State.Terminated != nil && !c.State.Terminated.FinishedAt.IsZero() {
		took = fmt.Sprintf(" in %d s", int(c.State.Terminated.FinishedAt.Sub(v.try.began).Seconds()))
	}
	fine := func(what string) verify.Finding {
		return verify.Pass("a volume was made on %s%s, %s; all is removed again", node, took, what).Seen("volume at "+where+" on "+node, "pod with image "+v.try.image.name)
	}
	unwritten := "mounted (no file was written and read back: the image cannot)"
	switch {
	case c == nil:
	case c.State.Terminated != nil && v.try.image.shell && strings.TrimSpace(c.State.Terminated.Message) == v.try.name:
		return fine("mounted, a file written and read back")
	case c.State.Terminated != nil && contains(c.State.Terminated.Message, "executable file not found", "no such file or directory") && c.State.Terminated.ExitCode == 128:
		return fine(unwritten)
	case c.State.Terminated != nil:
		f, ok := v.state.diskTrouble(node, c.State.Terminated.Message)
		if !ok {
			f = verify.Fail("volume-not-usable", "a pod on %s gets its volume, and cannot write to it and read back", node).
				Seen(fmt.Sprintf("exit code %d: %s", c.State.Terminated.ExitCode, c.State.Terminated.Message)).Mend("on " + node + ": ls -ldZ " + where)
		}
		return f.Seen("volume at " + where)
	case c.State.Running != nil && !v.try.image.shell:
		return fine(unwritten)
	case c.State.Waiting != nil:
		if f := judgePod(*v.pod, v.eventsOfPod(), v.state.now, false); f.Cause == "image-pull" {
			return verify.Unknown("probe-image", "the volume on %s is made, and the probe's image %s cannot be pulled there", node, v.try.image.name).
				Seen(f.Evidence...).Mend("give an image that the nodes have or can pull: --probe-image NAME")
		}
	}
	if said := lastEvent(v.eventsOfPod(), "FailedMount"); said != "" {
		return verify.NotYet("volume-mount", "the volume on %s is made, and cannot be mounted", node).Seen(said).Mend("on " + node + ": ls -ldZ " + where)
	}
	return verify.Underway("pod-starting", "the volume on %s is made; the pod that uses it is being started", node)
}

func (v *bindView) eventsOfPod() []corev1.Event {
	var out []corev1.Event
	for _, e := range v.podEvents {
		if e.InvolvedObject.Name == v.try.name {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b corev1.Event) int { return cluster.EventTime(a).Compare(cluster.EventTime(b)) })
	return out
}

func volumePath(v corev1.PersistentVolume) string {
	switch {
	case v.Spec.HostPath != nil:
		return path.Clean(v.Spec.HostPath.Path)
	case v.Spec.Local != nil:
		return path.Clean(v.Spec.Local.Path)
	}
	return ""
}

// named finds an object by its name.
func named[T any, P interface {
	*T
	metav1.Object
}](list []T, name string) *T {
	for i := range list {
		if P(&list[i]).GetName() == name {
			return &list[i]
		}
	}
	return nil
}
