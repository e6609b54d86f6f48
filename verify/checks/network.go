package checks

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// Ids of the checks of the network.
const (
	networkPlugin        = "network.plugin"
	networkEncapsulation = "network.encapsulation"
	networkMTU           = "network.mtu"
	networkArea          = "network"
)

func network(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	return []verify.Check{{
		ID: networkPlugin, Title: "The network plugin runs on every node", Area: networkArea, Also: plugins(),
		Needs:  []string{apiHealth, apiIdentity, nodesReady},
		Access: []verify.Access{right("apps", "daemonsets", "list"), right("apps", "deployments", "list"), right("", "pods", "list"), right("", "events", "list"), right("", "nodes", "list")},
		Help: "Looks at the plugin's DaemonSet, its number of pods against the number of nodes, and the Deployments beside it (calico's controllers, typha). " +
			"Fix: surespray run cluster.yml --tags network,download. https://github.com/kubernetes-sigs/kubespray/blob/master/docs/CNI/cni.md",
		Run: func(ctx context.Context) []verify.Finding { return judgePlugin(collectNetwork(ctx, c, f)) },
	}, {
		ID: networkEncapsulation, Title: "Calico's address pools are what the inventory asks for", Area: networkArea, Also: []string{"calico"},
		Needs:  []string{apiHealth, apiIdentity, networkPlugin},
		Access: []verify.Access{right("crd.projectcalico.org", "ippools", "list")},
		Help: "Compares encapsulation, range and block size of the IPPools with calico_vxlan_mode, calico_ipip_mode, calico_pool_cidr and calico_pool_blocksize; " +
			"the API server accepts any value in a pool, so that each is checked. Kubespray changes none of them on a live cluster. " +
			"Fix: put into the inventory what the cluster has, or migrate the pool. https://docs.tigera.io/calico/latest/reference/resources/ippool",
		Run: func(ctx context.Context) []verify.Finding {
			if plugin := f.plugin(); plugin != "" && plugin != "calico" {
				return []verify.Finding{verify.Skip("the network plugin is %s: only calico has pools", plugin)}
			}
			return judgePools(look(c.IPPools(ctx)), f, !sparse(c))
		},
	}, {
		ID: networkMTU, Title: "Packets of pods fit through the network of the nodes", Area: networkArea, Also: []string{"calico"},
		Needs:  []string{apiHealth, apiIdentity},
		Access: []verify.Access{right("crd.projectcalico.org", "ippools", "list")},
		Help: "Compares the MTU of the pod network with that of the nodes' interfaces less the tunnel's own bytes (VXLAN 50, over IPv6 70, IP-in-IP 20, WireGuard 60). " +
			"Too large: small packets pass, TLS handshakes and image pulls between nodes hang. Fix: calico_mtu. https://docs.tigera.io/calico/latest/networking/configuring/mtu",
		Run: func(ctx context.Context) []verify.Finding {
			if plugin := f.plugin(); plugin != "" && plugin != "calico" {
				return []verify.Finding{verify.Skip("the network plugin is %s: only calico's MTU is known to this check", plugin)}
			}
			if o.NodeEvidence == nil && o.Traffic == nil {
				return []verify.Finding{verify.Skip("the interfaces of the nodes were not looked at (Ansible reads them, with -i), and no probe was made (--probe)")}
			}
			return []verify.Finding{judgeMTU(o.NodeEvidence, o.Traffic, look(c.IPPools(ctx)), f)}
		},
	}}
}

// networkState is what the plugin is judged by.
type networkState struct {
	sparse      bool // what is not there was not looked at
	facts       Facts
	nodes       seen[[]corev1.Node]
	daemonSets  seen[[]appsv1.DaemonSet] // of kube-system; of all namespaces where the plugin is the user's
	deployments seen[[]appsv1.Deployment]
	pods        podsState
}

func collectNetwork(ctx context.Context, c *cluster.Cluster, f Facts) *networkState {
	s := &networkState{sparse: sparse(c), facts: f, nodes: look(c.Nodes(ctx))}
	namespace := metav1.NamespaceSystem
	if !slices.Contains(plugins(), f.plugin()) {
		namespace = metav1.NamespaceAll
	}
	s.daemonSets = look(c.DaemonSets(ctx, namespace))
	s.deployments = look(c.Deployments(ctx, metav1.NamespaceSystem))
	s.pods = collectSystemPods(ctx, c)
	return s
}

// plugins are those that Kubespray installs as a DaemonSet.
func plugins() []string {
	return []string{"calico", "cilium", "flannel", "kube-router", "kube-ovn", "weave"}
}

// pluginOf tells the plugin by the name of its DaemonSet in kube-system; "" for others.
func pluginOf(d appsv1.DaemonSet) string {
	switch d.Name {
	case "calico-node":
		return "calico"
	case "cilium":
		return "cilium"
	case "kube-flannel", "kube-flannel-ds":
		return "flannel"
	case "kube-router":
		return "kube-router"
	case "kube-ovn-cni":
		return "kube-ovn"
	case "weave-net":
		return "weave"
	}
	return ""
}

// installsCNI reports whether a DaemonSet has its hands in the nodes' CNI directory: a
// network plugin whatever its name, or one that stands before another.
func installsCNI(d appsv1.DaemonSet) bool {
	return slices.ContainsFunc(d.Spec.Template.Spec.Volumes, func(v corev1.Volume) bool {
		return v.HostPath != nil && (v.HostPath.Path == "/etc/cni/net.d" || v.HostPath.Path == "/etc/cni/net.d/")
	})
}
