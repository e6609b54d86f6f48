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
