package checks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const (
	selectedNode = "volume.kubernetes.io/selected-node" // the scheduler's word to the provisioner
	claimsNamed  = 20                                   // up to how many claims without trouble are told one by one
	claimGrace   = 20 * time.Second                     // how long the provisioner may take to notice a claim
)

// mine are the claims on classes of the provisioner, without those of our own probes.
func (s *localPathState) mine() []corev1.PersistentVolumeClaim {
	names := []string{s.class}
	for _, c := range s.ourClasses() {
		names = append(names, c.Name)
	}
	var out []corev1.PersistentVolumeClaim
	for _, c := range s.claims.value {
		if class, named := claimClass(c); named && slices.Contains(names, class) && !cluster.IsProbe(c.Namespace) {
			out = append(out, c)
		}
	}
	return out
}

// judgeClaims returns a finding for each claim that is not bound, and one for all others.
func (s *localPathState) judgeClaims(class verify.Finding) []verify.Finding {
	if s.claims.err != nil {
		return []verify.Finding{unseen(s.claims.err)}
	}
	mine := s.mine()
	var out, idle []verify.Finding
	bound := 0
	for _, c := range mine {
		if c.Status.Phase == corev1.ClaimBound && !s.orphaned(c) {
			bound++
			continue
		}
		f := s.judgeClaim(c)
		f.Subject, f.Of = c.Namespace+"/"+c.Name, len(mine)
		if f.Verdict == verify.VerdictPass {
			idle = append(idle, f)
		} else {
			out = append(out, f)
		}
	}
	if class.Verdict == verify.VerdictWarn || class.Verdict == verify.VerdictFail {
		for _, name := range s.classless() {
			f := verify.Because(lpClass, "claim %s names no class, and none is default", name)
			f.Subject = name
			out = append(out, f)
		}
	}
	if len(idle) > claimsNamed {
		idle = []verify.Finding{verify.Pass("%d of %d claims are bound, %d wait for their first pod", bound, len(mine), len(idle))}
	} else if bound > 0 {
		idle = append(idle, verify.Pass("%d of %d claims are bound", bound, len(mine)))
	}
	if len(out)+len(idle) == 0 {
		return []verify.Finding{verify.Skip("there is no claim on local-path")}
	}
	return append(out, idle...)
}

// judgeClaim says why one claim is not bound.
func (s *localPathState) judgeClaim(c corev1.PersistentVolumeClaim) verify.Finding {
	name := c.Namespace + "/" + c.Name
	describe := fmt.Sprintf("kubectl -n %s describe pvc %s", c.Namespace, c.Name)
	switch {
	case c.Status.Phase == corev1.ClaimLost:
		return verify.Warn("claim-lost", "the volume of claim %s is gone, and its data with it", name).
			Seen("volume: " + c.Spec.VolumeName).Mend("restore from a backup: delete the claim, and let the workload make a new one")
	case c.Status.Phase == corev1.ClaimBound:
		return verify.Warn("node-gone", "claim %s has its data on a node that is no more: its pods can run nowhere", name).
			Seen("volume " + c.Spec.VolumeName + ": on " + some(s.nodesOf(c.Spec.VolumeName), 3)).
			Mend("bring the node back under its name, or give the data up: kubectl -n " + c.Namespace + " delete pvc " + c.Name)
	case c.DeletionTimestamp != nil:
		return verify.Skip("claim %s is being deleted", name)
	}
	pods := s.consumersOf(c)
	if f, ok := s.refused(c); ok {
		return f.Mend(describe)
	}
	if c.Annotations[selectedNode] == "" && s.waitsForConsumer(c) {
		return s.unscheduled(c, pods)
	}
	node := c.Annotations[selectedNode]
	if p, ok := s.helperOf(c); ok {
		if f := s.helperTrouble(p); f.Cause != "" {
			return f.Mend(describe)
		}
	}
	if s.root != "" {
		f := verify.Because(s.root, "claim %s waits for the provisioner, which does not work", name)
		f.Retry = s.rootRetry
		return f
	}
	if s.claimEvents.err != nil {
		return unseen(s.claimEvents.err)
	}
	seen := lastEvent(s.eventsOf(c), "Provisioning", "ExternalProvisioning")
	f := verify.NotYet("provisioner-silent", "claim %s waits, and the provisioner does not act on it", name).Seen(seen).
		Mend(fmt.Sprintf("kubectl -n %s logs deploy/%s --tail=50", s.namespace, localPathRole), describe)
	if strings.HasPrefix(seen, "event Provisioning") || s.now.Sub(c.CreationTimestamp.Time) < claimGrace {
		f = verify.Underway("provisioning", "the volume of claim %s is being made on %s", name, node).Seen(seen).Mend(describe)
	}
	return f
}

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
