package checks

import (
	"context"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// hpaState is what HPAs are judged by. Beside the HPAs themselves only what those in
// trouble need is read.
type hpaState struct {
	now  time.Time
	only []string // NAMESPACE/NAME of those asked for; empty: all

	list         seen[[]autoscalingv2.HorizontalPodAutoscaler]
	deployments  seen[[]appsv1.Deployment]
	statefulSets seen[[]appsv1.StatefulSet]
	replicaSets  seen[[]appsv1.ReplicaSet]
	pods         seen[[]corev1.Pod]

	apis   map[string]seen[*apiregistrationv1.APIService] // by the name of the APIService
	ladder map[string][]verify.Finding                    // what metrics-server's rungs say
}

// hpaNamespaces is up to how many namespaces are listed one by one; more are listed as
// a whole.
const hpaNamespaces = 3

func collectHPAs(ctx context.Context, c *cluster.Cluster, f Facts, o Options) *hpaState {
	s := &hpaState{only: o.HPAs, list: look(c.HPAs(ctx, "")), apis: map[string]seen[*apiregistrationv1.APIService]{}}
	if !s.list.ok() {
		return s
	}
	namespaces, apis, resources := []string{}, []string{}, false
	for _, h := range s.wanted() {
		active := hpaCondition(h, autoscalingv2.ScalingActive)
		if active == nil || active.Status != corev1.ConditionFalse {
			continue
		}
		if more := metricAPIs(active.Reason); len(more) > 0 {
			apis = append(apis, more...)
			continue
		}
		resources = true
		if !slices.Contains(namespaces, h.Namespace) {
			namespaces = append(namespaces, h.Namespace)
		}
	}
	if len(namespaces) > hpaNamespaces {
		namespaces = []string{metav1.NamespaceAll}
	}
	for _, namespace := range namespaces {
		both(
			func() { s.pods = more(s.pods, look(c.Pods(ctx, namespace, ""))) },
			func() { s.deployments = more(s.deployments, look(c.Deployments(ctx, namespace))) },
			func() { s.statefulSets = more(s.statefulSets, look(c.StatefulSets(ctx, namespace))) },
			func() { s.replicaSets = more(s.replicaSets, look(c.ReplicaSets(ctx, namespace, ""))) },
		)
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(apis))) {
		s.apis[name] = look(c.APIService(ctx, name))
	}
	if resources {
		// The same state as the rungs', where they read it lately.
		m, err := cluster.Share(ctx, c, "metrics-server state", func(ctx context.Context) (*metricsState, error) {
			return collectMetrics(ctx, c, f, o), nil
		})
		if err == nil {
			s.ladder = judgeMetrics(m)
		}
	}
	s.now = c.Now()
	return s
}

// more joins two lists; what could not be read once is not known as a whole.
func more[T any](a, b seen[[]T]) seen[[]T] {
	if a.err != nil {
		return a
	}
	return seen[[]T]{value: slices.Concat(a.value, b.value), err: b.err}
}
