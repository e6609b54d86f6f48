package test

import (
	"context"
	"time"
)

// serviceFaults are between the API server and metrics-server.
func serviceFaults() []fault {
	const system = "-n kube-system "
	ms := installed()
	return []fault{
		{
			name: "service selects nothing", args: []string{"--within", "10s"},
			harm: all(kubectl(system+"patch service metrics-server --type=merge -p", `{"spec":{"selector":{"app.kubernetes.io/name":"metrics"}}}`), unavailable), mend: ms,
			id: "metrics-server.apiservice", verdict: "fail", cause: "service-selects-nothing", fix: "surespray addon apply metrics-server",
		},
		{
			name: "service missing", args: []string{"--within", "10s"},
			harm: all(kubectl(system+"delete service metrics-server"), unavailable), mend: ms,
			id: "metrics-server.apiservice", verdict: "fail", cause: "service-missing", fix: "surespray addon apply metrics-server",
		},
		{
			name: "service port mismatch", args: []string{"--within", "10s"},
			harm: all(kubectl("patch apiservice v1beta1.metrics.k8s.io --type=merge -p", `{"spec":{"service":{"port":14443}}}`), unavailable),
			mend: kubectl("patch apiservice v1beta1.metrics.k8s.io --type=merge -p", `{"spec":{"service":{"port":443}}}`),
			id:   "metrics-server.apiservice", verdict: "fail", cause: "service-port-mismatch", fix: "surespray addon apply metrics-server",
		},
		{
			name: "APIService missing", args: []string{"metrics-server", "--within", "10s"},
			harm: kubectl("delete apiservice v1beta1.metrics.k8s.io"), mend: ms,
			id: "metrics-server.apiservice", verdict: "fail", cause: "apiservice-missing", fix: "surespray addon apply metrics-server",
		},
		{
			name: "APIService CA mismatch", args: []string{"--within", "10s"},
			harm: all(wrongCA, unavailable),
			mend: kubectl("patch apiservice v1beta1.metrics.k8s.io --type=merge -p", `{"spec":{"insecureSkipTLSVerify":true,"caBundle":null}}`),
			id:   "metrics-server.apiservice", verdict: "fail", cause: "apiservice-ca-mismatch", fix: "caBundle",
		},
	}
}

// rolloutFaults are new versions of metrics-server that do not come up, while the old one serves.
func rolloutFaults() []fault {
	const system = "-n kube-system "
	ms := installed()
	return []fault{
		{
			name: "bad flag", args: []string{"--within", "20s"},
			harm: metricsServer(`[{"op":"add","path":"/spec/template/spec/containers/0/args/-","value":"--no-such-flag"}]`), mend: undo,
			id: "metrics-server.deployment", verdict: "fail", cause: "bad-argument", fix: "(args); then surespray addon apply metrics-server",
		},
		{
			name: "certificates without addresses", args: []string{"--within", "40s"},
			harm: metricsServer("[" + insecure + "]"), mend: undo,
			id: "metrics-server.deployment", verdict: "fail", cause: "kubelet-cert-no-san", fix: "kubelet_rotate_server_certificates: true",
		},
		{
			name: "unschedulable", args: []string{"--within", "20s"},
			harm: metricsServer(`[{"op":"add","path":"/spec/template/spec/nodeSelector","value":{"disk":"none"}}]`), mend: undo,
			id: "metrics-server.deployment", verdict: "fail", cause: "unschedulable", fix: "nodeSelector",
		},
		{
			name: "quota", args: []string{"--within", "20s"},
			harm: all(kubectl(system+"create quota full --hard=pods=1"), pause(2*time.Second), restart),
			mend: all(kubectl(system+"delete quota full"), undo),
			id:   "metrics-server.deployment", verdict: "fail", cause: "pod-create-failed", fix: "resourcequota",
		},
		{
			name: "ClusterRoleBinding gone", args: []string{"--within", "8s"},
			harm: all(kubectl("delete clusterrolebinding system:metrics-server"), restart), mend: all(undo, ms),
			id: "metrics-server.deployment", verdict: "fail", cause: "rbac-missing", fix: "surespray addon apply metrics-server",
		},
		{
			name: "auth-reader gone", args: []string{"--within", "8s"},
			harm: all(kubectl(system+"delete rolebinding metrics-server-auth-reader"), restart), mend: all(undo, ms),
			id: "metrics-server.deployment", verdict: "fail", cause: "rbac-missing", fix: "surespray addon apply metrics-server",
		},
	}
}

// awayFaults leave no metrics-server at all.
func awayFaults() []fault {
	const system = "-n kube-system "
	return []fault{
		{
			name: "scaled to zero", args: []string{"--within", "10s"},
			harm: all(kubectl(system+"scale deployment metrics-server --replicas=0"), unavailable), mend: kubectl(system + "scale deployment metrics-server --replicas=1"),
			id: "metrics-server.apiservice", verdict: "fail", cause: "scaled-to-zero", fix: "kubectl -n kube-system scale deployment metrics-server --replicas=1",
		},
		{
			name: "metrics-server stopped", args: []string{"--within", "10s"},
			harm: func(_ context.Context, s *site) error { s.HoldPods(true); s.KillPods(); return nil },
			mend: func(_ context.Context, s *site) error { s.HoldPods(false); return nil },
			id:   "metrics-server.apiservice", verdict: "fail", cause: "crash-loop", fix: "logs --previous",
		},
	}
}

// wrongCA makes the API server ask for a certificate of the cluster's own authority.
func wrongCA(ctx context.Context, s *site) error {
	ca, err := s.Kubectl(ctx, "", "config", "view", "--raw", "-o", "jsonpath={.clusters[0].cluster.certificate-authority-data}")
	if err != nil {
		return err
	}
	return kubectl("patch apiservice v1beta1.metrics.k8s.io --type=merge -p", `{"spec":{"insecureSkipTLSVerify":false,"caBundle":"`+ca+`"}}`)(ctx, s)
}
