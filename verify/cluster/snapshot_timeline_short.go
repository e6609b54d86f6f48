package cluster

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// What stands for metrics-server where a timeline tells its state in short: the names and
// times are those that Kubespray gives.
const (
	shortNamespace = "kube-system"
	shortName      = "metrics-server"
	shortPod       = "metrics-server-0"
)

// short reports whether a state tells of metrics-server in short.
func (t timelineState) short() bool {
	return t.APIService != nil || t.Ready != nil || t.Log != nil || t.NodeMetrics != nil
}

// addMetricsServer adds what the short form leaves out, as far as the folder does not
// have it: the nodes, and metrics-server as it was just installed.
func (s *Snapshot) addMetricsServer(nodes []string, states []timelineState) {
	for _, state := range states {
		if state.NodeMetrics != nil {
			for _, n := range *state.NodeMetrics {
				if !slices.Contains(nodes, n) {
					nodes = append(nodes, n)
				}
			}
		}
	}
	before := s.now.Add(-time.Hour).UTC().Format(time.RFC3339)
	if s.objects[schema.GroupVersionResource{Version: "v1", Resource: "nodes"}] == nil {
		for _, n := range nodes {
			s.objects.put(shortObject("v1", "Node", "", n, before, nil, map[string]any{
				"conditions": []any{map[string]any{"type": "Ready", "status": "True", "reason": "KubeletReady", "lastTransitionTime": before}},
			}))
		}
	}
	if s.objects[deploymentsResource()].get(shortNamespace, shortName) == nil {
		s.objects.put(shortObject("apps/v1", "Deployment", shortNamespace, shortName, s.created(), shortDeployment(), map[string]any{}))
	}
}

func (s *Snapshot) created() string { return s.now.UTC().Format(time.RFC3339) }

func deploymentsResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
}

func shortLabels() map[string]any { return map[string]any{"app.kubernetes.io/name": shortName} }

func shortDeployment() map[string]any {
	return map[string]any{
		"replicas": int64(1), "selector": map[string]any{"matchLabels": shortLabels()},
		"template": map[string]any{"metadata": map[string]any{"labels": shortLabels()}, "spec": shortPodSpec()},
	}
}

func shortPodSpec() map[string]any {
	return map[string]any{"containers": []any{map[string]any{
		"name": shortName, "image": shortName, "args": []any{"--metric-resolution=15s"},
		"readinessProbe": map[string]any{"initialDelaySeconds": int64(40), "periodSeconds": int64(10)},
	}}}
}

func shortObject(apiVersion, kind, namespace, name, created string, spec, status map[string]any) map[string]any {
	meta := map[string]any{"name": name, "creationTimestamp": created}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	o := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "status": status}
	if spec != nil {
		o["spec"] = spec
	}
	return o
}

// applyShort writes out what a state tells of metrics-server in short.
func (m *moment) applyShort(state timelineState) {
	if c := state.APIService; c != nil {
		m.objects.put(shortObject("apiregistration.k8s.io/v1", "APIService", "", "v1beta1.metrics.k8s.io", m.created(), map[string]any{
			"group": metricsGroup, "version": "v1beta1", "service": map[string]any{"name": shortName, "namespace": shortNamespace, "port": int64(443)},
		}, map[string]any{
			"conditions": []any{map[string]any{"type": "Available", "status": c.Status, "reason": c.Reason, "message": c.Message}},
		}))
	}
	if state.Ready != nil {
		m.setReady(int64(*state.Ready))
	}
	if state.Log != nil {
		m.logs[logName(shortNamespace, shortPod, "", false)] = *state.Log + "\n"
	}
	if state.NodeMetrics != nil {
		items := []map[string]any{}
		for _, n := range *state.NodeMetrics {
			items = append(items, map[string]any{"metadata": map[string]any{"name": n}, "usage": map[string]any{"cpu": "100m", "memory": "1Gi"}})
		}
		m.objects.putList(metricsGroup+"/v1beta1", "NodeMetrics", items)
	}
}

// setReady sets how many pods of metrics-server are ready: of one.
func (m *moment) setReady(ready int64) {
	d := m.objects[deploymentsResource()].get(shortNamespace, shortName)
	spec, _ := d["spec"].(map[string]any)
	m.objects.put(shortObject("apps/v1", "Deployment", shortNamespace, shortName, m.created(), spec,
		map[string]any{"replicas": int64(1), "updatedReplicas": int64(1), "readyReplicas": ready, "availableReplicas": ready}))
	condition := map[string]any{"type": "Ready", "status": "False"}
	if ready > 0 {
		condition["status"] = "True"
	}
	pod := shortObject("v1", "Pod", shortNamespace, shortPod, m.created(), shortPodSpec(), map[string]any{
		"phase": "Running", "conditions": []any{condition},
		"containerStatuses": []any{map[string]any{
			"name": shortName, "ready": ready > 0, "restartCount": int64(0), "state": map[string]any{"running": map[string]any{"startedAt": m.created()}},
		}},
	})
	pod["metadata"].(map[string]any)["labels"] = shortLabels()
	m.objects.put(pod)
}
