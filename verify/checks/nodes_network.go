package checks

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
)

// noNetwork is for a node without a network plugin that works: the plugin's pod on it
// says why, where there is one. Where Kubespray was told to install none and nobody else
// has, waiting is in vain.
func (s *nodesState) noNetwork(n corev1.Node, said string) verify.Finding {
	asked := s.facts.plugin()
	own := asked == "cni" || asked == "none"
	if own && s.daemonSets.ok() && !s.anyPlugin() {
		return s.installOne(n, asked, said)
	}
	if f, ok := s.pluginPod(n); ok {
		f.Summary = n.Name + " is not Ready, for want of its network plugin: " + f.Summary
		return f.Seen(said)
	}
	f := verify.NotYet("cni-not-ready", "%s is not Ready: it has no working network plugin", n.Name).Seen(said, s.files(n.Name)).
		Mend("kubectl get pods -A -o wide --field-selector spec.nodeName=" + n.Name + " (the plugin's pod), ls /etc/cni/net.d on the node")
	if !own {
		f = f.Mend(networkFix)
	}
	return f
}

// anyPlugin reports whether some DaemonSet brings a network plugin.
func (s *nodesState) anyPlugin() bool {
	for _, d := range s.daemonSets.value {
		if installsCNI(d) || pluginOf(d) != "" {
			return true
		}
	}
	return false
}

// installOne is for clusters whose network plugin is the user's to install.
func (s *nodesState) installOne(n corev1.Node, asked, said string) verify.Finding {
	there := "Kubespray has put the basic plugins (bridge, host-local, loopback …) into /opt/cni/bin of the nodes, and nothing into /etc/cni/net.d"
	if asked == "none" {
		there = "Kubespray has put nothing of a network plugin on the nodes"
	}
	if seen := s.files(n.Name); seen != "" {
		there = seen
	}
	return verify.Fail("cni-not-installed", "%s is not Ready: kube_network_plugin is %s, so that the network plugin is yours to install, and there is none yet", n.Name, asked).
		Seen(said, there, "no DaemonSet of the cluster mounts /etc/cni/net.d").
		Mend("install your own plugin for the pod network "+pad(s.facts.PodsSubnet)+"(kubectl apply -f …, or helm install …), then: surespray verify nodes",
			"name one of Kubespray's before the first run: kube_network_plugin: calico")
}

// files tells what stands in a node's directory for network plugins; "" where nobody
// looked.
func (s *nodesState) files(node string) string {
	e, ok := s.hosts[node]
	switch {
	case !ok || e.CNI == nil:
		return ""
	case len(e.CNI) == 0:
		return "/etc/cni/net.d of " + node + " is empty"
	}
	return "/etc/cni/net.d of " + node + ": " + strings.Join(e.CNI, ", ")
}

// pluginPod judges the plugin's own pod on a node. False: there is none, or it is well.
func (s *nodesState) pluginPod(n corev1.Node) (verify.Finding, bool) {
	for _, p := range s.pods.pods.value {
		if p.Spec.NodeName != n.Name || !live(p) || podReady(p) || !s.ofPlugin(p) {
			continue
		}
		// A node without a network has no place for other pods: this one is of the host's.
		f := judgePod(p, s.pods.events[p.Name], s.pods.now, false)
		if f.Verdict == verify.VerdictFail && f.Cause != "not-ready" && f.Cause != "pod-starting" {
			return f, true
		}
	}
	return verify.Finding{}, false
}

func (s *nodesState) ofPlugin(p corev1.Pod) bool {
	for i, d := range s.daemonSets.value {
		if (installsCNI(d) || pluginOf(d) != "") && metav1.IsControlledBy(&p, &s.daemonSets.value[i]) {
			return true
		}
	}
	return slices.ContainsFunc(plugins(), func(name string) bool { return strings.HasPrefix(p.Name, name+"-") }) && s.daemonSets.err != nil
}
