package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/surespray/surespray/verify"
)

// folderOf writes the files of a snapshot folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func openFolder(t *testing.T, files map[string]string) *Cluster {
	t.Helper()
	c, err := OpenSnapshot(folderOf(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const someObjects = `
apiVersion: v1
kind: Node
metadata: {name: w2, creationTimestamp: "2026-05-04T07:00:00Z"}
---
# a comment alone
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: w1}}
- {apiVersion: v1, kind: Pod, metadata: {name: ms, namespace: kube-system, labels: {app: ms}}, spec: {containers: [{name: main}, {name: side}]}}
---
apiVersion: metrics.k8s.io/v1beta1
kind: NodeMetricsList
items: [{metadata: {name: w1}}]
---
apiVersion: v1
kind: Event
metadata: {name: e1, namespace: kube-system}
involvedObject: {kind: Pod, name: ms}
reason: BackOff
`

func TestAFolderStandsForACluster(t *testing.T) {
	ctx := t.Context()
	c := openFolder(t, map[string]string{
		"objects.yaml":                     someObjects,
		"logs/kube-system_ms.log":          "I0504 08:00:01.000000 1 a\nI0504 08:00:02.000000 1 b\n",
		"logs/kube-system_ms.previous.log": "before\n",
	})
	if nodes, err := c.Nodes(ctx); err != nil || len(nodes) != 2 || nodes[0].Name != "w1" {
		t.Errorf("nodes %v, %v", nodes, err)
	}
	if m, err := c.NodeMetrics(ctx); err != nil || len(m) != 1 {
		t.Errorf("metrics %v, %v", m, err)
	}
	if pods, err := c.Pods(ctx, "kube-system", "app=ms"); err != nil || len(pods) != 1 {
		t.Errorf("pods %v, %v", pods, err)
	}
	if events, err := c.Events(ctx, "kube-system", "Pod", "ms"); err != nil || len(events) != 1 {
		t.Errorf("events %v, %v", events, err)
	}
	if events, err := c.Events(ctx, "kube-system", "Pod", "other"); err != nil || len(events) != 0 {
		t.Errorf("events of another: %v, %v", events, err)
	}
	if events, err := openFolder(t, map[string]string{"objects.yaml": ""}).Events(ctx, "kube-system", "Pod", "ms"); err != nil || len(events) != 0 {
		t.Errorf("events where there are none: %v, %v", events, err)
	}
	if log, err := c.Log(ctx, "kube-system", "ms", "main", false); err != nil || log == "" {
		t.Errorf("log %q, %v", log, err)
	}
	if log, err := c.Log(ctx, "kube-system", "ms", "main", true); err != nil || log != "before\n" {
		t.Errorf("previous log %q, %v", log, err)
	}
	if _, err := c.Log(ctx, "kube-system", "ms", "side", false); !NotCaptured(err) {
		t.Errorf("the log of another container: %v", err)
	}
	if want := time.Date(2026, 5, 4, 8, 0, 2, 0, time.UTC); !c.Now().Equal(want) {
		t.Errorf("now is %s, want %s", c.Now(), want)
	}
}

// What a folder without snapshot.yaml does not hold was not looked at: neither there nor
// absent.
func TestWhatIsNotInAPartialFolderWasNotLookedAt(t *testing.T) {
	ctx := t.Context()
	c := openFolder(t, map[string]string{"objects.yaml": someObjects})
	asked := map[string]error{}
	_, asked["a kind without objects"] = c.Service(ctx, "kube-system", "metrics-server")
	_, asked["an object of a kind that others are of"] = c.Pods(ctx, "kube-system", "app=other")
	_, asked["a log"] = c.Log(ctx, "kube-system", "ms", "", false)
	_, asked["version"] = c.Version(ctx)
	_, asked["health"] = c.Ready(ctx)
	for what, err := range asked {
		var e *Error
		if !NotCaptured(err) || !errors.As(err, &e) || e.Lost() {
			t.Errorf("%s: %v", what, err)
		}
	}
	states := c.States(ctx, []Ref{{"v1", "Pod", "kube-system", "ms"}, {"v1", "Pod", "kube-system", "other"}})
	if !states[0].Present || !NotCaptured(states[1].Err) {
		t.Errorf("states %+v", states)
	}
}

func TestACompleteSnapshotKnowsWhatIsAbsent(t *testing.T) {
	ctx := t.Context()
	c := openFolder(t, map[string]string{
		"objects.yaml": someObjects,
		"snapshot.yaml": `
schema: 1
taken_at: 2026-05-04T09:00:00Z
server: https://api:6443
resources:
- pods
- {group: "", resource: services, names: [kube-system/metrics-server]}
- {group: apps, resource: deployments, namespaces: [kube-system]}
- {group: apps, resource: replicasets, lists: [{namespace: kube-system, labels: app=ms}]}
answers: {/version: {status: 200, body: '{"gitVersion":"v1.36.3"}'}, /readyz: {status: 500, body: "[-]etcd failed"}}
`,
	})
	asked := map[string]error{}
	_, asked["a Service asked for"] = c.Service(ctx, "kube-system", "metrics-server")
	_, asked["a Deployment of a namespace"] = c.Deployment(ctx, "kube-system", "other")
	for what, err := range asked {
		if !NotFound(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if pods, err := c.Pods(ctx, "default", "app=none"); err != nil || len(pods) != 0 {
		t.Errorf("pods: %v, %v", pods, err)
	}
	if sets, err := c.ReplicaSets(ctx, "kube-system", "app=ms"); err != nil || len(sets) != 0 {
		t.Errorf("replica sets: %v, %v", sets, err)
	}
	for what, err := range map[string]error{"another Service": second(c.Service(ctx, "default", "other")), "another selector": second(c.ReplicaSets(ctx, "kube-system", "app=b"))} {
		if !NotCaptured(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if v, err := c.Version(ctx); err != nil || v.GitVersion != "v1.36.3" {
		t.Errorf("version %v, %v", v, err)
	}
	if h, err := c.Ready(ctx); err != nil || h.OK || len(h.Says) == 0 {
		t.Errorf("health %v, %v", h, err)
	}
	if c.Server() != "https://api:6443" || c.Now().Hour() != 9 {
		t.Errorf("server %s, now %s", c.Server(), c.Now())
	}
}

func second[T any](_ T, err error) error { return err }

func TestRefusalsHoldForLists(t *testing.T) {
	ctx := t.Context()
	c := openFolder(t, map[string]string{
		"objects.yaml": someObjects,
		"api-errors.yaml": `
"GET /apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io": {status: 403}
"GET /api/v1/nodes": {status: 403}
"GET /apis/metrics.k8s.io/v1beta1/nodes": {status: 503, message: "the server is currently unable to handle the request"}
"GET /api/v1/namespaces/kube-system/pods/ms": {status: 403}
"GET /apis/apps/v1/namespaces/kube-system/deployments/gone": {status: 404}
`,
	})
	for what, is := range map[string]struct {
		err  error
		want Kind
	}{
		"the path itself":       {second(c.APIService(ctx, "v1beta1.metrics.k8s.io")), KindForbidden},
		"a list":                {second(c.Nodes(ctx)), KindForbidden},
		"the server behind":     {second(c.NodeMetrics(ctx)), KindUnavailable},
		"the list of an object": {second(c.Pods(ctx, "kube-system", "")), KindForbidden},
		"what is not there":     {second(c.Deployment(ctx, "kube-system", "gone")), KindNotFound},
		"and its list":          {second(c.Deployments(ctx, "kube-system")), KindNotCaptured},
	} {
		if KindOf(is.err) != is.want {
			t.Errorf("%s: %v", what, is.err)
		}
	}
}

func TestPagesOfASnapshot(t *testing.T) {
	var objects string
	for i := range 1201 {
		objects += "---\n{apiVersion: v1, kind: Node, metadata: {name: n" + string(rune('a'+i%26)) + time.Duration(i).String() + "}}\n"
	}
	nodes, err := openFolder(t, map[string]string{"objects.yaml": objects}).Nodes(t.Context())
	names := map[string]bool{}
	for _, n := range nodes {
		names[n.Name] = true
	}
	if err != nil || len(nodes) != 1201 || len(names) != 1201 {
		t.Errorf("%d nodes, %d names, %v", len(nodes), len(names), err)
	}
}

func TestBrokenFoldersAreNamed(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"nothing":  {"README.md": "x"},
		"no kind":  {"objects.yaml": "metadata: {name: a}"},
		"no YAML":  {"objects.yaml": "a: [b"},
		"newer":    {"snapshot.yaml": "schema: 99"},
		"disorder": {"timeline.yaml": "[{t: 20s}, {t: 10s}]"},
	} {
		_, err := OpenSnapshot(folderOf(t, files))
		var e *SnapshotError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenSnapshot("/nowhere"); err == nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nowhere: %v", err)
	}
}

func TestTimeline(t *testing.T) {
	c := openFolder(t, map[string]string{
		"nodes.txt": "cp1\nw1\n",
		"timeline.yaml": `
- {t: 20s, apiservice: {status: "False", reason: MissingEndpoints}, ready: 0, log: no metrics to serve}
- {t: 60, ready: 1, node_metrics: [], objects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}]}
- {t: 75s, node_metrics: [cp1, w1], without: [ConfigMap default/a]}
`,
	})
	ctx, clock := t.Context(), c.Snapshot().Clock()
	var seen []int
	for range 8 {
		m, err := c.NodeMetrics(ctx)
		if NotCaptured(err) {
			m = nil
		}
		d, err := c.Deployment(ctx, "kube-system", "metrics-server")
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, len(m)*10+int(d.Status.ReadyReplicas))
		clock.Sleep(ctx, 10*time.Second)
	}
	if want := []int{0, 0, 0, 0, 1, 1, 21, 21}; !slices.Equal(seen, want) {
		t.Errorf("seen %v, want %v", seen, want)
	}
	if _, err := c.ConfigMap(ctx, "default", "a"); !NotFound(err) {
		t.Errorf("what is gone: %v", err)
	}
	// A read that is shared is shared by the simulated time.
	n := 0
	check := verify.Check{ID: "x", Run: func(ctx context.Context) []verify.Finding {
		_, _ = Share(ctx, c, "n", func(context.Context) (int, error) { n++; return n, nil })
		if n < 3 {
			return []verify.Finding{verify.NotYet("x", "x")}
		}
		return []verify.Finding{verify.Pass("x")}
	}}
	if r := (&verify.Engine{Clock: clock}).Run(ctx, []verify.Check{check}); r[0].Verdict != verify.VerdictPass {
		t.Errorf("%+v", r)
	}
}
