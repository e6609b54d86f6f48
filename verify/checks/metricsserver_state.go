package checks

import (
	"context"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/surespray/surespray/verify/cluster"
)

// metricsState is everything that the ladder is judged by, read in one round.
type metricsState struct {
	now, since time.Time
	asked      *bool
	facts      Facts

	namespace, name string // of the Service that the APIService names

	api        seen[*apiregistrationv1.APIService]
	metrics    seen[[]metricsv1beta1.NodeMetrics]
	nodes      seen[[]corev1.Node]
	service    seen[*corev1.Service]
	slices     seen[[]discoveryv1.EndpointSlice]
	deployment seen[*appsv1.Deployment]
	sets       seen[[]appsv1.ReplicaSet] // of the Deployment, of all its versions
	pods       seen[[]corev1.Pod]
	events     map[string][]corev1.Event // by pod
	logs       []podLog
	apiServers seen[[]corev1.Pod] // the API server's own pods, read where a proxy may be the cause
}

// podLog is the log of one pod of metrics-server.
type podLog struct {
	pod               corev1.Pod
	current, previous seen[string]
}

// podLimit bounds how many pods are looked at in detail.
const podLimit = 4

// collectMetrics reads the state. It judges nothing; what cannot be read is kept as such.
func collectMetrics(ctx context.Context, c *cluster.Cluster, f Facts, o Options) *metricsState {
	s := &metricsState{
		since: o.Since, asked: f.asked(metricsServerAddon), facts: f,
		namespace: metav1.NamespaceSystem, name: metricsServerAddon, events: map[string][]corev1.Event{},
	}
	s.api = look(c.APIService(ctx, "v1beta1.metrics.k8s.io"))
	if s.api.ok() && s.api.value.Spec.Service != nil {
		s.namespace, s.name = s.api.value.Spec.Service.Namespace, s.api.value.Spec.Service.Name
	}
	both(
		func() { s.metrics = look(c.NodeMetrics(ctx)) },
		func() { s.nodes = look(c.Nodes(ctx)) },
		func() { s.service = look(c.Service(ctx, s.namespace, s.name)) },
		func() { s.slices = look(c.EndpointSlices(ctx, s.namespace, s.name)) },
		func() { s.deployment = look(c.Deployment(ctx, s.namespace, metricsServerAddon)) },
	)
	both(
		func() { s.pods = look(c.Pods(ctx, s.namespace, s.selector())) },
		func() { s.sets = look(c.ReplicaSets(ctx, s.namespace, s.selector())) },
	)
	s.collectPods(ctx, c)
	if cond := s.available(); cond != nil && cond.Reason == "FailedDiscoveryCheck" {
		s.apiServers = look(c.Pods(ctx, metav1.NamespaceSystem, "component=kube-apiserver"))
	}
	s.now = c.Now()
	return s
}

func (s *metricsState) collectPods(ctx context.Context, c *cluster.Cluster) {
	for _, p := range s.livePods() {
		if len(s.logs) == podLimit {
			return
		}
		if !podReady(p) {
			if events, err := c.Events(ctx, p.Namespace, "Pod", p.Name); err == nil {
				s.events[p.Name] = events
			}
		}
		l := podLog{pod: p}
		container := mainContainer(p)
		status := containerStatus(p, container)
		if status == nil || status.State.Running == nil && status.RestartCount == 0 && status.State.Terminated == nil {
			continue // nothing has run
		}
		both(
			func() { l.current = look(c.Log(ctx, p.Namespace, p.Name, container, false)) },
			func() {
				if status.RestartCount > 0 && !podReady(p) {
					l.previous = look(c.Log(ctx, p.Namespace, p.Name, container, true))
				}
			},
		)
		s.logs = append(s.logs, l)
	}
}

// selector finds the pods: the Deployment's own, else what the Service selects, else
// the label that Kubespray gives.
func (s *metricsState) selector() string {
	if s.deployment.ok() && s.deployment.value.Spec.Selector != nil {
		return metav1.FormatLabelSelector(s.deployment.value.Spec.Selector)
	}
	if s.service.ok() && len(s.service.value.Spec.Selector) > 0 {
		return labels.Set(s.service.value.Spec.Selector).String()
	}
	return "app.kubernetes.io/name=" + metricsServerAddon
}

// nothingThere reports whether neither the API nor what serves it exists.
func (s *metricsState) nothingThere() bool {
	return s.api.absent() && s.deployment.absent() && len(s.livePods()) == 0
}

// livePods are the pods that are not being deleted, have not finished, and are of the
// Deployment's present version: what an older one suffers from may be mended already.
func (s *metricsState) livePods() []corev1.Pod {
	var out []corev1.Pod
	for _, p := range s.pods.value {
		if p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed && !s.outdated(p) {
			out = append(out, p)
		}
	}
	return out
}

// revision is the annotation by which a Deployment and its present ReplicaSet agree.
const revision = "deployment.kubernetes.io/revision"

// outdated reports whether a pod is known to be of an older version of the Deployment.
func (s *metricsState) outdated(p corev1.Pod) bool {
	if !s.deployment.ok() || !s.sets.ok() {
		return false
	}
	d, hash := s.deployment.value, p.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	for _, set := range s.sets.value {
		if hash == "" || set.Labels[appsv1.DefaultDeploymentUniqueLabelKey] != hash || !metav1.IsControlledBy(&set, d) {
			continue
		}
		return d.Status.ObservedGeneration < d.Generation || set.Annotations[revision] != d.Annotations[revision]
	}
	return false
}

// resolution is the time between two scrapes: what the Deployment says, else
// metrics-server's default.
func (s *metricsState) resolution() time.Duration {
	for _, arg := range s.args() {
		if v, ok := strings.CutPrefix(arg, "--metric-resolution="); ok {
			if d, err := time.ParseDuration(v); err == nil && d > 0 {
				return d
			}
		}
	}
	return time.Minute
}

// args are the arguments of metrics-server, as the Deployment has them.
func (s *metricsState) args() []string {
	if !s.deployment.ok() || len(s.deployment.value.Spec.Template.Spec.Containers) == 0 {
		return nil
	}
	c := s.deployment.value.Spec.Template.Spec.Containers[0]
	return append(append([]string(nil), c.Command...), c.Args...)
}

// warming reports whether a pod started so lately that metrics cannot be expected: the
// start delay of its probe and two scrapes.
func (s *metricsState) warming() bool {
	for _, p := range s.livePods() {
		started := startOf(p)
		if !started.IsZero() && s.now.Before(started.Add(probeDelay(p)+2*s.resolution()+10*time.Second)) {
			return true
		}
	}
	return false
}

func both(do ...func()) {
	var wg sync.WaitGroup
	for _, f := range do {
		wg.Go(f)
	}
	wg.Wait()
}
