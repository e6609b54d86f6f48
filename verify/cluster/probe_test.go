package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// namespaces is an API server that keeps namespaces only.
type namespaces struct {
	mu      sync.Mutex
	have    map[string]map[string]any
	lingers bool // a namespace stays Terminating
	refuse  string
}

func (n *namespaces) open(t *testing.T) *Cluster {
	t.Helper()
	return open(t, apiServer(t, map[string]http.HandlerFunc{
		"/api/v1/namespaces":        n.all,
		"/api/v1/namespaces/{name}": n.one,
		"/api/v1/persistentvolumes": says(200, `{"kind":"PersistentVolumeList","apiVersion":"v1","items":[{"metadata":{"name":"pvc-1"},"spec":{"claimRef":{"namespace":"surespray-probe-old"}}}]}`),
	}))
}

func (n *namespaces) all(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r.Method == http.MethodPost {
		if n.refuse != "" {
			status(403, "Forbidden", n.refuse)(w, r)
			return
		}
		var ns corev1.Namespace
		_ = json.NewDecoder(r.Body).Decode(&ns)
		n.have[ns.Name] = map[string]any{"metadata": ns.ObjectMeta, "apiVersion": "v1", "kind": "Namespace", "status": map[string]any{"phase": "Active"}}
		_ = json.NewEncoder(w).Encode(n.have[ns.Name])
		return
	}
	items := []any{}
	for _, ns := range n.have {
		items = append(items, ns)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "v1", "kind": "NamespaceList", "items": items})
}

func (n *namespaces) one(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	ns := n.have[r.PathValue("name")]
	if ns == nil {
		status(404, "NotFound", "not found")(w, r)
		return
	}
	if r.Method == http.MethodDelete {
		if ns["status"] = map[string]any{"phase": "Terminating", "conditions": []any{map[string]any{"type": "NamespaceDeletionDiscoveryFailure", "status": "True", "message": "stale metrics.k8s.io"}}}; !n.lingers {
			delete(n.have, r.PathValue("name"))
		}
	}
	_ = json.NewEncoder(w).Encode(ns)
}

func (n *namespaces) names() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []string
	for name := range n.have {
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func (n *namespaces) add(name string, expires time.Time) {
	n.have[name] = map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "status": map[string]any{"phase": "Active"},
		"metadata": map[string]any{"name": name, "labels": map[string]any{ManagedBy: Manager}, "annotations": map[string]any{Expires: expires.Format(time.RFC3339)}},
	}
}

// TestProbeLeavesNothing: what is begun is removed, after the context was cancelled too;
// what has expired goes with the next start; what others do is let be.
func TestProbeLeavesNothing(t *testing.T) {
	n := &namespaces{have: map[string]map[string]any{}}
	n.add("surespray-probe-old", time.Now().Add(-time.Hour))
	n.add("surespray-probe-other", time.Now().Add(time.Hour))
	n.add("not-ours", time.Now().Add(-time.Hour))
	c := n.open(t)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := c.StartProbe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.names(); got != strings.Join(slices.Sorted(slices.Values([]string{"not-ours", "surespray-probe-other", p.Namespace})), " ") || !IsProbe(p.Namespace) {
		t.Error("after the start:", got)
	}
	all, err := c.Probes(ctx)
	if err != nil || len(all) != 2 || time.Until(all[0].Expires) < 10*time.Minute {
		t.Errorf("%+v %v", all, err)
	}
	cancel()
	if err := c.EndProbes(ctx); err != nil {
		t.Error(err)
	}
	if got := n.names(); got != "not-ours surespray-probe-other" {
		t.Error("after the end:", got)
	}
	if err := c.RemoveProbes(t.Context(), []string{"surespray-probe-other", "not-ours"}); err != nil || n.names() != "not-ours" {
		t.Error("after clean:", n.names(), err)
	}
}

// TestProbeRefused: nothing was made, so that nothing is to be removed.
func TestProbeRefused(t *testing.T) {
	n := &namespaces{have: map[string]map[string]any{}, refuse: `admission webhook "policy.example" denied the request: no`}
	c := n.open(t)
	_, err := c.StartProbe(t.Context())
	if who, ok := RefusedBy(err); !ok || who != "the webhook policy.example" || len(c.probes.names()) != 0 {
		t.Error(who, err, c.probes.names())
	}
}

// TestProbeStays: a namespace that does not go is told, with the reason that it gives.
func TestProbeStays(t *testing.T) {
	n := &namespaces{have: map[string]map[string]any{}, lingers: true}
	n.add("surespray-probe-old", time.Now().Add(time.Hour))
	c := n.open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	c.probes.begun = map[string]bool{"surespray-probe-old": true}
	err := c.endProbes(ctx)
	if err == nil || !strings.Contains(err.Error(), "stale metrics.k8s.io") || !strings.Contains(err.Error(), "surespray probes clean") {
		t.Error(err)
	}
	all, err := c.Probes(t.Context())
	if err != nil || fmt.Sprintf("%v %s %s", all[0].Volumes, all[0].State, all[0].Stuck) != "[pvc-1] Terminating stale metrics.k8s.io" {
		t.Errorf("%+v %v", all, err)
	}
}
