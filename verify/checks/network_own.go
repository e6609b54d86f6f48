package checks

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// ownPlugin is for clusters whose plugin is not Kubespray's business, or not known.
func (s *networkState) ownPlugin(asked string) verify.Finding {
	var found []string
	for _, d := range s.daemonSets.value {
		if !installsCNI(d) && pluginOf(d) == "" {
			continue
		}
		if f := s.pods.daemonSet(&d, s.nodes); f.Verdict != verify.VerdictPass && d.Namespace == "kube-system" {
			return f
		}
		found = append(found, fmt.Sprintf("%s/%s on %d of %d nodes", d.Namespace, d.Name, d.Status.NumberReady, d.Status.DesiredNumberScheduled))
	}
	why := "kube_network_plugin is " + asked
	if asked == "" {
		why = "which network plugin is asked for is not known"
	}
	switch {
	case len(found) > 0:
		return verify.Pass("%s; found: %s", why, some(found, 4))
	case s.nodes.ok() && uninitialised(s.nodes.value) != "":
		return verify.Because(nodesReady, "%s, and no DaemonSet installs one", why)
	}
	return verify.Skip("%s, and no DaemonSet installs one: what the nodes use is not seen from the API", why)
}

// uninitialised is a node that has no network plugin; "" where all have one.
func uninitialised(nodes []corev1.Node) string {
	for _, n := range nodes {
		if c := nodeCondition(n, corev1.NodeReady); c != nil && c.Status == corev1.ConditionFalse && noPlugin(c.Message) {
			return n.Name
		}
	}
	return ""
}

// noPlugin reports whether a kubelet says that it has no network plugin.
func noPlugin(message string) bool {
	return contains(message, "NetworkPluginNotReady", "cni plugin not initialized", "cni config uninitialized")
}
