package checks

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const server = "https://10.0.0.1:6443"

func lostError(k cluster.Kind, text string) error {
	return &cluster.Error{Kind: k, Server: server, Err: fmt.Errorf("%s", text)}
}

func TestHealth(t *testing.T) {
	tests := map[string]struct {
		health seen[cluster.Health]
		want   expectation
		stops  bool
	}{
		"ready":        {health: seen[cluster.Health]{value: cluster.Health{OK: true}}, want: expectation{Verdict: "pass"}},
		"not ready":    {health: seen[cluster.Health]{value: cluster.Health{Says: []string{"[-]etcd failed"}}}, want: expectation{Verdict: "fail", Cause: "api-not-ready", Says: []string{"[-]etcd"}}},
		"refused":      {health: seen[cluster.Health]{err: lostError(cluster.KindRefused, "connection refused")}, stops: true, want: expectation{Verdict: "unknown", Cause: "api-unreachable", Says: []string{server, "connection refused", "crictl"}}},
		"other CA":     {health: seen[cluster.Health]{err: lostError(cluster.KindTLS, "x509: unknown authority")}, stops: true, want: expectation{Verdict: "unknown", Cause: "api-tls", Says: []string{"--kubeconfig"}}},
		"unauthorized": {health: seen[cluster.Health]{err: lostError(cluster.KindUnauthorized, "Unauthorized")}, stops: true, want: expectation{Verdict: "unknown", Cause: "api-unauthorized", Says: []string{"expired or foreign"}}},
		"forbidden":    {health: seen[cluster.Health]{err: lostError(cluster.KindForbidden, "forbidden")}, want: expectation{Verdict: "pass"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := judgeHealth(server, tt.health)
			for _, p := range tt.want.compare(f) {
				t.Errorf("%s\n%s", p, show(f))
			}
			if f.Stops != tt.stops {
				t.Errorf("stops: %v", f.Stops)
			}
		})
	}
}

func nodesOf(t *testing.T, text string) []corev1.Node {
	t.Helper()
	var nodes []corev1.Node
	if err := yaml.Unmarshal([]byte(text), &nodes); err != nil {
		t.Fatal(err)
	}
	return nodes
}

const threeNodes = `
- {metadata: {name: cp1}, status: {addresses: [{type: InternalIP, address: 10.40.0.11}], conditions: [{type: Ready, status: "True"}]}}
- {metadata: {name: w1}, status: {addresses: [{type: InternalIP, address: 10.40.0.21}], conditions: [{type: Ready, status: "Unknown", reason: NodeStatusUnknown, message: Kubelet stopped posting node status.}]}}
- {metadata: {name: w2}, status: {conditions: [{type: Ready, status: "False", reason: KubeletNotReady, message: "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"}]}}
`

func TestNodesReady(t *testing.T) {
	nodes := nodesOf(t, threeNodes)
	got := judgeNodes(&nodesState{nodes: seen[[]corev1.Node]{value: nodes}})
	for i, want := range []expectation{
		{Verdict: "fail", Cause: "kubelet-stopped", Says: []string{"w1", "NodeStatusUnknown", "journalctl -u kubelet"}},
		{Verdict: "fail", Cause: "cni-not-ready", Says: []string{"w2", "cni plugin not initialized"}},
	} {
		for _, p := range want.compare(got[i]) {
			t.Errorf("%s\n%s", p, show(got[i]))
		}
		if got[i].Of != 3 || !got[i].Retry {
			t.Errorf("%+v", got[i])
		}
	}
	if got := judgeNodes(&nodesState{nodes: seen[[]corev1.Node]{value: nodes[:1]}}); len(got) != 1 || got[0].Verdict != verify.VerdictPass {
		t.Errorf("all Ready: %+v", got)
	}
	if got := judgeNodes(&nodesState{nodes: seen[[]corev1.Node]{value: []corev1.Node{}}}); got[0].Cause != "no-nodes" {
		t.Errorf("none: %+v", got)
	}
	if got := judgeNodes(&nodesState{nodes: seen[[]corev1.Node]{err: failure(t, "forbidden", right("", "nodes", "list"))}}); got[0].Cause != "rbac-denied" {
		t.Errorf("forbidden: %+v", got)
	}
}

func TestIdentity(t *testing.T) {
	nodes := seen[[]corev1.Node]{value: nodesOf(t, threeNodes)}
	tests := map[string]struct {
		hosts []cluster.Host
		nodes seen[[]corev1.Node]
		want  expectation
		stops bool
	}{
		"all": {
			hosts: []cluster.Host{{Name: "a", KubeOverrideHostname: "cp1"}, {Name: "w1"}, {Name: "W2."}}, nodes: nodes,
			want: expectation{Verdict: "pass", Says: []string{"all 3"}},
		},
		"none": {
			hosts: []cluster.Host{{Name: "x1", AnsibleHost: "192.0.2.1"}, {Name: "x2", AnsibleHost: "127.0.0.1"}}, nodes: nodes, stops: true,
			want: expectation{Verdict: "unknown", Cause: "wrong-cluster", Says: []string{"x1, x2", "cp1, w1, w2", "--kubeconfig"}},
		},
		"some": {
			hosts: []cluster.Host{{Name: "x", IP: "10.40.0.11"}, {Name: "new"}}, nodes: nodes,
			want: expectation{Verdict: "warn", Cause: "partial-match", Says: []string{"hosts that are no node: new", "nodes that are no host: w1, w2"}},
		},
		"not readable": {
			hosts: []cluster.Host{{Name: "x"}}, nodes: seen[[]corev1.Node]{err: failure(t, "forbidden", right("", "nodes", "list"))},
			want: expectation{Verdict: "unknown", Cause: "rbac-denied"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := judgeIdentity(server, Facts{Hosts: tt.hosts, Inventory: "inventory.ini"}, tt.nodes)
			for _, p := range tt.want.compare(f) {
				t.Errorf("%s\n%s", p, show(f))
			}
			if f.Stops != tt.stops {
				t.Errorf("stops: %v", f.Stops)
			}
		})
	}
}

// TestEveryCheckIsDeclared: id, title, area, help with a link or a sentence, and access
// wherever objects are read.
func TestEveryCheckIsDeclared(t *testing.T) {
	have := map[string]bool{}
	for _, c := range For(nil, Facts{}, Options{}) {
		if have[c.ID] || c.Title == "" || c.Area == "" || !strings.Contains(c.Help, "https://") || c.Run == nil || !strings.HasPrefix(c.ID, c.Area+".") {
			t.Errorf("check %q: %+v", c.ID, c)
		}
		if len(c.Access) == 0 && c.Area != "api-server" && c.ID != helmBinary {
			t.Errorf("check %q declares no access", c.ID)
		}
		for _, n := range c.Needs {
			if !have[n] {
				t.Errorf("check %q needs %q, which is not before it", c.ID, n)
			}
		}
		have[c.ID] = true
	}
}
