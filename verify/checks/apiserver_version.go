package checks

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/version"
	apiversion "k8s.io/apimachinery/pkg/version"

	"github.com/surespray/surespray/verify"
)

// judgeVersion compares what runs with what the inventory asks for. Both differences are
// warnings: the run that brings the version may be still to come.
func judgeVersion(v seen[apiversion.Info], f Facts) verify.Finding {
	if !v.ok() {
		return unseen(v.err)
	}
	g := verify.Pass("Kubernetes %s (%s)", v.value.GitVersion, v.value.Platform)
	live, err := version.ParseGeneric(v.value.GitVersion)
	if err != nil {
		return g
	}
	known := f.knownVersions()
	if len(known) > 0 {
		oldest, newest := known[0], known[len(known)-1]
		if live.LessThan(oldest) || newest.LessThan(live) && !sameMinor(live, newest) {
			out := verify.Warn("version-outside-release", "the API server runs %s, and this release of Kubespray knows %s to %s", live, oldest, newest)
			if newest.LessThan(live) {
				return out.Mend("use the checkout that installed this cluster, or a newer release: a run of this one would take the control plane back")
			}
			return out.Mend("surespray run upgrade-cluster.yml, by one minor version at a time, with the releases between (https://github.com/kubernetes-sigs/kubespray/blob/master/docs/operations/upgrades.md)")
		}
	}
	want, err := version.ParseGeneric(f.text("kube_version"))
	switch {
	case err != nil:
		return g
	case live.LessThan(want):
		return verify.Warn("version-drift", "the API server runs %s, the inventory asks for %s (kube_version)", live, want).Mend("surespray run upgrade-cluster.yml")
	case want.LessThan(live):
		return verify.Warn("version-drift", "the API server runs %s, newer than what the inventory asks for: %s (kube_version)", live, want).
			Mend("set kube_version: " + live.String() + " in group_vars, or use the checkout that installed this cluster; a run must not take the control plane back")
	}
	g.Summary += ", as the inventory asks for"
	return g
}

// knownVersions are those that the release knows, the oldest first.
func (f Facts) knownVersions() []*version.Version {
	var out []*version.Version
	for _, s := range f.KubeVersions {
		if v, err := version.ParseGeneric(s); err == nil {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *version.Version) int {
		if a.LessThan(b) {
			return -1
		}
		if b.LessThan(a) {
			return 1
		}
		return 0
	})
	return out
}

func sameMinor(a, b *version.Version) bool { return a.Major() == b.Major() && a.Minor() == b.Minor() }
