package test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/surespray/surespray/test/lab"
)

// with are the arguments of a verification that knows the inventory.
func with(args ...string) []string {
	return append([]string{
		"-i", "$INVENTORY", "--kubespray", "$CHECKOUT", "-e", "local_path_provisioner_enabled=true", "-e", "local_path_provisioner_claim_root=" + lab.ClaimRoot,
		"-e", "metrics_server_metric_resolution=10s", "-e", "metrics_server_limits_cpu=1",
	}, args...)
}

// askedFaults are about what was asked for, by whom, and of which cluster.
func askedFaults() []fault {
	return []fault{
		{
			name: "kubeconfig with few rights", args: []string{"nodes", "--kubeconfig", "$HOME/limited.conf", "--within", "5s"},
			harm: limited, mend: remove(limitedUser),
			id: "nodes.ready", verdict: "unknown", cause: "rbac-denied", fix: `verb "list" on resource "nodes"`,
		},
		{
			name: "inventory of another cluster", args: []string{"-i", "$HOME/other.yml", "--kubespray", "$CHECKOUT", "--within", "5s"},
			harm: func(_ context.Context, s *site) error {
				return os.WriteFile(filepath.Join(s.home, "other.yml"), []byte(otherInventory), 0o600)
			},
			id: "api-server.identity", verdict: "unknown", cause: "wrong-cluster", fix: "--kubeconfig",
		},
		{
			name: "leftover", args: append([]string{"metrics-server.leftover", "--within", "5s"}, with("-e", "metrics_server_enabled=false")...),
			id: "metrics-server.leftover", verdict: "warn", cause: "leftover-after-disable", fix: "kubectl delete -f",
		},
		{
			name: "version drift", args: append([]string{"metrics-server", "--within", "5s"}, with("-e", "metrics_server_enabled=true", "-e", "metrics_server_version=0.8.9")...),
			id: "metrics-server.version", verdict: "warn", cause: "version-drift", fix: "surespray addon apply metrics-server",
		},
		{
			name: "drift", args: append([]string{"metrics-server", "--within", "5s"}, with("-e", "metrics_server_enabled=true", "-e", "metrics_server_metric_resolution=30s")...),
			id: "metrics-server.drift", verdict: "fail", cause: "live-differs-from-inventory", fix: "surespray addon apply metrics-server",
		},
	}
}

const otherInventory = `all:
  vars: {ansible_connection: local}
  children:
    kube_control_plane: {hosts: {db1: }}
    etcd: {hosts: {db1: }}
    kube_node: {hosts: {db1: , db2: }}
`

const limitedUser = `apiVersion: v1
kind: ServiceAccount
metadata: {name: limited, namespace: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: limited}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: ServiceAccount, name: limited, namespace: default}]
`

// limited writes the kubeconfig of somebody who may look at workloads, and at no node.
func limited(ctx context.Context, s *site) error {
	if err := apply(limitedUser)(ctx, s); err != nil {
		return err
	}
	token, err := s.Kubectl(ctx, "", "-n", "default", "create", "token", "limited")
	if err != nil {
		return err
	}
	content, err := os.ReadFile(s.Kubeconfig())
	if err != nil {
		return err
	}
	limited := regexp.MustCompile(`user: \{client-.*\}`).ReplaceAllLiteral(content, []byte("user: {token: "+strings.TrimSpace(token)+"}}"))
	return os.WriteFile(filepath.Join(s.home, "limited.conf"), limited, 0o600)
}
