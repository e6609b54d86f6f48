package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const kubeSystemRollout = "kube-system.rollout"

func kubeSystem(c *cluster.Cluster) []verify.Check {
	return []verify.Check{{
		ID: kubeSystemRollout, Title: "What runs in kube-system is rolled out", Area: "kube-system", Needs: []string{apiHealth, apiIdentity, nodesReady},
		Access: []verify.Access{
			right("apps", "deployments", "list"), right("apps", "daemonsets", "list"), right("", "pods", "list"), right("", "events", "list"), right("", "nodes", "list"),
		},
		Help: "Looks at the Deployments and DaemonSets of kube-system and at the control plane's own pods, but for those that have checks of their own " +
			"(metrics-server, CoreDNS, the network plugin). Fix: the pod named, and surespray run cluster.yml. https://kubernetes.io/docs/tasks/debug/debug-cluster/",
		Run: func(ctx context.Context) []verify.Finding {
			return judgeKubeSystem(&systemState{
				nodes:       look(c.Nodes(ctx)),
				daemonSets:  look(c.DaemonSets(ctx, metav1.NamespaceSystem)),
				deployments: look(c.Deployments(ctx, metav1.NamespaceSystem)),
				pods:        collectSystemPods(ctx, c),
			})
		},
	}}
}

// systemState is what runs in kube-system.
type systemState struct {
	nodes       seen[[]corev1.Node]
	daemonSets  seen[[]appsv1.DaemonSet]
	deployments seen[[]appsv1.Deployment]
	pods        podsState
}

// hasOwnCheck reports whether other checks look at a workload: its trouble is named once.
func hasOwnCheck(name string) bool {
	return slices.Contains([]string{metricsServerAddon, "coredns", "calico-kube-controllers", "calico-typha"}, name)
}

// judgeKubeSystem returns one finding for each workload in trouble, or one for all.
func judgeKubeSystem(s *systemState) []verify.Finding {
	var out []verify.Finding
	for _, err := range []error{s.daemonSets.err, s.deployments.err} {
		if err != nil && !cluster.NotCaptured(err) {
			return []verify.Finding{unseen(err)}
		}
	}
	looked := 0
	add := func(f verify.Finding) {
		if looked++; f.Verdict != verify.VerdictPass {
			out = append(out, f)
		}
	}
	for i, d := range s.daemonSets.value {
		if pluginOf(d) == "" {
			add(s.pods.daemonSet(&s.daemonSets.value[i], s.nodes))
		}
	}
	for i, d := range s.deployments.value {
		if !hasOwnCheck(d.Name) {
			add(s.pods.deployment(&s.deployments.value[i], s.nodes))
		}
	}
	for _, p := range s.pods.pods.value {
		if static(p) && live(p) {
			add(s.staticPod(p))
		}
	}
	switch {
	case len(out) > 0:
		for i := range out {
			out[i].Of = looked
		}
		return out
	case looked == 0 && s.daemonSets.err != nil && s.deployments.err != nil:
		return []verify.Finding{unseen(s.daemonSets.err)}
	case looked == 0:
		return []verify.Finding{verify.Skip("nothing runs in kube-system but what other checks look at")}
	}
	return []verify.Finding{verify.Pass("all %d workloads of kube-system are rolled out", looked)}
}

// static reports whether a pod is of a file on its node, as the control plane's are.
func static(p corev1.Pod) bool {
	return slices.ContainsFunc(p.OwnerReferences, func(r metav1.OwnerReference) bool { return r.Kind == "Node" })
}

// staticPod judges one of the control plane's own pods.
func (s *systemState) staticPod(p corev1.Pod) verify.Finding {
	f := judgePod(p, s.pods.events[p.Name], s.pods.now, s.nodes.ok())
	if f.Verdict == verify.VerdictPass {
		return f
	}
	if slices.Contains(notReadyNodes(s.nodes.value), p.Spec.NodeName) {
		f = verify.Because(nodesReady, "pod %s is not ready: %s is not", p.Name, p.Spec.NodeName)
	}
	f.Subject = "Pod/" + p.Name
	return f.Mend(fmt.Sprintf("on %s: crictl ps -a --name %s; journalctl -u kubelet -n 50", orNode(p), strings.TrimSuffix(p.Name, "-"+p.Spec.NodeName)))
}
