package test

// hpaFaults are of workloads that do not scale.
func hpaFaults() []fault {
	return []fault{
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
	}
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
