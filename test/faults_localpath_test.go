package test

// localPathFaults are those of local-path that need no volume.
func localPathFaults() []fault {
	lp := manifest("local-path.yaml")
	return []fault{
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
