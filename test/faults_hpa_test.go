package test

import "strings"

// hpaFaults are of workloads that do not scale.
func hpaFaults() []fault {
	return []fault{
		{
			name: "HPA without requests", args: []string{"hpa", "shop/web", "--within", "60s"},
			harm: all(apply(shop + hpa("web", "web", share))), mend: kubectl("-n shop delete hpa web"),
			id: "metrics-server.hpa", subject: "shop/web", verdict: "warn", cause: "workload-missing-request", fix: "kubectl -n shop set resources deployment web --containers=app --requests=cpu=100m",
		},
		{
			name: "HPA at its maximum", args: []string{"hpa", "shop/busy", "--within", "60s"},
			harm: apply(strings.Replace(hpa("busy", "busy", share), "maxReplicas: 3", "maxReplicas: 1", 1)), mend: kubectl("-n shop delete hpa busy"),
			id: "metrics-server.hpa", subject: "shop/busy", verdict: "warn", cause: "at-max", fix: `{"spec":{"maxReplicas":2}}`,
		},
		{
			name: "HPA without ready pods", args: []string{"hpa", "shop/nowhere", "--within", "60s"},
			harm: apply(hpa("nowhere", "nowhere", share)), mend: kubectl("-n shop delete hpa nowhere"),
			id: "metrics-server.hpa", subject: "shop/nowhere", verdict: "warn", cause: "no-ready-pods", fix: "nodeSelector",
		},
		{
			name: "HPA with a metric that nobody serves", args: []string{"hpa", "shop/web", "--within", "30s"},
			harm: apply(hpa("web", "web", `{type: Pods, pods: {metric: {name: requests_per_second}, target: {type: AverageValue, averageValue: "10"}}}`)), mend: kubectl("-n shop delete hpa web"),
			id: "metrics-server.hpa", subject: "shop/web", verdict: "warn", cause: "metric-api-missing", fix: "prometheus-adapter",
		},
		{
			name: "HPA without target", args: []string{"hpa", "shop/web", "--within", "30s"},
			harm: apply(hpa("web", "gone", share)), mend: kubectl("delete namespace shop --wait=false"),
			id: "metrics-server.hpa", subject: "shop/web", verdict: "warn", cause: "target-missing", fix: "spec.scaleTargetRef",
		},
	}
}

// share is a metric that needs requests.
const share = "{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}"

// shop has three workloads: without requests, with one that is too small, and without a node.
var shop = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
` + workload("web", "") + workload("busy", "resources: {requests: {cpu: 10m}}") + workload("nowhere", "resources: {requests: {cpu: 1k}}")

func workload(name, resources string) string {
	return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ` + name + `, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: ` + name + `}}
  template:
    metadata: {labels: {app: ` + name + `}}
    spec: {containers: [{name: app, image: "registry.k8s.io/pause:3.10.1", ` + resources + `}]}
---
`
}

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
