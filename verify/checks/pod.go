package checks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// manyRestarts is how often a container may end before waiting for it is given up.
const manyRestarts = 3

// oomKilled is the cause of a container that needs more memory than it may have.
const oomKilled = "oomkilled"

// judgePod says why one pod is not ready, from the pod and its events alone. It knows no
// addon. A pod that is ready passes.
func judgePod(p corev1.Pod, events []corev1.Event, now time.Time, nodesFine bool) verify.Finding {
	if podReady(p) {
		return verify.Pass("pod %s is ready on %s", p.Name, p.Spec.NodeName)
	}
	if c := podCondition(p, corev1.PodScheduled); p.Spec.NodeName == "" && c != nil && c.Status == corev1.ConditionFalse {
		return unschedulable(p, *c, nodesFine)
	}
	c := containerStatus(p, mainContainer(p))
	if c == nil {
		return starting(p, events, now)
	}
	switch {
	case c.State.Waiting != nil:
		return waiting(p, *c, events, now)
	case c.State.Terminated != nil:
		return ended(p, *c, c.State.Terminated)
	}
	f := verify.NotYet("not-ready", "pod %s runs and is not ready", p.Name).Mend(describe(p))
	return f.Seen(lastEvent(events, "Unhealthy", "BackOff"))
}

// unschedulable is final when no node is about to become Ready: none will fit.
func unschedulable(p corev1.Pod, c corev1.PodCondition, nodesFine bool) verify.Finding {
	f := verify.NotYet("unschedulable", "no node takes pod %s", p.Name)
	if nodesFine {
		f = verify.Fail("unschedulable", "no node takes pod %s, and every node is Ready", p.Name)
	}
	return f.Seen(fmt.Sprintf("pod %s: PodScheduled=False %s: %s", p.Name, c.Reason, c.Message)).
		Mend("make room or allow the taint named above (nodeSelector, tolerations, requests); "+describe(p),
			"kubectl describe nodes | grep -A3 -e Taints -e Allocated")
}

// onLostNode is for a pod that is not ready because its node is not.
func onLostNode(p corev1.Pod, f verify.Finding, nodes []corev1.Node) (verify.Finding, bool) {
	if f.Cause != "not-ready" || !slices.Contains(notReadyNodes(nodes), p.Spec.NodeName) {
		return f, false
	}
	g := verify.NotYet("node-not-ready", "pod %s is on %s, which is not Ready", p.Name, p.Spec.NodeName).Seen(f.Evidence...).
		Mend("kubectl describe node "+p.Spec.NodeName, "to move it: kubectl -n "+p.Namespace+" delete pod "+p.Name)
	g.On = []string{p.Spec.NodeName}
	return g, true
}

func waiting(p corev1.Pod, c corev1.ContainerStatus, events []corev1.Event, now time.Time) verify.Finding {
	w := c.State.Waiting
	said := fmt.Sprintf("pod %s: %s: %s", p.Name, w.Reason, w.Message)
	switch w.Reason {
	case "ImagePullBackOff", "ErrImagePull", "ErrImageNeverPull", "InvalidImageName", "RegistryUnavailable", "ImageInspectError":
		return imagePull(p, c, said, events)
	case "CrashLoopBackOff":
		return ended(p, c, c.LastTerminationState.Terminated).Seen(said)
	case "CreateContainerConfigError", "CreateContainerError", "RunContainerError":
		return verify.NotYet("container-start", "the container of pod %s cannot be started", p.Name).Seen(said).Mend(describe(p))
	}
	return starting(p, events, now)
}

// imagePull is final when the registry has answered that it will not give the image.
func imagePull(p corev1.Pod, c corev1.ContainerStatus, said string, events []corev1.Event) verify.Finding {
	f := verify.NotYet("image-pull", "pod %s cannot pull its image %s", p.Name, c.Image)
	pulling := lastEvent(events, "Failed", "ErrImagePull")
	if neverPulls(c.State.Waiting.Reason + " " + said + " " + pulling) {
		f.Retry = false
	}
	return f.Seen(said, pulling).Mend(
		"check the name, the tag and the registry (the variables …_image_repo, …_image_tag; containerd_registries_mirrors), then apply the addon again",
		"on "+orNode(p)+": crictl pull "+c.Image)
}

func neverPulls(said string) bool {
	said = strings.ToLower(said)
	for _, word := range []string{
		"errimageneverpull", "invalidimagename", "not found", "manifest unknown", "unauthorized", "authorization failed",
		"denied", "401", "403", "no such host", "x509", "invalid reference",
	} {
		if strings.Contains(said, word) {
			return true
		}
	}
	return false
}

// ended is for a container that stopped by itself; t is how, where it is known.
func ended(p corev1.Pod, c corev1.ContainerStatus, t *corev1.ContainerStateTerminated) verify.Finding {
	cause, how := "crash-loop", "ends by itself"
	if t != nil {
		how = fmt.Sprintf("ends with exit code %d (%s)", t.ExitCode, t.Reason)
		if t.Reason == "OOMKilled" {
			cause, how = oomKilled, "is killed: it needs more memory than its limit"
		}
	}
	f := verify.NotYet(cause, "the container of pod %s %s, %d restarts", p.Name, how, c.RestartCount)
	if c.RestartCount >= manyRestarts {
		f.Retry = false
	}
	if t != nil && t.Message != "" {
		f = f.Seen("it said: " + t.Message)
	}
	return f.Mend(fmt.Sprintf("kubectl -n %s logs --previous %s", p.Namespace, p.Name))
}

// starting is for a pod whose containers do not exist yet.
func starting(p corev1.Pod, events []corev1.Event, now time.Time) verify.Finding {
	if said := lastEvent(events, "FailedCreatePodSandBox", "FailedMount", "FailedAttachVolume", "NetworkNotReady"); said != "" {
		cause := "pod-sandbox"
		if strings.Contains(said, "Mount") || strings.Contains(said, "Attach") {
			cause = "volume-mount"
		}
		return verify.NotYet(cause, "pod %s cannot be set up on %s", p.Name, orNode(p)).Seen(said).Mend(describe(p))
	}
	f := verify.Underway("pod-starting", "pod %s is being started on %s", p.Name, orNode(p))
	f.Moving = now.Sub(p.CreationTimestamp.Time) < 3*time.Minute
	return f.Seen(lastEvent(events, "Pulling", "Scheduled")).Mend(describe(p))
}

// lastEvent is the latest event with one of the reasons, as one line.
func lastEvent(events []corev1.Event, reasons ...string) string {
	for i := len(events) - 1; i >= 0; i-- {
		for _, r := range reasons {
			if events[i].Reason == r {
				return fmt.Sprintf("event %s: %s", r, events[i].Message)
			}
		}
	}
	return ""
}

func describe(p corev1.Pod) string {
	return fmt.Sprintf("kubectl -n %s describe pod %s", p.Namespace, p.Name)
}

func orNode(p corev1.Pod) string {
	if p.Spec.NodeName == "" {
		return "its node"
	}
	return p.Spec.NodeName
}
