package checks

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const networkFix = "surespray run cluster.yml --tags network,download"

// judgePlugin judges the DaemonSet of the plugin that is asked for, and what stands
// beside it: one finding for each that is in trouble, or one for all.
func judgePlugin(s *networkState) []verify.Finding {
	one := func(f verify.Finding) []verify.Finding { return []verify.Finding{f} }
	if !s.daemonSets.ok() {
		return one(unseen(s.daemonSets.err))
	}
	asked := s.facts.plugin()
	switch {
	case asked == "macvlan":
		return one(verify.Skip("macvlan runs nothing in the cluster: its files are on the nodes"))
	case asked == "" || !slices.Contains(plugins(), asked):
		return one(s.ownPlugin(asked))
	}
	mine, others := s.split(asked)
	if mine == nil {
		return one(s.pluginAbsent(asked, others))
	}
	var out []verify.Finding
	if f := s.everywhere(mine); f.Verdict != verify.VerdictPass {
		out = append(out, f)
	}
	out = append(out, s.beside(asked)...)
	if len(others) > 0 && !yes(s.facts.flag("cilium_deploy_additionally")) {
		f := verify.Warn("two-network-plugins", "the inventory asks for %s, and %s runs as well: which one a node uses depends on the names of its files", asked, strings.Join(others, ", "))
		f.Subject = "DaemonSet/" + others[0]
		out = append(out, f.Mend("on the nodes: ls /etc/cni/net.d (the first file by name is used)", "remove the objects of the plugin that is not asked for; Kubespray does not"))
	}
	if len(out) > 0 {
		return out
	}
	return one(verify.Pass("%s runs on all %d nodes", asked, mine.Status.DesiredNumberScheduled))
}

// split finds the DaemonSet of the plugin asked for, and the plugins of others.
func (s *networkState) split(asked string) (mine *appsv1.DaemonSet, others []string) {
	for i, d := range s.daemonSets.value {
		switch name := pluginOf(d); {
		case name == asked:
			mine = &s.daemonSets.value[i]
		case name != "" && d.Status.DesiredNumberScheduled > 0 && !slices.Contains(others, name):
			others = append(others, name)
		}
	}
	return mine, others
}

// pluginAbsent is for a plugin that is asked for and has no DaemonSet.
func (s *networkState) pluginAbsent(asked string, others []string) verify.Finding {
	if len(others) > 0 {
		return verify.Fail("other-network-plugin", "the inventory asks for %s, and the cluster runs %s", asked, strings.Join(others, ", ")).
			Mend("put kube_network_plugin: "+others[0]+" into the inventory: the plugin cannot be changed by a run",
				"surespray explain other-network-plugin")
	}
	if s.sparse {
		return notCaptured("a DaemonSet of " + asked)
	}
	return verify.Fail("network-plugin-absent", "the inventory asks for %s, and no DaemonSet of it is in kube-system", asked).Mend(networkFix)
}

// everywhere compares the pods of the plugin with the nodes: a node that it leaves out
// looks healthy otherwise.
func (s *networkState) everywhere(d *appsv1.DaemonSet) verify.Finding {
	if f := s.pods.daemonSet(d, s.nodes); f.Verdict != verify.VerdictPass {
		if f.CausedBy == "" {
			f = f.Mend(networkFix)
		}
		return f
	}
	linux := 0
	for _, n := range s.nodes.value {
		if os := n.Labels[corev1.LabelOSStable]; os == "" || os == "linux" {
			linux++
		}
	}
	if want := int(d.Status.DesiredNumberScheduled); s.nodes.ok() && want < linux {
		return verify.Fail("plugin-not-everywhere", "%s is meant for %d of %d nodes: pods on the others have no network, or an old one", d.Name, want, linux).
			Seen("without its pod: "+some(s.pods.without(d, s.nodes.value), 8)).
			Mend("kubectl -n kube-system get daemonset "+d.Name+" -o jsonpath='{.spec.template.spec.nodeSelector} {.spec.template.spec.tolerations}'", networkFix)
	}
	return verify.Pass("everywhere")
}

// beside judges the Deployments that belong to calico.
func (s *networkState) beside(asked string) []verify.Finding {
	if asked != "calico" {
		return nil
	}
	if cluster.NotCaptured(s.deployments.err) {
		return nil // the plugin itself was looked at
	}
	if !s.deployments.ok() {
		return []verify.Finding{unseen(s.deployments.err)}
	}
	var out []verify.Finding
	for name, wanted := range map[string]bool{
		"calico-kube-controllers": yes(s.facts.flag("enable_network_policy")),
		"calico-typha":            yes(s.facts.flag("typha_enabled")),
	} {
		i := slices.IndexFunc(s.deployments.value, func(d appsv1.Deployment) bool { return d.Name == name })
		f := verify.Pass("not there, and not asked for")
		switch {
		case i >= 0:
			f = s.pods.deployment(&s.deployments.value[i], s.nodes)
		case wanted && !s.sparse:
			f = verify.Fail("network-plugin-absent", "the inventory asks for %s, and it is not in kube-system", name).Mend(networkFix)
		}
		if f.Verdict != verify.VerdictPass {
			f.Subject = "Deployment/" + name
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b verify.Finding) int { return strings.Compare(a.Subject, b.Subject) })
	return out
}
