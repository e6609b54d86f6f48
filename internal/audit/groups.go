package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
)

// emptyGroups tells when there are hosts and none is a control plane.
func emptyGroups(a *auditor) {
	if a.Inventory.Dynamic || a.first != "" || len(a.Unusable) > 0 {
		return
	}
	if len(a.Inventory.Hosts) == 0 {
		f := Finding{Severity: extravars.SeverityError, Code: kubespray.InventoryEmpty, Message: "the inventory names no host", Fix: "add hosts to it, or give another with -i"}
		if files := a.Inventory.Files; len(files) > 0 {
			f.File, f.Line = files[0], 1
		}
		a.add(f)
		return
	}
	f := Finding{
		Severity: extravars.SeverityError, Code: "no-control-plane",
		Message: fmt.Sprintf("no host is in kube_control_plane: none of %s", some(a.Inventory.HostNames())),
		Fix:     "put the control-plane hosts into [kube_control_plane]",
	}
	f.File, f.Line = a.firstPlace()
	a.add(f)
}

func (a *auditor) firstPlace() (string, int) {
	for _, name := range a.Inventory.HostNames() {
		if h := a.Inventory.Hosts[name]; h.File != "" {
			return h.File, h.Line
		}
	}
	return "", 0
}

// legacyGroups tells about old names of groups. The checkout maps them while it runs, but
// what it adds in that pass does not bring the hosts into k8s_cluster.
func legacyGroups(a *auditor) {
	inCluster := a.Inventory.HostsOf("k8s_cluster")
	for _, rule := range a.Checkout.GroupRules() {
		for _, old := range rule.From {
			g := a.Inventory.Groups[old]
			if !isLegacy(old, rule.Group) || g == nil || g.File == "" || len(a.Inventory.HostsOf(old)) == 0 {
				continue
			}
			outside := without(a.Inventory.HostsOf(old), inCluster)
			f := Finding{
				Severity: extravars.SeverityWarning, Code: "legacy-group-name", Detail: old, File: g.File, Line: g.Line,
				Message: fmt.Sprintf("%s is the old name of %s", old, rule.Group),
				Fix:     fmt.Sprintf("rename it to [%s]", rule.Group),
			}
			if rule.Group == "kube_node" || rule.Group == "kube_control_plane" {
				if len(outside) > 0 {
					f.Severity = extravars.SeverityError
					f.Message += fmt.Sprintf(": %s are left out of k8s_cluster, and nearly every play skips them", some(outside))
				}
			}
			a.add(f)
		}
	}
}

// hostsOutside tells which nodes are not in k8s_cluster. Those of groups with old names are
// among them: they are in today's groups by the time that it matters.
func hostsOutside(a *auditor) {
	inCluster := a.Inventory.HostsOf("k8s_cluster")
	lost := slices.Concat(without(a.Inventory.HostsOf("kube_control_plane"), inCluster), without(a.Inventory.HostsOf("kube_node"), inCluster))
	if len(lost) == 0 {
		return
	}
	slices.Sort(lost)
	lost = slices.Compact(lost)
	f := Finding{
		Severity: extravars.SeverityError, Code: "hosts-outside-k8s_cluster",
		Message: fmt.Sprintf("%s will not be in k8s_cluster: most plays skip them, and group_vars/k8s_cluster does not reach them", some(lost)),
		Fix:     "rename the groups to [kube_node], [kube_control_plane] and [k8s_cluster:children]",
	}
	if h := a.Inventory.Hosts[lost[0]]; h != nil {
		f.File, f.Line = h.File, h.Line
	}
	for _, name := range []string{"k8s-cluster", "k8s_cluster"} {
		if g := a.Inventory.Groups[name]; g != nil && g.File != "" {
			f.File, f.Line = g.File, g.Line
			break
		}
	}
	a.add(f)
}

// isLegacy is true for an old name: kube-node, kube-master. k8s_cluster is made of today's.
func isLegacy(from, to string) bool {
	return strings.Contains(from, "-") && to != "k8s_cluster"
}

func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// knownGroups are the groups that Kubespray's plays have hosts of.
func (a *auditor) knownGroups() []string {
	known := []string{"etcd", "bastion", "all", "ungrouped"}
	for _, rule := range a.Checkout.GroupRules() {
		known = append(known, rule.Group)
		known = append(known, rule.From...)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// unknownGroups tells when hosts are only in groups that look like misspelt ones.
func unknownGroups(a *auditor) {
	known := a.knownGroups()
	for _, name := range slices.Sorted(maps.Keys(a.Inventory.Groups)) {
		g := a.Inventory.Groups[name]
		if slices.Contains(known, name) || g.File == "" {
			continue
		}
		nearest := kubespray.Nearest(strings.ReplaceAll(name, "-", "_"), known, 1)
		if len(nearest) == 0 {
			continue
		}
		outside := a.Inventory.HostsOf(name)
		for _, k := range known {
			if k != "all" && k != "ungrouped" {
				outside = without(outside, a.Inventory.HostsOf(k))
			}
		}
		if len(outside) == 0 {
			continue
		}
		a.add(Finding{
			Severity: extravars.SeverityWarning, Code: "group-name-unknown", Detail: name, File: g.File, Line: g.Line,
			Message: fmt.Sprintf("Kubespray knows no group %s, and %s are in no other: every play skips them", name, some(outside)),
			Fix:     fmt.Sprintf("did you mean [%s]?", nearest[0]),
		})
	}
}

// etcdMembers tells about an even number of etcd members, which the checkout refuses.
func etcdMembers(a *auditor) {
	i := slices.IndexFunc(a.claims, func(c kubespray.Claim) bool {
		return strings.Contains(c.That, "etcd") && strings.Contains(c.That, "divisibleby 2")
	})
	if i < 0 || a.Inventory.Dynamic || a.isTrue(a.claims[i].Unless) {
		return
	}
	group := "etcd"
	if g := a.Inventory.Groups["etcd"]; g == nil || g.File == "" {
		group = "kube_control_plane"
	}
	members := a.Inventory.HostsOf(group)
	if len(members) == 0 || len(members)%2 != 0 {
		return
	}
	g := a.Inventory.Groups[group]
	a.add(Finding{
		Severity: extravars.SeverityError, Code: "etcd-even", File: g.File, Line: g.Line,
		Message: fmt.Sprintf("%s has %d members (%s): the checkout refuses an even number (%s:%d)", group, len(members), some(members), a.claims[i].File, a.claims[i].Line),
		Fix:     "make it one, three or five hosts",
	})
}
