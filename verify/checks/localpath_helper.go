package checks

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// helperOf is the helper pod that makes the directory of a claim.
func (s *localPathState) helperOf(c corev1.PersistentVolumeClaim) (corev1.Pod, bool) {
	i := slices.IndexFunc(s.pods.value, func(p corev1.Pod) bool {
		return isHelper(p) && c.UID != "" && strings.Contains(p.Name, "create-pvc-"+string(c.UID))
	})
	if i < 0 {
		return corev1.Pod{}, false
	}
	return s.pods.value[i], true
}

// helperTrouble says what keeps a helper pod from making a directory. No cause: nothing
// is known to.
func (s *localPathState) helperTrouble(p corev1.Pod) verify.Finding {
	events := s.podEvents[p.Name]
	log := s.helperLogs[p.Name]
	told := []string{log.value}
	for _, c := range p.Status.ContainerStatuses {
		if c.State.Waiting != nil {
			told = append(told, c.State.Waiting.Message)
		}
		if c.State.Terminated != nil {
			told = append(told, c.State.Terminated.Message)
		}
	}
	for _, e := range events {
		if e.Type == corev1.EventTypeWarning {
			told = append(told, e.Message)
		}
	}
	said := "helper pod " + p.Name + ": " + string(p.Status.Phase)
	if f, ok := s.diskTrouble(p.Spec.NodeName, strings.Join(told, "\n")); ok {
		return f.Seen(said)
	}
	if p.Status.Phase == corev1.PodFailed {
		f := verify.NotYet("helper-failed", "the helper pod that makes directories in %s fails on %s", s.pathOn(p.Spec.NodeName), orNode(p)).Seen(said, log.value)
		if log.err != nil {
			f = f.Seen(log.err.Error())
		}
		return f.Mend(fmt.Sprintf("kubectl -n %s logs %s", p.Namespace, p.Name), fmt.Sprintf("kubectl -n %s logs deploy/%s --tail=50", s.namespace, localPathRole))
	}
	if p.Status.Phase == corev1.PodSucceeded || podReady(p) {
		return verify.Finding{}
	}
	f := judgePod(p, events, s.now, s.nodesFine())
	switch f.Cause {
	case "image-pull":
		g := s.helperImageFix(p.Spec.NodeName).Seen(f.Evidence...)
		g.Retry = f.Retry
		return g
	case "pod-starting", "not-ready":
		return verify.Finding{}
	}
	return f
}

// diskTrouble recognises what a node's disk says when a directory cannot be made.
func (s *localPathState) diskTrouble(node, told string) (verify.Finding, bool) {
	where := s.pathOn(node)
	if node == "" {
		node = "its node"
	}
	apply := "or set local_path_provisioner_claim_root to a path on a disk that can be written, then " + applyLocalPath
	for _, known := range []struct{ word, cause, says, fix string }{
		{
			"permission denied", "node-path-denied", "the helper pod may not write below %s on %s: SELinux, another security policy, or the rights of the path",
			"on " + node + ": ls -ldZ " + where + "; ausearch -m avc -ts recent; label it for containers: chcon -Rt container_file_t " + where,
		},
		{"operation not permitted", "node-path-denied", "nothing may be made below %s on %s", "on " + node + ": ls -ldZ " + where + "; lsattr -d " + where},
		{
			"read-only file system", "node-path-read-only", "%s on %s is on a read-only file system",
			"on " + node + ": findmnt -T " + where + " (an immutable system, or a disk with errors: dmesg)",
		},
		{"no space left", "node-disk-full", "the disk below %s on %s is full", "on " + node + ": df -h " + where + "; df -i " + where},
		{"quota exceeded", "node-disk-full", "the quota below %s on %s is used up", "on " + node + ": df -h " + where},
		{"not a directory", "node-path-not-directory", "%s on %s is, or lies below, something that is no directory", "on " + node + ": ls -ld " + where},
		{"input/output error", "node-disk-error", "the disk below %s on %s has errors", "on " + node + ": dmesg | tail"},
	} {
		line := lastFold(told, known.word)
		if line == "" {
			continue
		}
		f := verify.Fail(known.cause, known.says, where, node).Seen(line).Mend(known.fix, strings.TrimPrefix(apply, "or "))
		if node != "its node" {
			f.On = []string{node}
		}
		return f, true
	}
	return verify.Finding{}, false
}

func (s *localPathState) helperImageFix(node string) verify.Finding {
	image := s.helperImage()
	if image == "" {
		image = "of the helper pod"
	}
	f := verify.NotYet("helper-image-pull", "the image %s, which makes the directories, cannot be pulled on %s", image, node).
		Mend("local_path_provisioner_helper_image_repo and _tag: a name and registry that the nodes reach, then "+applyLocalPath, "on "+node+": crictl pull "+image)
	f.On = []string{node}
	return f
}

// lastFold is the last line of a text with the word, whatever its case.
func lastFold(text, word string) string {
	last := ""
	for line := range strings.Lines(text) {
		if strings.Contains(strings.ToLower(line), word) {
			last = strings.TrimSpace(line)
		}
	}
	return last
}

// helperEvidence is what helper pods tell without a probe, for each node: of claims that
// are gone, or that nobody looked at. Where a claim tells it already, it points there.
func (s *localPathState) helperEvidence(claims []verify.Finding) []verify.Finding {
	var out []verify.Finding
	for _, p := range s.pods.value {
		if !isHelper(p) || p.Spec.NodeName == "" || slices.ContainsFunc(out, func(f verify.Finding) bool { return f.Subject == p.Spec.NodeName }) {
			continue
		}
		f := s.helperTrouble(p)
		if f.Cause == "" {
			continue
		}
		if causes(claims, f.Cause) {
			f = verify.Because(lpClaims, "%s", f.Summary)
		}
		f.Subject, f.On = p.Spec.NodeName, nil
		out = append(out, f)
	}
	if len(out) == 0 {
		if s.pods.err != nil && !s.pods.absent() {
			return []verify.Finding{unseen(s.pods.err)}
		}
		return []verify.Finding{verify.Skip("no volume was made: that is a probe's work, which plain verify does not do (--probe)")}
	}
	return out
}
