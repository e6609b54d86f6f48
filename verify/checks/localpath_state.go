package checks

import (
	"context"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify/cluster"
)

// localPathState is everything that local-path is judged by, read in one round.
type localPathState struct {
	now, since  time.Time
	asked       *bool
	namespace   string
	class       string // the name that the inventory gives the class
	claimRoot   string // "": not known
	wantDefault string // is-default as the template would print it; "": not known

	classes      seen[[]storagev1.StorageClass]
	config       seen[*corev1.ConfigMap]
	deployment   seen[*appsv1.Deployment]
	pods         seen[[]corev1.Pod] // of the provisioner's namespace
	nodes        seen[[]corev1.Node]
	claims       seen[[]corev1.PersistentVolumeClaim]
	volumes      seen[[]corev1.PersistentVolume]
	statefulSets seen[[]appsv1.StatefulSet]

	// Of claims that are Pending, and of helper pods:
	consumers   seen[[]corev1.Pod]
	claimEvents seen[[]corev1.Event]
	podEvents   map[string][]corev1.Event // by pod of the provisioner's namespace
	helperLogs  map[string]seen[string]   // by helper pod
	log         seen[string]              // the provisioner's

	root      string // the rung that keeps the provisioner from working; "": none
	rootRetry bool
}

// localPathVariables are those that the role's templates are made of.
func localPathVariables() []string {
	return []string{
		"local_path_provisioner_namespace", "local_path_provisioner_storage_class", "local_path_provisioner_claim_root",
		"local_path_provisioner_is_default_storageclass", "kube_config_dir",
	}
}

func newLocalPathState(f Facts) *localPathState {
	s := &localPathState{
		asked: f.asked(localPathRole), namespace: "local-path-storage", class: "local-path",
		podEvents: map[string][]corev1.Event{}, helperLogs: map[string]seen[string]{},
	}
	if s.asked == nil {
		s.asked = f.asked(localPathArea)
	}
	known := func(name string) (string, bool) {
		v, ok := f.Values[name]
		if on, is := v.(bool); is {
			return map[bool]string{true: "True", false: "False"}[on], true // as a template prints it
		}
		text, is := v.(string)
		return strings.TrimSpace(text), ok && is && strings.TrimSpace(text) != ""
	}
	for name, field := range map[string]*string{
		"local_path_provisioner_namespace": &s.namespace, "local_path_provisioner_storage_class": &s.class,
		"local_path_provisioner_claim_root": &s.claimRoot, "local_path_provisioner_is_default_storageclass": &s.wantDefault,
	} {
		if v, ok := known(name); ok {
			*field = v
		}
	}
	return s
}

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
