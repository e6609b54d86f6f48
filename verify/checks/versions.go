package checks

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// versions has a check for each addon whose workload the checkout tells, the network
// plugin included. Those that most clusters have are there without a checkout, too.
func versions(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	addons := slices.Concat([]string{metricsServerAddon, localPathRole}, slices.Collect(maps.Keys(f.Pinned)))
	slices.Sort(addons)
	var out []verify.Check
	for _, addon := range slices.Compact(addons) {
		out = append(out, versionCheck(c, f, o, addon))
	}
	return out
}

func versionCheck(c *cluster.Cluster, f Facts, o Options, addon string) verify.Check {
	area, also := addon, []string(nil)
	if addon == localPathRole {
		area, also = localPathArea, []string{addon}
	}
	needs := []string{apiHealth, apiIdentity}
	if ladder := ladderOf(f, addon); ladder != "" {
		needs = append(needs, ladder)
	}
	return verify.Check{
		ID: area + ".version", Title: "The version of " + area + " that runs is the one that this checkout installs", Area: area, Also: also,
		Needs:  needs,
		Access: []verify.Access{right("apps", "deployments", "list"), right("apps", "daemonsets", "list"), right("apps", "statefulsets", "list")},
		Help: "Compares the image of the main workload with what the checkout resolves from the inventory: tag and last element of the path, so that mirrors count as the same. " +
			"It differs after an update of the checkout that was not applied, or after a change by hand. Fix: surespray addon apply " + addon + ". " +
			"https://github.com/kubernetes-sigs/kubespray/blob/master/docs/operations/upgrades.md",
		Run: func(ctx context.Context) []verify.Finding {
			if no(f.asked(addon)) {
				return []verify.Finding{verify.Skip("the inventory does not ask for %s", addon)}
			}
			p, known := f.Pinned[addon]
			if !known {
				return []verify.Finding{verify.Skip("which version this checkout installs is not known (give the inventory with -i, and the checkout)")}
			}
			g := judgeAddonVersion(addon, p, look(runningWorkloads(ctx, c, p.Workloads)), slices.Contains(o.Applied, addon))
			if g.Cause == "addon-absent" && sparse(c) {
				return []verify.Finding{notCaptured(refName(p.Workloads))}
			}
			if g.Cause == "addon-absent" && ladderOf(f, addon) != "" {
				g = verify.Because(ladderOf(f, addon), "%s", g.Summary)
			}
			return []verify.Finding{g}
		},
	}
}

// ladderOf is the check that tells that an addon is not there; "" where only its version
// can.
func ladderOf(f Facts, addon string) string {
	switch addon {
	case metricsServerAddon:
		return msAPIService
	case localPathRole:
		return lpDeployment
	}
	if path.Base(addon) == f.plugin() {
		return networkPlugin
	}
	return ""
}

// judgeAddonVersion compares what runs with what is pinned. What differs before a run, or
// without one, is a warning: the run that changes it may be still to come.
func judgeAddonVersion(addon string, p Pinned, found seen[[]workload], applied bool) verify.Finding {
	if !found.ok() {
		return unseen(found.err)
	}
	if len(found.value) == 0 {
		return verify.Warn("addon-absent", "%s is asked for, and there is no %s", addon, refName(p.Workloads)).Mend("surespray addon apply " + addon)
	}
	pinned, w := splitReference(p.Image), found.value[0]
	var other []string
	for _, text := range w.images {
		live := splitReference(text)
		switch {
		case live.base != pinned.base:
			other = append(other, text)
		case live.tag == "" && live.digest != "" && live.digest != pinned.digest:
			return verify.Skip("%s runs by digest (%s), which has no version to compare with %s", addon, text, p.Version)
		case pinned.tag == "":
			return verify.Skip("%s runs %s; which version this checkout installs is not known", addon, text)
		case live.tag == pinned.tag:
			return verify.Pass("%s runs %s, as this checkout installs it", addon, live.tag).Seen(text)
		default:
			return drifted(addon, applied, "%s runs %s, this checkout installs %s", addon, live.tag, pinned.tag).
				Seen(fmt.Sprintf("%s %s/%s: image %s", w.ref.Kind, w.ref.Namespace, w.ref.Name, text), "pinned: "+p.Image)
		}
	}
	return drifted(addon, applied, "%s runs %s, this checkout installs %s", addon, some(other, 3), p.Image).
		Seen(fmt.Sprintf("%s %s/%s", w.ref.Kind, w.ref.Namespace, w.ref.Name))
}

// drifted fails after a run that should have brought the version.
func drifted(addon string, applied bool, format string, args ...any) verify.Finding {
	g := verify.Warn("version-drift", format, args...)
	if applied {
		g = verify.Fail("version-drift", format+", although the run applied it", args...)
		return g.Mend("read the run's own output for "+addon+"; something may set the image back (an operator, a GitOps tool)", "surespray addon apply "+addon)
	}
	return g.Mend("surespray addon apply " + addon)
}
