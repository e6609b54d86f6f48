package checks

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify/cluster"
)

// collectLocalPath reads the state. It judges nothing.
func collectLocalPath(ctx context.Context, c *cluster.Cluster, f Facts, o Options) *localPathState {
	s := newLocalPathState(f)
	s.since = o.Since
	both(
		func() { s.classes = look(c.StorageClasses(ctx)) },
		func() { s.config = look(c.ConfigMap(ctx, s.namespace, "local-path-config")) },
		func() { s.deployment = look(c.Deployment(ctx, s.namespace, localPathRole)) },
		func() { s.pods = look(c.Pods(ctx, s.namespace, "")) },
		func() { s.nodes = look(c.Nodes(ctx)) },
		func() { s.claims = look(c.Claims(ctx, metav1.NamespaceAll)) },
	)
	s.now = c.Now()
	if s.nothingThere() && !yes(s.asked) {
		return s
	}
	both(
		func() { s.volumes = look(c.Volumes(ctx)) },
		func() { s.statefulSets = look(c.StatefulSets(ctx, metav1.NamespaceAll)) },
		func() { s.collectPending(ctx, c) },
		func() { s.collectHelpers(ctx, c) },
	)
	s.now = c.Now()
	return s
}

// collectPending reads what tells why claims are Pending: one list of their events, and
// the pods beside them.
func (s *localPathState) collectPending(ctx context.Context, c *cluster.Cluster) {
	namespaces := map[string]bool{}
	for _, claim := range s.mine() {
		if claim.Status.Phase == corev1.ClaimPending {
			namespaces[claim.Namespace] = true
		}
	}
	if len(namespaces) > hpaNamespaces {
		namespaces = map[string]bool{metav1.NamespaceAll: true}
	}
	for namespace := range namespaces {
		s.claimEvents = more(s.claimEvents, look(c.EventsOfKind(ctx, namespace, "PersistentVolumeClaim")))
		s.consumers = more(s.consumers, look(c.Pods(ctx, namespace, "")))
	}
}

// collectHelpers reads events and logs of what is not well in the provisioner's namespace.
func (s *localPathState) collectHelpers(ctx context.Context, c *cluster.Cluster) {
	looked, pending := 0, false
	for _, claim := range s.mine() {
		pending = pending || claim.Status.Phase == corev1.ClaimPending
	}
	for _, p := range s.pods.value {
		helper := isHelper(p)
		if podReady(p) && !helper || p.Status.Phase == corev1.PodSucceeded || looked == 2*podLimit || !helper && !s.provisions(p) {
			continue
		}
		looked++
		if events, err := c.Events(ctx, p.Namespace, "Pod", p.Name); err == nil {
			s.podEvents[p.Name] = events
		}
		if status := containerStatus(p, mainContainer(p)); helper && status != nil && status.State.Waiting == nil {
			s.helperLogs[p.Name] = look(c.Log(ctx, p.Namespace, p.Name, mainContainer(p), false))
		}
	}
	for _, p := range s.livePods() {
		if pending && s.log.value == "" && (containerStatus(p, mainContainer(p)) == nil || containerStatus(p, mainContainer(p)).State.Running != nil) {
			s.log = look(c.Log(ctx, p.Namespace, p.Name, mainContainer(p), false))
		}
	}
}

// isHelper reports whether a pod makes or removes the directory of a volume.
func isHelper(p corev1.Pod) bool {
	return strings.HasPrefix(p.Name, "helper-pod-") || strings.HasPrefix(p.Name, "create-pvc-") || strings.Contains(p.Name, "-create-pvc-") || strings.Contains(p.Name, "-delete-pvc-")
}
