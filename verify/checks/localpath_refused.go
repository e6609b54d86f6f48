package checks

import (
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// refused is for a claim of which the provisioner has said that it cannot be served.
func (s *localPathState) refused(c corev1.PersistentVolumeClaim) (verify.Finding, bool) {
	events := s.eventsOf(c)
	said, at := "", -1
	for i, e := range events {
		switch e.Reason {
		case "ProvisioningFailed":
			said, at = e.Message, i
		case "ProvisioningSucceeded":
			said, at = "", -1
		}
	}
	if at < 0 {
		return verify.Finding{}, false
	}
	f := s.byMessage(c, said)
	f = f.Seen("event ProvisioningFailed: " + said)
	if when := cluster.EventTime(events[at]); f.Verdict == verify.VerdictFail && !s.since.IsZero() && when.Before(s.since) {
		f.Retry = true // the run may have mended it: the provisioner tries again
		f = f.Seen("that was before the run ended, and has not been tried again since")
	}
	return f, true
}

// byMessage knows the sentences of local-path-provisioner and of its library.
func (s *localPathState) byMessage(c corev1.PersistentVolumeClaim, said string) verify.Finding {
	name := c.Namespace + "/" + c.Name
	switch {
	case strings.Contains(said, "only supports ReadWriteOnce"):
		return verify.Warn("access-mode", "claim %s asks for %s, and a node's disk can be used by one node only", name, some(modes(c), 3)).
			Mend("accessModes: [ReadWriteOnce] in the claim (a new one: it cannot be changed), or a class of a shared file system")
	case strings.Contains(said, "Selector is not supported"):
		return verify.Warn("claim-selector", "claim %s has a selector, which local-path does not know", name).Mend("leave spec.selector out of the claim")
	case strings.Contains(said, "no node was specified"):
		return verify.Because(lpClass, "claim %s is to be bound before a node is chosen", name)
	case strings.Contains(said, "config doesn't contain node"), strings.Contains(said, "no local path available on node"), strings.Contains(said, "config doesn't contain path"):
		node := firstMatch(said, `contain node ([^ ,]+)`, `available on node ([^ ,]+)`, `on node ([^ ,]+)`)
		f := verify.Fail("node-not-in-map", "claim %s cannot be served: the provisioner's map has no path for node %s", name, node).
			Mend(mapFix(s.namespace, node), applyLocalPath)
		f.On = []string{node}
		return f
	case strings.Contains(said, "no valid config available"):
		return verify.Because(lpConfig, "claim %s waits for a configuration that the provisioner can read", name)
	case strings.Contains(said, "storageclass") && strings.Contains(said, "not found"):
		return verify.Because(lpClass, "claim %s names a class that is not there", name)
	case strings.Contains(said, "process timeout"):
		return s.timedOut(c)
	}
	return verify.NotYet("provisioning-failed", "the provisioner cannot serve claim %s", name).
		Mend(fmt.Sprintf("kubectl -n %s logs deploy/%s --tail=50", s.namespace, localPathRole))
}

// timedOut is for a helper pod that did not end well in time: the pod itself says why,
// or, after it was removed, the provisioner's log.
func (s *localPathState) timedOut(c corev1.PersistentVolumeClaim) verify.Finding {
	node := c.Annotations[selectedNode]
	if p, ok := s.helperOf(c); ok {
		if f := s.helperTrouble(p); f.Cause != "" {
			return f
		}
	}
	told := helperBlock(s.log.value, c)
	if f, ok := s.diskTrouble(node, told); ok {
		return f
	}
	if strings.Contains(told, "image") {
		return s.helperImageFix(node).Seen(lastLine(told, "image"))
	}
	return verify.NotYet("helper-timeout", "the helper pod that makes the directory of claim %s/%s on %s does not end in time", c.Namespace, c.Name, node).
		Seen(told).Mend(fmt.Sprintf("kubectl -n %s get pods,events --sort-by=.metadata.creationTimestamp", s.namespace),
		fmt.Sprintf("kubectl -n %s logs deploy/%s --tail=50", s.namespace, localPathRole))
}

// helperBlock is what the provisioner's log has of the claim's helper pod.
func helperBlock(log string, c corev1.PersistentVolumeClaim) string {
	volume := "pvc-" + string(c.UID)
	if c.UID == "" || !strings.Contains(log, volume) {
		return ""
	}
	var out []string
	inside := false
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		named := strings.Contains(line, volume)
		switch {
		case named && strings.Contains(line, "Start of "):
			inside, out = true, nil // the last try counts
		case named && strings.Contains(line, "End of "):
			inside = false
		case inside, named && strings.Contains(line, "failed to save"):
			out = append(out, line)
		}
	}
	return strings.Join(out[max(0, len(out)-5):], "\n")
}

func firstMatch(s string, patterns ...string) string {
	for _, p := range patterns {
		if m := regexp.MustCompile(p).FindStringSubmatch(s); m != nil {
			return m[1]
		}
	}
	return ""
}

func modes(c corev1.PersistentVolumeClaim) []string {
	out := make([]string, len(c.Spec.AccessModes))
	for i, m := range c.Spec.AccessModes {
		out[i] = string(m)
	}
	return out
}

// lastLine is the last line of a text with the word.
func lastLine(text, word string) string {
	last := ""
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			last = strings.TrimSpace(line)
		}
	}
	return last
}
