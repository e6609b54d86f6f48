package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const nodesReady = "nodes.ready"

func nodes(c *cluster.Cluster) []verify.Check {
	return []verify.Check{{
		ID: nodesReady, Title: "Every node is Ready", Area: "nodes", Needs: []string{apiHealth, apiIdentity},
		Access: []verify.Access{{Resource: "nodes", Verb: "list"}},
		Help:   "Looks at the condition Ready of every node. https://kubernetes.io/docs/reference/node/node-status/",
		Run: func(ctx context.Context) []verify.Finding {
			return judgeNodes(look(c.Nodes(ctx)))
		},
	}}
}

// judgeNodes returns one finding for each node that is not Ready, or one for all.
func judgeNodes(nodes seen[[]corev1.Node]) []verify.Finding {
	if !nodes.ok() {
		return []verify.Finding{unseen(nodes.err)}
	}
	all := nodes.value
	if len(all) == 0 {
		return []verify.Finding{verify.NotYet("no-nodes", "the cluster has no nodes").Mend("surespray run cluster.yml")}
	}
	var out []verify.Finding
	cordoned := 0
	for _, n := range all {
		if n.Spec.Unschedulable {
			cordoned++
		}
		if ready(n) {
			continue
		}
		f := judgeNode(n)
		f.Subject, f.Of = n.Name, len(all)
		out = append(out, f)
	}
	if len(out) > 0 {
		return out
	}
	f := verify.Pass("all %d nodes are Ready", len(all))
	if cordoned > 0 {
		f.Summary += fmt.Sprintf(" (%d cordoned)", cordoned)
	}
	return []verify.Finding{f}
}

// judgeNode says why one node is not Ready. All of it may change by itself: a kubelet
// that starts, a network plugin that is being installed.
func judgeNode(n corev1.Node) verify.Finding {
	c := nodeCondition(n, corev1.NodeReady)
	if c == nil {
		return verify.NotYet("node-no-status", "%s has never told its status", n.Name).Mend(kubeletFix(n.Name))
	}
	said := fmt.Sprintf("node %s: Ready=%s %s: %s", n.Name, c.Status, c.Reason, c.Message)
	switch {
	case c.Status == corev1.ConditionUnknown:
		return verify.NotYet("kubelet-stopped", "%s is not Ready: its kubelet does not report (stopped, or the node is off the network)", n.Name).
			Seen(said).Mend(kubeletFix(n.Name))
	case strings.Contains(c.Message, "NetworkPluginNotReady"), strings.Contains(c.Message, "cni plugin not initialized"):
		return verify.NotYet("cni-not-ready", "%s is not Ready: it has no working network plugin", n.Name).Seen(said).
			Mend("kubectl -n kube-system get pods -o wide --field-selector spec.nodeName="+n.Name+" (the plugin's pod), ls /etc/cni/net.d on the node",
				"surespray run cluster.yml --tags network,download")
	}
	return verify.NotYet("node-not-ready", "%s is not Ready: %s", n.Name, c.Reason).Seen(said).Mend("kubectl describe node " + n.Name)
}

func kubeletFix(node string) string {
	return "on " + node + ": systemctl status kubelet; journalctl -u kubelet -n 50"
}

func nodeCondition(n corev1.Node, t corev1.NodeConditionType) *corev1.NodeCondition {
	i := slices.IndexFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == t })
	if i < 0 {
		return nil
	}
	return &n.Status.Conditions[i]
}

func ready(n corev1.Node) bool {
	c := nodeCondition(n, corev1.NodeReady)
	return c != nil && c.Status == corev1.ConditionTrue
}

func nodeNames(nodes []corev1.Node) []string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.Name
	}
	return names
}

func hostNames(hosts []cluster.Host) []string {
	names := make([]string, len(hosts))
	for i, h := range hosts {
		names[i] = h.Name
	}
	return names
}

// some joins up to n words, and says how many more there are.
func some(words []string, n int) string {
	if len(words) <= n {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:n], ", "), len(words)-n)
}
