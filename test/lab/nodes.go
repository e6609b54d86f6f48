package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// kwokConfig makes kwok keep nodes Ready, run every pod but those that the pod runner
// runs for real, and serve what a kubelet serves: metrics, and logs (podlogs.go).
const kwokConfig = `apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
options:
  manageAllNodes: true
  nodeIP: 127.0.0.1
  nodePort: %[1]d
  serverAddress: 127.0.0.1:%[1]d
  cidr: 10.244.128.0/17
  enableDebuggingHandlers: true
  nodeLeaseDurationSeconds: 40
  nodeLeaseParallelism: 4
  podPlayStageParallelism: 4
  nodePlayStageParallelism: 4
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-ready}
spec:
  resourceRef: {apiGroup: v1, kind: Node}
  selector:
    matchExpressions:
    - {key: '.metadata.annotations["surespray.lab/ready"]', operator: NotIn, values: ["false"]}
    - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ["True"]}
  next:
    statusTemplate: |
      {{ $now := Now }}
      conditions:
      - {type: Ready, status: "True", reason: KubeletReady, message: kubelet is posting ready status, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }}}
      - {type: MemoryPressure, status: "False", reason: KubeletHasSufficientMemory, message: kubelet has sufficient memory available, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }}}
      - {type: DiskPressure, status: "False", reason: KubeletHasNoDiskPressure, message: kubelet has no disk pressure, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }}}
      - {type: PIDPressure, status: "False", reason: KubeletHasSufficientPID, message: kubelet has sufficient PID available, lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }}}
      addresses:
      - {type: InternalIP, address: 127.0.0.1}
      - {type: Hostname, address: {{ .metadata.name }}}
      daemonEndpoints: {kubeletEndpoint: {Port: {{ NodePort }}}}
      allocatable: {cpu: "4", memory: 8Gi, pods: "110"}
      capacity: {cpu: "4", memory: 8Gi, pods: "110"}
      nodeInfo: {architecture: amd64, bootID: lab, containerRuntimeVersion: containerd://2.2.1, kernelVersion: lab-6, kubeProxyVersion: "", kubeletVersion: v%[2]s, machineID: lab, operatingSystem: linux, osImage: Lab, systemUUID: lab}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-run}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
    - {key: '.metadata.labels["app.kubernetes.io/name"]', operator: NotIn, values: [metrics-server]}
    - {key: '.status.phase', operator: In, values: [Pending]}
  next:
    statusTemplate: |
      {{ $now := Now }}
      phase: Running
      startTime: {{ $now | Quote }}
      conditions:
      - {type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }}}
      - {type: Ready, status: "True", lastTransitionTime: {{ $now | Quote }}}
      - {type: ContainersReady, status: "True", lastTransitionTime: {{ $now | Quote }}}
      containerStatuses:
      {{ range .spec.containers }}
      - {name: {{ .name | Quote }}, image: {{ .image | Quote }}, ready: true, restartCount: 0, state: {running: {startedAt: {{ $now | Quote }}}}}
      {{ end }}
      {{ with PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
      podIP: {{ index . 0 | Quote }}
      {{ end }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-delete}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: '.metadata.deletionTimestamp', operator: Exists}
    - {key: '.metadata.labels["app.kubernetes.io/name"]', operator: NotIn, values: [metrics-server]}
  next: {delete: true}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterResourceUsage
metadata: {name: usage}
spec:
  usages:
  - usage:
      cpu: {value: 20m}
      memory: {value: 30Mi}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Metric
metadata: {name: metrics-resource}
spec:
  path: /metrics/nodes/{nodeName}/metrics/resource
  metrics:
  - {name: scrape_error, dimension: node, kind: gauge, value: '0'}
  - {name: node_cpu_usage_seconds_total, dimension: node, kind: counter, value: 'node.CumulativeUsage("cpu") + 0.2 * node.SinceSecond()'}
  - {name: node_memory_working_set_bytes, dimension: node, kind: gauge, value: 'node.Usage("memory") + 536870912.0'}
  - name: container_start_time_seconds
    dimension: container
    kind: gauge
    labels: &container
    - {name: container, value: container.name}
    - {name: namespace, value: pod.metadata.namespace}
    - {name: pod, value: pod.metadata.name}
    value: 'pod.SinceSecond()'
  - {name: container_cpu_usage_seconds_total, dimension: container, kind: counter, labels: *container, value: 'pod.CumulativeUsage("cpu", container.name) + 0.001 * pod.SinceSecond()'}
  - {name: container_memory_working_set_bytes, dimension: container, kind: gauge, labels: *container, value: 'pod.Usage("memory", container.name)'}
`

// startNodes starts kwok and makes the simulated nodes; the first is a control plane.
func (l *Lab) startNodes(ctx context.Context, count int) error {
	config := fmt.Sprintf(kwokConfig, l.ports.kubelet, kubernetesVersion)
	if err := os.WriteFile(filepath.Join(l.Dir, "kwok.yaml"), []byte(config), 0o600); err != nil {
		return err
	}
	for i := range count {
		if err := l.createNode(ctx, nodeName(i), i == 0); err != nil {
			return err
		}
	}
	if err := l.chooseKubeletCert("self"); err != nil {
		return err
	}
	p, err := l.procs.start(Kwok, l.argv(Kwok)...)
	if err != nil {
		return err
	}
	return l.procs.await(ctx, p, "all nodes to be Ready", l.nodesReady)
}

func nodeName(i int) string { return fmt.Sprintf("node%d", i+1) }

// createIdlePod gives a node a simulated pod. metrics-server is ready only when it has two
// scrapes of some pod; without this one it would wait for those of itself.
func (l *Lab) createIdlePod(ctx context.Context, node string) error {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "idle-" + node},
		Spec: corev1.PodSpec{
			NodeName:   node,
			Containers: []corev1.Container{{Name: "pause", Image: "registry.k8s.io/pause:3.10.1"}},
		},
	}
	if _, err := l.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("making the pod of %s: %w", node, err)
	}
	return nil
}

func (l *Lab) createNode(ctx context.Context, name string, controlPlane bool) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name:        name,
		Labels:      map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"},
		Annotations: map[string]string{"metrics.k8s.io/resource-metrics-path": resourceMetricsPath(name)},
	}}
	if controlPlane {
		node.Labels["node-role.kubernetes.io/control-plane"] = ""
	}
	_, err := l.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("making node %s: %w", name, err)
	}
	return nil
}

func (l *Lab) nodesReady(ctx context.Context) error {
	nodes, err := l.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, n := range nodes.Items {
		ready := false
		for _, c := range n.Status.Conditions {
			ready = ready || c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		}
		if !ready {
			return fmt.Errorf("node %s is not Ready", n.Name)
		}
	}
	return nil
}
