package checks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

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
