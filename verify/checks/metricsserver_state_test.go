package checks

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/yaml"

	"github.com/surespray/surespray/verify"
)

// metricsState makes the state that a collection of these objects would give.
func (st state) metricsState(t *testing.T) *metricsState {
	t.Helper()
	s := &metricsState{
		now: moment(t, st.Now), since: moment(t, st.Since), asked: st.Facts.Asked, namespace: "kube-system", name: "metrics-server",
		events: st.Events,
		facts:  Facts{KubeletInsecureTLS: st.Facts.InsecureTLS, PodsSubnet: st.Facts.PodsSubnet, ServicesSubnet: st.Facts.ServicesSubnet},
	}
	s.nodes = many[corev1.Node](t, st, "nodes", right("", "nodes", "list"), "Node")
	s.metrics = many[metricsv1beta1.NodeMetrics](t, st, "metrics", right("metrics.k8s.io", "nodes", "list"), "NodeMetrics")
	s.pods = many[corev1.Pod](t, st, "pods", right("", "pods", "list"), "Pod")
	s.slices = many[discoveryv1.EndpointSlice](t, st, "slices", right("discovery.k8s.io", "endpointslices", "list"), "EndpointSlice")
	s.apiServers = many[corev1.Pod](t, st, "", right("", "pods", "list"), "APIServerPod")
	s.api = one[apiregistrationv1.APIService](t, st, "api", right("apiregistration.k8s.io", "apiservices", "get"), "APIService")
	s.service = one[corev1.Service](t, st, "service", right("", "services", "get"), "Service")
	s.deployment = one[appsv1.Deployment](t, st, "deployment", right("apps", "deployments", "get"), "Deployment")
	s.sets = many[appsv1.ReplicaSet](t, st, "sets", right("apps", "replicasets", "list"), "ReplicaSet")
	for _, p := range s.livePods() {
		c := containerStatus(p, mainContainer(p))
		if c == nil || c.State.Running == nil && c.RestartCount == 0 {
			continue
		}
		l := podLog{pod: p, current: seen[string]{value: text(st.Log)}, previous: seen[string]{value: text(st.Previous)}}
		if word := st.Errors["log"]; word != "" {
			l.current = seen[string]{err: failure(t, word, right("", "pods/log", "get"))}
		}
		s.logs = append(s.logs, l)
	}
	return s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func many[T any](t *testing.T, st state, key string, a verify.Access, kind string) seen[[]T] {
	t.Helper()
	if word := st.Errors[key]; word != "" {
		return seen[[]T]{err: failure(t, word, a)}
	}
	out := []T{}
	for _, o := range st.Objects {
		name := kind + "/" + o["metadata"].(map[string]any)["name"].(string)
		if o["kind"] != kind || slices.Contains(st.Without, name) {
			continue
		}
		body, err := yaml.Marshal(merge(o, st.Patch[name]))
		var v T
		if err == nil {
			err = yaml.Unmarshal(body, &v)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, v)
	}
	return seen[[]T]{value: out}
}

func one[T any](t *testing.T, st state, key string, a verify.Access, kind string) seen[*T] {
	t.Helper()
	all := many[T](t, st, key, a, kind)
	switch {
	case all.err != nil:
		return seen[*T]{err: all.err}
	case len(all.value) == 0:
		return seen[*T]{err: failure(t, "not-found", a)}
	}
	return seen[*T]{value: &all.value[0]}
}

// merge is a JSON merge patch: maps are merged, null deletes, all else replaces.
func merge(base, patch map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range base {
		out[k] = v
	}
	for k, v := range patch {
		sub, isMap := v.(map[string]any)
		old, _ := base[k].(map[string]any)
		switch {
		case v == nil:
			delete(out, k)
		case isMap:
			out[k] = merge(old, sub)
		default:
			out[k] = v
		}
	}
	return out
}
