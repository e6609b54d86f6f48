package test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/surespray/surespray/test/lab"
)

// realSetup gives both nodes certificates of the cluster's authority, and a
// metrics-server on node1 that insists on them.
func realSetup() step {
	return all(
		func(ctx context.Context, s *site) error {
			failed := make([]error, 2)
			var both sync.WaitGroup
			for i, n := range s.Nodes() {
				both.Go(func() { failed[i] = n.SetServingCert(ctx, lab.ClusterSigned) })
			}
			both.Wait()
			return errors.Join(failed...)
		},
		secureMetricsServer, manifest("local-path.yaml"))
}

var secureMetricsServer = installed(" --kubelet-insecure-tls=true,", "",
	"      serviceAccountName: metrics-server\n", "      serviceAccountName: metrics-server\n      nodeSelector: {kubernetes.io/hostname: node1}\n")

func servingCert(kind lab.ServingCert) step {
	return onNode("node2", func(ctx context.Context, n *lab.Node) error { return n.SetServingCert(ctx, kind) })
}

const onSecond = "nodeSelector: {kubernetes.io/hostname: node2}"

// filter gives a node's firewall a rule for the kubelet's port.
func filter(node, verdict string) step {
	return onNode(node, func(ctx context.Context, n *lab.Node) error {
		_, err := n.Run(ctx, "table inet faults {\n chain in {\n  type filter hook input priority -10;\n  iif != lo tcp dport 10250 "+verdict+"\n }\n}\n", "nft", "-f", "-")
		return err
	})
}

func unfilter(node string) step {
	return onNode(node, func(ctx context.Context, n *lab.Node) error {
		_, err := n.Run(ctx, "", "nft", "delete", "table", "inet", "faults")
		return err
	})
}

func realFaults() []fault {
	data := claim("data", "local-path", "ReadWriteOnce") + consumer("data", onSecond)
	shared := claim("shared", "local-path", "ReadWriteMany") + consumer("shared", onSecond)
	lp := manifest("local-path.yaml")
	return []fault{
		{
			name: "healthy", args: with("--probe", "-e", "metrics_server_enabled=true", "-e", `{"metrics_server_kubelet_insecure_tls": false}`, "--within", "30s"),
			id: "local-path.bind", subject: "node2", verdict: "pass",
		},

		// A new version of metrics-server that does not come up.
		{
			name: "port clash", args: []string{"--within", "20s"},
			harm: metricsServer(`[{"op":"add","path":"/spec/template/spec/hostNetwork","value":true}]`), mend: undo,
			id: "metrics-server.deployment", verdict: "fail", cause: "port-in-use", fix: "metrics_server_container_port",
		},
		{
			name: "image that cannot be pulled", args: []string{"--within", "12s"},
			harm: metricsServer(`[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"registry.k8s.io/metrics-server/metrics-server:v9.9.9"}]`), mend: undo,
			id: "metrics-server.deployment", verdict: "fail", cause: "image-pull", fix: "crictl pull registry.k8s.io/metrics-server/metrics-server:v9.9.9",
		},
		{
			name: "service leads to another port", args: []string{"--within", "10s"},
			harm: all(serviceTo("14443"), unavailable), mend: serviceTo(`"https"`),
			id: "metrics-server.apiservice", verdict: "fail", cause: "service-port-mismatch", fix: "surespray addon apply metrics-server",
		},

		// Volumes that are not made.
		{
			name: "access mode", args: []string{"--within", "20s"},
			harm: apply(shared), mend: remove(shared),
			id: "local-path.claims", subject: "default/shared", verdict: "warn", cause: "access-mode", fix: "accessModes: [ReadWriteOnce]",
		},
		{
			name: "helper image missing", args: []string{"--within", "12s"},
			harm: all(onNode("node2", func(ctx context.Context, n *lab.Node) error { return n.RemoveImage(ctx, lab.BusyboxImage) }), apply(data)),
			mend: all(onNode("node2", func(ctx context.Context, n *lab.Node) error { return n.AddImage(ctx, lab.BusyboxImage) }), remove(data), noHelper),
			id:   "local-path.claims", subject: "default/data", verdict: "fail", cause: "helper-image-pull", fix: "local_path_provisioner_helper_image_repo",
		},
		{
			name: "read-only path", args: []string{"--within", "40s"},
			harm: all(onNode("node2", func(ctx context.Context, n *lab.Node) error { return n.SetClaimRootReadOnly(ctx, true) }), apply(data)),
			mend: all(onNode("node2", func(ctx context.Context, n *lab.Node) error { return n.SetClaimRootReadOnly(ctx, false) }), remove(data), noHelper),
			id:   "local-path.claims", subject: "default/data", verdict: "fail", cause: "node-path-read-only", fix: "findmnt -T /opt/local-path-provisioner",
		},
		{
			name: "node not in the map", args: []string{"--within", "40s"},
			harm: all(manifest("local-path.yaml", "DEFAULT_PATH_FOR_NON_LISTED_NODES", "node1"), renewProvisioner, apply(data)),
			mend: all(remove(data), lp, renewProvisioner),
			id:   "local-path.claims", subject: "default/data", verdict: "fail", cause: "node-not-in-map", fix: "add an entry for node2",
		},
		{
			name: "every node tainted", args: []string{"local-path", "--probe", "--within", "10s"},
			harm: kubectl("taint nodes --all lab=full:NoSchedule"), mend: kubectl("taint nodes --all lab-"),
			id: "local-path.bind", verdict: "unknown", cause: "unschedulable", fix: "kubectl get nodes",
		},

		// One kubelet that metrics-server cannot ask, while its node is Ready.
		{
			name: "certificate of an unknown authority", args: []string{"--within", "10s"},
			harm: all(servingCert(lab.ForeignSigned), unmeasured("node2")), mend: servingCert(lab.ClusterSigned),
			id: "metrics-server.node-coverage", subject: "node2", verdict: "fail", cause: "kubelet-cert-unknown-ca", fix: "kubelet_rotate_server_certificates: true",
		},
		{
			name: "request for a certificate pending", args: []string{"--within", "10s"},
			harm: all(servingCert(lab.ClusterRequests), unmeasured("node2")), mend: all(servingCert(lab.ClusterSigned), kubectl("delete csr --all")),
			id: "metrics-server.node-coverage", subject: "node2", verdict: "fail", cause: "kubelet-cert-missing", fix: "kubectl certificate approve",
		},
		{
			name: "port 10250 filtered", args: []string{"--within", "10s"},
			harm: all(filter("node2", "drop"), unmeasured("node2")), mend: unfilter("node2"),
			id: "metrics-server.node-coverage", subject: "node2", verdict: "fail", cause: "kubelet-timeout", fix: "open TCP 10250 of node2",
		},
		{
			name: "kubelet refuses", args: []string{"--within", "10s"},
			harm: all(filter("node2", "reject with tcp reset"), unmeasured("node2")), mend: unfilter("node2"),
			id: "metrics-server.node-coverage", subject: "node2", verdict: "fail", cause: "kubelet-refused", fix: "ss -lntp | grep 10250",
		},

		{
			name: "own node filtered", args: []string{"--within", "10s"},
			harm: all(filter("node1", "drop"), unmeasured("node1")), mend: unfilter("node1"),
			id: "metrics-server.node-coverage", subject: "node1", verdict: "fail", cause: "pod-to-own-node-blocked", fix: "metrics_server_host_network: true",
		},

		// Nodes that are not Ready.
		{
			name: "network plugin missing", args: with("nodes", "--within", "10s"),
			harm: all(cni(false), kubectl("wait --for=condition=Ready=false node/node2 --timeout=60s")), mend: cni(true),
			id: "nodes.ready", subject: "node2", verdict: "fail", cause: "cni-not-installed", fix: "install your own plugin",
		},
		{
			name: "kubelet stopped", args: []string{"--within", "5s"},
			harm: all(onNode("node2", func(_ context.Context, n *lab.Node) error { n.StopKubelet(); return nil }), kubectl("wait --for=condition=Ready=unknown node/node2 --timeout=120s")),
			mend: onNode("node2", func(ctx context.Context, n *lab.Node) error { return n.StartKubelet(ctx) }),
			id:   "nodes.ready", subject: "node2", verdict: "fail", cause: "kubelet-stopped", fix: "on node2: systemctl status kubelet",
			also: []string{"local-path.deployment"}, // where its pod is there
		},
	}
}

func cni(present bool) step {
	return onNode("node2", func(ctx context.Context, n *lab.Node) error { return n.SetCNIConfig(ctx, present) })
}

func serviceTo(port string) step {
	return kubectl("-n kube-system patch service metrics-server --type=json -p", `[{"op":"replace","path":"/spec/ports/0/targetPort","value":`+port+`}]`)
}

// noHelper waits until the provisioner has given up on what was asked of it.
var noHelper = until(60*time.Second, func(ctx context.Context, s *site) error {
	out, err := s.Kubectl(ctx, "", "-n", "local-path-storage", "get", "pods", "-o", "name")
	if err == nil && strings.Contains(out, "helper-pod-") {
		_, err = s.Kubectl(ctx, "", append([]string{"-n", "local-path-storage", "delete", "--force", "--grace-period=0"}, helpers(out)...)...)
		err = errors.Join(err, errors.New("helper pods are left"))
	}
	return err
})

func helpers(names string) (out []string) {
	for _, name := range strings.Fields(names) {
		if strings.Contains(name, "helper-pod-") {
			out = append(out, name)
		}
	}
	return out
}

// renewProvisioner makes it read its configuration now.
var renewProvisioner = all(kubectl("-n local-path-storage rollout restart deployment/local-path-provisioner"),
	kubectl("-n local-path-storage rollout status deployment/local-path-provisioner --timeout=60s"))
