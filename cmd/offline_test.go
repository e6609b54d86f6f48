package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/report"
)

// offline writes a folder and verifies it. The checks asked for come back by their ids.
func offline(t *testing.T, files map[string]string, args ...string) (code int, doc report.Document, results map[string]verify.Result) {
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
	t.Chdir(t.TempDir()) // no checkout near
	var out, err bytes.Buffer
	code = Main(t.Context(), append([]string{"verify", "--snapshot", dir, "-o", "json"}, args...), System{Out: &out, Err: &err})
	if e := json.Unmarshal(out.Bytes(), &doc); e != nil {
		t.Fatalf("%v\n%s%s", e, &out, &err)
	}
	results = map[string]verify.Result{}
	for _, r := range doc.Results {
		results[r.ID+strings.TrimSuffix("/"+r.Subject, "/")] = r
	}
	return code, doc, results
}

const (
	twoNodes = `
apiVersion: v1
kind: NodeList
items:
- {metadata: {name: cp1}, status: {addresses: [{type: InternalIP, address: 10.0.0.1}], conditions: [{type: Ready, status: "True"}]}}
- {metadata: {name: w1}, status: {addresses: [{type: InternalIP, address: 10.0.0.2}], conditions: [{type: Ready, status: "True"}]}}
---
`
	unavailable = `
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec: {service: {name: metrics-server, namespace: kube-system, port: 443}}
status: {conditions: [{type: Available, status: "False", reason: MissingEndpoints, message: no addresses}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: metrics-server, namespace: kube-system}
spec: {selector: {matchLabels: {app: ms}}, template: {spec: {containers: [{name: metrics-server, resources: {limits: {memory: 35Mi}}}]}}}
status: {replicas: 1, readyReplicas: 0, availableReplicas: 0}
---
apiVersion: v1
kind: Pod
metadata: {name: ms, namespace: kube-system, creationTimestamp: "2026-05-04T08:00:00Z", labels: {app: ms}}
spec: {nodeName: w1, containers: [{name: metrics-server}]}
status: {phase: Running, containerStatuses: [{name: metrics-server, ready: false, state: {running: {}}}]}
`
	noSAN = `E0504 08:01:11.1 1 scraper.go:149] "Failed to scrape node" err="Get \"https://10.0.0.1:10250/metrics/resource\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs" node="cp1"
E0504 08:01:11.1 1 scraper.go:149] "Failed to scrape node" err="Get \"https://10.0.0.2:10250/metrics/resource\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.2 because it doesn't contain any IP SANs" node="w1"
`
)

// A folder without snapshot.yaml: the root is named once, and what is not in it is left
// out with that reason.
func TestAFolderIsVerified(t *testing.T) {
	code, _, got := offline(t, map[string]string{
		"objects.yaml": twoNodes + unavailable, "logs/kube-system_ms.log": noSAN,
		"group_vars/k8s_cluster/addons.yml": "metrics_server_enabled: true\nmetrics_server_limits_memory: 200Mi\n",
		"group_vars/all/all.yml":            "metrics_server_limits_memory: 100Mi\nhelm_enabled: \"{{ x }}\"\n",
	})
	if r := got["metrics-server.apiservice"]; code != exitVerifyFailed || r.Cause != "kubelet-cert-no-san" || !slices.Equal(r.On, []string{"cp1", "w1"}) {
		t.Errorf("code %d, %+v", code, r)
	}
	if r := got["metrics-server.drift"]; !strings.Contains(strings.Join(r.Evidence, " "), "200Mi") && r.CausedBy == "" {
		t.Errorf("the values of group_vars: %+v", r)
	}
	for _, id := range []string{"api-server.health", "metrics-server.service", "local-path.deployment", "network.plugin"} {
		if r := got[id]; r.Verdict != verify.VerdictSkip || !strings.Contains(r.Summary, "snapshot does not hold") {
			t.Errorf("%s: %+v", id, r)
		}
	}
}

// Nothing follows from what nobody has looked at.
func TestAnEmptyFolderFindsNothing(t *testing.T) {
	code, doc, _ := offline(t, map[string]string{"objects.yaml": "---\n", "values.yaml": "metrics_server_enabled: true\nlocal_path_provisioner_enabled: true\nhelm_enabled: true\nkube_network_plugin: calico\n"})
	if code != exitOK {
		t.Errorf("code %d", code)
	}
	for _, r := range doc.Results {
		if r.Verdict != verify.VerdictSkip {
			t.Errorf("%s: %s %s", r.ID, r.Verdict, r.Summary)
		}
	}
}

func TestWhereTheValuesOfAFolderComeFrom(t *testing.T) {
	inventory := "[kube_control_plane]\ncp1 ip=10.0.0.1 metrics_server_enabled=False\n[k8s_cluster:children]\nkube_control_plane\n"
	vars := map[string]string{"objects.yaml": "---\n", "group_vars/k8s_cluster.yml": "metrics_server_enabled: true\nhelm_enabled: true\n"}
	for want, more := range map[string]map[string]string{
		"group_vars": nil, "inventory.ini": {"inventory.ini": inventory}, "values.yaml": {"inventory.ini": inventory, "values.yaml": "metrics_server_enabled: true\n"},
	} {
		files := map[string]string{}
		for _, from := range []map[string]string{vars, more} {
			for name, body := range from {
				files[name] = body
			}
		}
		_, doc, _ := offline(t, files)
		if !slices.ContainsFunc(doc.Notes, func(n string) bool { return strings.HasPrefix(n, "values: ") && strings.HasSuffix(n, want) }) {
			t.Errorf("%s: notes %v", want, doc.Notes)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "inventory.ini"), []byte(inventory), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(dir))
	for _, dir := range []string{dir, filepath.Base(dir)} {
		if values, _ := literalValues(dir); values["metrics_server_enabled"] != false || values["ip"] != "10.0.0.1" {
			t.Errorf("values of the first control plane: %v", values)
		}
	}
}

// With a timeline the wait is simulated: what needs 75 seconds is proven at once.
func TestATimelineIsWaitedFor(t *testing.T) {
	early := `- {t: 20s, apiservice: {status: "False", reason: MissingEndpoints}, ready: 0, log: 'probe="metric-storage-ready" err="no metrics to serve"'}
- {t: 60s, apiservice: {status: "True", reason: Passed}, ready: 1, node_metrics: []}
`
	code, _, got := offline(t, map[string]string{"nodes.txt": "cp1 w1", "timeline.yaml": early + "- {t: 75s, node_metrics: [cp1, w1]}\n"})
	if r := got["metrics-server.node-coverage"]; code != exitOK || r.Verdict != verify.VerdictPass || r.TookMS != 55_000 {
		t.Errorf("code %d, %+v", code, r)
	}
	code, _, got = offline(t, map[string]string{"nodes.txt": "cp1 w1", "timeline.yaml": early})
	if r := got["metrics-server.node-coverage"]; code != exitVerifyFailed || !strings.Contains(r.Summary, "no node has metrics") {
		t.Errorf("code %d, %+v", code, r)
	}
}

func TestWrongUsesOfASnapshot(t *testing.T) {
	for want, args := range map[int][]string{
		exitUsage:     {"verify", "--snapshot", "x", "--context", "y"},
		exitPreflight: {"verify", "--snapshot", "nowhere"},
	} {
		if code := Main(t.Context(), args, System{Out: new(bytes.Buffer), Err: new(bytes.Buffer)}); code != want {
			t.Errorf("%v: %d, want %d", args, code, want)
		}
	}
}
