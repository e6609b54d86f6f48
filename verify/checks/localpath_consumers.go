package checks

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// unscheduled is for a claim whose node nobody has chosen: the first pod's scheduling does.
func (s *localPathState) unscheduled(c corev1.PersistentVolumeClaim, pods []corev1.Pod) verify.Finding {
	name := c.Namespace + "/" + c.Name
	for _, p := range pods {
		if p.Spec.NodeName != "" {
			return verify.Warn("pod-pinned-by-node-name", "claim %s waits for ever: pod %s names its node %s in spec.nodeName, and so passes by the scheduler, which should choose the volume's node", name, p.Name, p.Spec.NodeName).
				Seen("pod "+p.Name+": spec.nodeName "+p.Spec.NodeName+"; the claim has no annotation "+selectedNode).
				Mend("in the pod: nodeSelector {kubernetes.io/hostname: "+s.hostname(p.Spec.NodeName)+"} in the place of nodeName", describe(p))
		}
	}
	for _, p := range pods {
		if cond := podCondition(p, corev1.PodScheduled); cond != nil && cond.Status == corev1.ConditionFalse {
			return verify.Warn("consumer-unschedulable", "claim %s waits for pod %s, which no node takes", name, p.Name).
				Seen(fmt.Sprintf("pod %s: PodScheduled=False %s: %s", p.Name, cond.Reason, cond.Message)).Mend(describe(p))
		}
	}
	if len(pods) > 0 {
		f := verify.Underway("provisioning", "claim %s waits for pod %s to be scheduled", name, pods[0].Name).Mend(describe(pods[0]))
		f.Moving = s.now.Sub(pods[0].CreationTimestamp.Time) < time.Minute
		return f
	}
	if err := s.consumers.err; err != nil && (cluster.KindOf(err) != "not-captured" || lastEvent(s.eventsOf(c), "WaitForFirstConsumer") == "") {
		return unseen(err)
	}
	return verify.Pass("claim %s waits for its first pod: that is how its class works", name)
}

func (s *localPathState) waitsForConsumer(c corev1.PersistentVolumeClaim) bool {
	name, _ := claimClass(c)
	for _, class := range s.classes.value {
		if class.Name == name {
			return class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
		}
	}
	return true
}

// consumersOf are the pods that use a claim and have not finished.
func (s *localPathState) consumersOf(c corev1.PersistentVolumeClaim) []corev1.Pod {
	var out []corev1.Pod
	for _, p := range s.consumers.value {
		if p.Namespace != c.Namespace || finished(p) || p.DeletionTimestamp != nil {
			continue
		}
		for _, v := range p.Spec.Volumes {
			if v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == c.Name || v.Ephemeral != nil && p.Name+"-"+v.Name == c.Name {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// eventsOf are the events about a claim, the latest last.
func (s *localPathState) eventsOf(c corev1.PersistentVolumeClaim) []corev1.Event {
	var out []corev1.Event
	for _, e := range s.claimEvents.value {
		if e.InvolvedObject.Namespace == c.Namespace && e.InvolvedObject.Name == c.Name && (e.InvolvedObject.UID == "" || c.UID == "" || e.InvolvedObject.UID == c.UID) {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b corev1.Event) int { return cluster.EventTime(a).Compare(cluster.EventTime(b)) })
	return out
}

// hostname is the label by which pods are led to a node; it may differ from its name.
func (s *localPathState) hostname(node string) string {
	for _, n := range s.nodes.value {
		if n.Name == node && n.Labels[corev1.LabelHostname] != "" {
			return n.Labels[corev1.LabelHostname]
		}
	}
	return node
}
