package test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/surespray/surespray/test/lab"
)

// with are the arguments of a verification that knows the inventory.
func with(args ...string) []string {
	return append([]string{
		"-i", "$INVENTORY", "--kubespray", "$CHECKOUT", "-e", "local_path_provisioner_enabled=true", "-e", "local_path_provisioner_claim_root=" + lab.ClaimRoot,
		"-e", "metrics_server_metric_resolution=10s", "-e", "metrics_server_limits_cpu=1",
	}, args...)
}

func simulatedSetup() step {
	return all(installed(), manifest("local-path.yaml"), stuckRelease)
}

// simulatedFaults are those that need no node of flesh and blood.
func simulatedFaults() []fault {
	const system = "-n kube-system "
	ms := installed()
	lp := manifest("local-path.yaml")
	return []fault{
		{
			name: "healthy", args: with("-e", "metrics_server_enabled=true", "--within", "30s"),
			id: "metrics-server.node-coverage", verdict: "pass",
		},

		// Between the API server and metrics-server.
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

		// A new version of metrics-server that does not come up, while the old one serves.
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

		// metrics-server away altogether.
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

		// local-path: what needs no volume.
		{
			name: "two default classes", args: []string{"--within", "5s"},
			harm: apply(otherClass), mend: remove(otherClass),
			id: "local-path.default-class", verdict: "warn", cause: "two-default-classes", fix: "kubectl annotate storageclass other",
		},
		{
			name: "default True", args: []string{"--within", "5s"},
			harm: all(kubectl("annotate --overwrite storageclass local-path storageclass.kubernetes.io/is-default-class=True"), apply(claim("classless", "", "ReadWriteOnce"))),
			mend: all(remove(claim("classless", "", "ReadWriteOnce")), lp),
			id:   "local-path.default-class", verdict: "warn", cause: "default-annotation-not-true", fix: `local_path_provisioner_is_default_storageclass="true"`,
		},
		{
			name: "class missing", args: []string{"local-path", "--within", "5s"},
			harm: kubectl("delete storageclass local-path"), mend: lp,
			id: "local-path.default-class", verdict: "fail", cause: "class-missing", fix: "surespray addon apply local-path",
		},
		{
			name: "ConfigMap missing", args: []string{"--within", "5s"},
			harm: kubectl("-n local-path-storage delete configmap local-path-config"), mend: lp,
			id: "local-path.configmap", verdict: "fail", cause: "config-missing", fix: "surespray addon apply local-path",
		},
		{
			name: "provisioner scaled to zero", args: []string{"--within", "5s"},
			harm: kubectl("-n local-path-storage scale deployment local-path-provisioner --replicas=0"), mend: kubectl("-n local-path-storage scale deployment local-path-provisioner --replicas=1"),
			id: "local-path.deployment", verdict: "fail", cause: "scaled-to-zero", fix: "scale deployment local-path-provisioner --replicas=1",
		},
		{
			name: "pod pinned by nodeName", args: []string{"--within", "5s"},
			harm: apply(claim("pinned", "local-path", "ReadWriteOnce") + consumer("pinned", "nodeName: node2")), mend: remove(claim("pinned", "local-path", "ReadWriteOnce") + consumer("pinned", "nodeName: node2")),
			id: "local-path.claims", subject: "default/pinned", verdict: "warn", cause: "pod-pinned-by-node-name", fix: "nodeSelector {kubernetes.io/hostname: node2}",
		},

		// HPAs.
		{
			name: "HPA without requests", args: []string{"hpa", "shop/web", "--within", "60s"},
			harm: all(apply(shop + hpa("web", "web", `{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}`))), mend: kubectl("-n shop delete hpa web"),
			id: "metrics-server.hpa", subject: "shop/web", verdict: "warn", cause: "workload-missing-request", fix: "kubectl -n shop set resources deployment web --containers=app --requests=cpu=100m",
		},
		{
			name: "HPA with a metric that nobody serves", args: []string{"hpa", "shop/web", "--within", "30s"},
			harm: apply(hpa("web", "web", `{type: Pods, pods: {metric: {name: requests_per_second}, target: {type: AverageValue, averageValue: "10"}}}`)), mend: kubectl("-n shop delete hpa web"),
			id: "metrics-server.hpa", subject: "shop/web", verdict: "warn", cause: "metric-api-missing", fix: "prometheus-adapter",
		},
		{
			name: "HPA without target", args: []string{"hpa", "shop/web", "--within", "30s"},
			harm: apply(hpa("web", "gone", `{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}`)), mend: kubectl("delete namespace shop --wait=false"),
			id: "metrics-server.hpa", subject: "shop/web", verdict: "warn", cause: "target-missing", fix: "spec.scaleTargetRef",
		},

		// What was asked for, by whom, of which cluster.
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
		{
			name: "pool with another encapsulation", args: append([]string{"network.encapsulation", "--within", "5s"}, with("-e", "kube_network_plugin=calico")...),
			harm: all(apply(poolCRD), until(20*time.Second, apply(pool))), mend: remove(pool + poolCRD),
			id: "network.encapsulation", verdict: "fail", cause: "encapsulation-drift", fix: "calico_vxlan_mode: Never",
		},

		// The ground.
		{
			name: "node not Ready", args: []string{"--within", "3s"},
			harm: notReady, mend: readyAgain,
			id: "nodes.ready", subject: "node3", verdict: "fail", cause: "node-not-ready", fix: "kubectl describe node node3",
		},
		{
			name: "API server away in the middle of the wait", args: []string{"nodes", "--within", "60s"},
			harm: notReady,
			while: all(pause(3*time.Second), func(ctx context.Context, s *site) error {
				s.StopProcess(lab.APIServer)
				time.Sleep(4 * time.Second)
				return s.StartProcess(ctx, lab.APIServer)
			}, until(20*time.Second, readyAgain)),
			mend: readyAgain,
			id:   "nodes.ready", verdict: "pass",
		},
		{
			name: "API server stopped", args: []string{"--within", "3s"},
			harm: func(_ context.Context, s *site) error { s.StopProcess(lab.APIServer); return nil },
			mend: func(ctx context.Context, s *site) error { return s.StartProcess(ctx, lab.APIServer) },
			id:   "api-server.health", verdict: "unknown", cause: "api-unreachable", fix: "kubeconfig",
		},

		// Made when the lab started: only then is a release taken for stuck that Helm has
		// left alone for its own five minutes.
		{
			name: "release stuck", args: []string{"helm", "--within", "10s"},
			harm: func(_ context.Context, s *site) error { s.skip = nil; return nil }, mend: kubectl("delete namespace stuck --wait=false"),
			id: "helm.releases", subject: "stuck/app", verdict: "fail", cause: "helm-pending", fix: "helm -n stuck uninstall app",
		},
	}
}

const otherClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: other, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: example.com/other
`

func claim(name, class, mode string) string {
	if class != "" {
		class = "storageClassName: " + class + ", "
	}
	return `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ` + name + `}
spec: {` + class + `accessModes: [` + mode + `], resources: {requests: {storage: 1Mi}}}
---
`
}

// consumer is a pod that uses a claim.
func consumer(name, where string) string {
	return `apiVersion: v1
kind: Pod
metadata: {name: ` + name + `}
spec:
  terminationGracePeriodSeconds: 0
  ` + where + `
  containers: [{name: app, image: "busybox:latest", imagePullPolicy: IfNotPresent, command: [sleep, "3600"], volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: ` + name + `}}]
---
`
}

const shop = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "registry.k8s.io/pause:3.10.1"}]}
---
`

func hpa(name, target, metric string) string {
	return `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: ` + name + `, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ` + target + `}
  maxReplicas: 3
  metrics: [` + metric + `]
`
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

const poolCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ippools.crd.projectcalico.org}
spec:
  group: crd.projectcalico.org
  scope: Cluster
  names: {kind: IPPool, listKind: IPPoolList, plural: ippools, singular: ippool}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`

const pool = `apiVersion: crd.projectcalico.org/v1
kind: IPPool
metadata: {name: default-pool}
spec: {cidr: 10.233.64.0/18, blockSize: 26, ipipMode: Always, vxlanMode: Never, natOutgoing: true}
---
`

var notReady = all(
	kubectl("annotate --overwrite node node3 surespray.lab/ready=false"),
	kubectl("patch node node3 --subresource=status -p", `{"status":{"conditions":[{"type":"Ready","status":"False","reason":"KubeletNotReady","message":"container runtime is down"}]}}`))

var readyAgain = kubectl("annotate --overwrite node node3 surespray.lab/ready-")

// wrongCA makes the API server ask for a certificate of the cluster's own authority.
func wrongCA(ctx context.Context, s *site) error {
	ca, err := s.Kubectl(ctx, "", "config", "view", "--raw", "-o", "jsonpath={.clusters[0].cluster.certificate-authority-data}")
	if err != nil {
		return err
	}
	return kubectl("patch apiservice v1beta1.metrics.k8s.io --type=merge -p", `{"spec":{"insecureSkipTLSVerify":false,"caBundle":"`+ca+`"}}`)(ctx, s)
}

// stuckRelease has Helm killed while it waits for what it installs.
func stuckRelease(ctx context.Context, s *site) error {
	chart := filepath.Join(s.home, "app")
	for name, content := range map[string]string{
		"Chart.yaml":         "apiVersion: v2\nname: app\nversion: 0.1.0\n",
		"templates/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app}\nspec: {nodeSelector: {disk: none}, containers: [{name: app, image: pause}]}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(chart, name)), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(chart, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(s.Tools(), "helm"), "--kubeconfig", s.Kubeconfig(), "-n", "stuck", "install", "app", chart, "--create-namespace", "--wait")
	cmd.Env = append(os.Environ(), "HOME="+s.home)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	s.skip = []string{"helm"}
	return until(60*time.Second, kubectl("-n stuck get pod app"))(ctx, s)
}
