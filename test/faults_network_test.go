package test

import (
	"strings"
	"time"
)

// networkFaults are of calico, as far as it consists of objects: its pods are simulated.
func networkFaults() []fault {
	args := append([]string{"network", "--within", "20s"}, with("-e", "kube_network_plugin=calico")...)
	calico := func(old, changed string) step {
		if !strings.Contains(pool+calicoPods, old) {
			panic("calico has no " + old)
		}
		changes := strings.NewReplacer(old, changed)
		return all(apply(poolCRD), until(20*time.Second, apply(changes.Replace(pool))), apply(changes.Replace(calicoPods)))
	}
	gone := remove(calicoPods + pool + poolCRD)
	return []fault{
		{
			name: "pool with another encapsulation", args: args, harm: calico("ipipMode: Never, vxlanMode: Always", "ipipMode: Always, vxlanMode: Never"), mend: gone,
			id: "network.encapsulation", subject: "default-pool", verdict: "fail", cause: "encapsulation-drift", fix: "calico_vxlan_mode: Never",
		},
		{
			name: "pool with a mode that calico does not know", args: args, harm: calico("vxlanMode: Always", "vxlanMode: Sometimes"), mend: gone,
			id: "network.encapsulation", subject: "default-pool", verdict: "fail", cause: "pool-invalid", fix: "calicoctl.sh get ippool default-pool",
		},
		{
			name: "plugin leaves a node out", args: args, harm: calico("nodeSelector: {kubernetes.io/os: linux}", "nodeSelector: {kubernetes.io/hostname: node2}"), mend: gone,
			id: "network.plugin", verdict: "fail", cause: "plugin-not-everywhere", fix: "nodeSelector",
		},
	}
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
spec: {cidr: 10.233.64.0/18, blockSize: 26, ipipMode: Never, vxlanMode: Always, natOutgoing: true}
---
`

const calicoPods = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: calico-node, namespace: kube-system, labels: {k8s-app: calico-node}}
spec:
  selector: {matchLabels: {k8s-app: calico-node}}
  template:
    metadata: {labels: {k8s-app: calico-node}}
    spec:
      nodeSelector: {kubernetes.io/os: linux}
      containers: [{name: calico-node, image: "quay.io/calico/node:v3.30.5"}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: calico-kube-controllers, namespace: kube-system, labels: {k8s-app: calico-kube-controllers}}
spec:
  selector: {matchLabels: {k8s-app: calico-kube-controllers}}
  template:
    metadata: {labels: {k8s-app: calico-kube-controllers}}
    spec:
      containers: [{name: calico-kube-controllers, image: "quay.io/calico/kube-controllers:v3.30.5"}]
---
`
