package checks

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const nodesReady = "nodes.ready"

func nodes(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	return []verify.Check{{
		ID: nodesReady, Title: "Every node is Ready", Area: "nodes", Needs: []string{apiHealth, apiIdentity},
		Access: []verify.Access{
			right("", "nodes", "list"), right("apps", "daemonsets", "list"), right("", "pods", "list"), right("", "events", "list"),
		},
		Help: "Looks at the conditions and taints of every node; where one has no network plugin, at the plugin's pods. " +
			"Fix: the kubelet's log on the node, or the network plugin. https://kubernetes.io/docs/reference/node/node-status/",
		Run: func(ctx context.Context) []verify.Finding {
			nodes := look(c.Nodes(ctx))
			s := &nodesState{nodes: nodes, facts: f, hosts: o.NodeEvidence}
			if uninitialised(nodes.value) != "" {
				s.daemonSets, s.pods = look(c.DaemonSets(ctx, metav1.NamespaceAll)), collectSystemPods(ctx, c)
			}
			return judgeNodes(s)
		},
	}}
}

// nodesState is what the nodes are judged by. What stands behind the network plugin is
// read only where a node has none.
type nodesState struct {
	nodes      seen[[]corev1.Node]
	facts      Facts
	hosts      map[string]NodeEvidence
	daemonSets seen[[]appsv1.DaemonSet] // of all namespaces
	pods       podsState                // of kube-system
}

// judgeNodes returns one finding for each node in trouble, or one for all.
func judgeNodes(s *nodesState) []verify.Finding {
	if !s.nodes.ok() {
		return []verify.Finding{unseen(s.nodes.err)}
	}
	all := s.nodes.value
	if len(all) == 0 {
		return []verify.Finding{verify.NotYet("no-nodes", "the cluster has no nodes").Mend("surespray run cluster.yml")}
	}
	var out []verify.Finding
	cordoned := 0
	for _, n := range all {
		if n.Spec.Unschedulable {
			cordoned++
		}
		f := pressed(n)
		if !ready(n) {
			f = s.judgeNode(n)
		}
		if f.Verdict == verify.VerdictPass {
			continue
		}
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

// pressed warns of a node that is Ready and takes no more pods, by no one's will.
func pressed(n corev1.Node) verify.Finding {
	for _, t := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure, corev1.NodeNetworkUnavailable} {
		if c := nodeCondition(n, t); c != nil && c.Status == corev1.ConditionTrue {
			return verify.Warn("node-pressure", "%s is Ready, and has %s", n.Name, t).Seen(fmt.Sprintf("node %s: %s=True %s: %s", n.Name, t, c.Reason, c.Message)).
				Mend("kubectl describe node "+n.Name, "on "+n.Name+": df -h; free -m; ps -e | wc -l")
		}
	}
	for _, t := range n.Spec.Taints {
		if t.Key == "node.cloudprovider.kubernetes.io/uninitialized" {
			return verify.Warn("node-uninitialized", "%s waits for the cloud controller manager: no pod is scheduled there", n.Name).Seen("taint "+t.ToString()).
				Mend("kubectl -n kube-system get pods | grep cloud-controller (cloud_provider is external)", "kubectl taint node "+n.Name+" "+t.Key+"- (where there is no cloud)")
		}
	}
	return verify.Pass("")
}

// judgeNode says why one node is not Ready. All of it may change by itself: a kubelet
// that starts, a network plugin that is being installed.
func (s *nodesState) judgeNode(n corev1.Node) verify.Finding {
	c := nodeCondition(n, corev1.NodeReady)
	if c == nil {
		return verify.NotYet("node-no-status", "%s has never told its status", n.Name).Mend(kubeletFix(n.Name))
	}
	said := fmt.Sprintf("node %s: Ready=%s %s: %s", n.Name, c.Status, c.Reason, c.Message)
	switch {
	case c.Status == corev1.ConditionUnknown:
		return verify.NotYet("kubelet-stopped", "%s is not Ready: its kubelet does not report (stopped, or the node is off the network)", n.Name).
			Seen(said).Mend(kubeletFix(n.Name))
	case noPlugin(c.Message):
		return s.noNetwork(n, said)
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
