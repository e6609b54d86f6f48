package checks

import (
	"context"
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// podsState is the pods of a namespace, by which workloads in trouble are explained.
type podsState struct {
	now    time.Time
	pods   seen[[]corev1.Pod]
	events map[string][]corev1.Event // by pod, of those that are not ready
}

// collectSystemPods reads the pods of kube-system by one list, and the events of its pods
// by another where some pod is not ready.
func collectSystemPods(ctx context.Context, c *cluster.Cluster) podsState {
	s := podsState{pods: look(c.Pods(ctx, metav1.NamespaceSystem, "")), events: map[string][]corev1.Event{}}
	if slices.ContainsFunc(s.pods.value, func(p corev1.Pod) bool { return live(p) && !podReady(p) }) {
		if list, err := c.EventsOfKind(ctx, metav1.NamespaceSystem, "Pod"); err == nil {
			for _, e := range list {
				s.events[e.InvolvedObject.Name] = append(s.events[e.InvolvedObject.Name], e)
			}
		}
	}
	s.now = c.Now()
	for _, list := range s.events {
		slices.SortStableFunc(list, func(x, y corev1.Event) int { return cluster.EventTime(x).Compare(cluster.EventTime(y)) })
	}
	return s
}

func live(p corev1.Pod) bool {
	return p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
}

// daemonSet judges a DaemonSet: by its own status, and by its pods where they say why.
func (s podsState) daemonSet(d *appsv1.DaemonSet, nodes seen[[]corev1.Node]) verify.Finding {
	f := rolledOut(d)
	if f.Verdict != verify.VerdictPass {
		f = s.explain(f, nodes, func(p corev1.Pod) bool { return metav1.IsControlledBy(&p, d) })
	}
	if f.Verdict != verify.VerdictPass {
		f.Subject = "DaemonSet/" + d.Name
	}
	return f
}

// deployment judges a Deployment in the same way.
func (s podsState) deployment(d *appsv1.Deployment, nodes seen[[]corev1.Node]) verify.Finding {
	f := rollout(d)
	if f.Cause == "scaled-to-zero" {
		return verify.Pass("scaled to 0") // by somebody's will
	}
	if f.Verdict == verify.VerdictPass {
		return f
	}
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err == nil && d.Spec.Selector != nil {
		f = s.explain(f, nodes, func(p corev1.Pod) bool { return selector.Matches(labels.Set(p.Labels)) })
	}
	f.Subject = "Deployment/" + d.Name
	return f
}

// explain puts the reason of a pod in the place of what only the workload's status says.
// Pods of nodes that are not Ready are that node's trouble.
func (s podsState) explain(f verify.Finding, nodes seen[[]corev1.Node], mine func(corev1.Pod) bool) verify.Finding {
	out := notReadyNodes(nodes.value)
	var blocked []string
	for _, p := range s.pods.value {
		if !live(p) || podReady(p) || !mine(p) {
			continue
		}
		if slices.Contains(out, p.Spec.NodeName) {
			blocked = append(blocked, p.Spec.NodeName)
			continue
		}
		g := judgePod(p, s.events[p.Name], s.now, nodes.ok() && len(out) == 0)
		if g.Verdict != verify.VerdictFail {
			continue
		}
		return blamed(f, g)
	}
	if len(blocked) > 0 {
		return verify.Because(nodesReady, "%s: not Ready %s", f.Summary, some(blocked, 8)).Seen(f.Evidence...)
	}
	return f
}

// blamed is a rollout that does not get on, f, with the reason that a pod gives. While
// nothing is known against the pod, it gets on by itself.
func blamed(f, pod verify.Finding) verify.Finding {
	pod.Summary = f.Summary + ": " + pod.Summary
	pod.Evidence = append(slices.Clone(f.Evidence), pod.Evidence...)
	pod.Retry = pod.Retry && f.Retry
	pod.Moving = pod.Retry && (pod.Moving || f.Moving && pod.Cause == "not-ready")
	return pod
}

// without are the nodes on which a DaemonSet has no pod.
func (s podsState) without(d *appsv1.DaemonSet, nodes []corev1.Node) []string {
	var out []string
	for _, n := range nodes {
		if !slices.ContainsFunc(s.pods.value, func(p corev1.Pod) bool { return metav1.IsControlledBy(&p, d) && p.Spec.NodeName == n.Name }) {
			out = append(out, n.Name)
		}
	}
	return out
}

func notReadyNodes(nodes []corev1.Node) []string {
	var out []string
	for _, n := range nodes {
		if !ready(n) {
			out = append(out, n.Name)
		}
	}
	return out
}

// rolledOut judges any DaemonSet by its own status.
func rolledOut(d *appsv1.DaemonSet) verify.Finding {
	name, st := d.Namespace+"/"+d.Name, d.Status
	look := fmt.Sprintf("kubectl -n %s get pods -o wide; kubectl -n %s describe daemonset %s", d.Namespace, d.Namespace, d.Name)
	readyNow := min(st.NumberReady, st.DesiredNumberScheduled)
	switch {
	case st.ObservedGeneration < d.Generation:
		return verify.Underway("rollout", "DaemonSet %s has changed, and the controller has not looked at it", name).Mend(look)
	case readyNow < st.DesiredNumberScheduled:
		return verify.NotYet("not-available", "DaemonSet %s: %d of %d pods are ready", name, readyNow, st.DesiredNumberScheduled).Mend(look)
	case d.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType && st.UpdatedNumberScheduled < st.DesiredNumberScheduled && d.Generation > 1:
		return verify.Underway("rollout", "DaemonSet %s is being rolled out: %d of %d pods are of the new version", name, st.UpdatedNumberScheduled, st.DesiredNumberScheduled).Mend(look)
	}
	return verify.Pass("DaemonSet %s: all %d pods are ready", name, st.DesiredNumberScheduled)
}
