package checks

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// Ids of the checks of Helm.
const (
	helmBinary   = "helm.binary"
	helmReleases = "helm.releases"
	helmAddon    = "helm"
)

// helmPatience is how long Helm itself waits for a release by default: one that is
// pending for less may be under way.
const helmPatience = 5 * time.Minute

func helm(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	return []verify.Check{{
		ID: helmBinary, Title: "Helm is on every control plane, in the pinned version", Area: helmAddon,
		Needs: []string{apiHealth, apiIdentity},
		Help: "Reads path, version and checksum of Helm on every control plane, over Ansible; the pinned checksum is the archive's, and is compared while the archive is there. " +
			"Fix: surespray addon apply helm. https://github.com/kubernetes-sigs/kubespray/blob/master/roles/kubernetes-apps/helm/tasks/main.yml",
		Run: func(ctx context.Context) []verify.Finding {
			switch {
			case no(f.asked(helmAddon)):
				return []verify.Finding{verify.Skip("the inventory does not ask for Helm")}
			case o.HelmBinaries == nil:
				return []verify.Finding{verify.Skip("needs -i: the binary is on the control planes, which only Ansible reads")}
			}
			return judgeHelmBinaries(look(o.HelmBinaries(ctx)), f, slices.Contains(o.Applied, helmAddon))
		},
	}, {
		ID: helmReleases, Title: "No release of Helm is stuck or failed", Area: helmAddon, Needs: []string{apiHealth, apiIdentity},
		Access: []verify.Access{{Resource: "secrets", Verb: "list", Optional: true}},
		Help: "Lists the Secrets in which Helm keeps its releases, by their labels; their data is never read. A release that is pending refuses every later upgrade " +
			"(\"another operation is in progress\"). Fix: helm rollback, or helm uninstall for one that was never installed. https://helm.sh/docs/topics/advanced/#storage-backends",
		Run: func(ctx context.Context) []verify.Finding {
			return judgeReleases(look(c.HelmReleases(ctx)), f, c.Now())
		},
	}}
}

// release is the newest revision of one.
type release struct {
	namespace, name, status string
	revision                int
	since                   time.Time
	deployed                bool // an older revision of it is in place
}

// newest keeps the last revision of each release, sorted by name.
func newest(secrets []metav1.PartialObjectMetadata) []release {
	byName := map[string]release{}
	deployed := map[string]bool{}
	for _, s := range secrets {
		revision, err := strconv.Atoi(s.Labels["version"])
		name := s.Labels["name"]
		if err != nil || name == "" {
			continue
		}
		r := release{namespace: s.Namespace, name: name, status: s.Labels["status"], revision: revision, since: s.CreationTimestamp.Time}
		// A later change of the status is noted in the label modifiedAt, in seconds.
		if at, err := strconv.ParseInt(s.Labels["modifiedAt"], 10, 64); err == nil && at > r.since.Unix() {
			r.since = time.Unix(at, 0)
		}
		key := s.Namespace + "/" + name
		deployed[key] = deployed[key] || r.status == "deployed"
		if old, ok := byName[key]; !ok || old.revision < revision {
			byName[key] = r
		}
	}
	var out []release
	for key, r := range byName {
		r.deployed = deployed[key]
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b release) int { return strings.Compare(a.namespace+"/"+a.name, b.namespace+"/"+b.name) })
	return out
}

// judgeReleases returns one finding for each release that is stuck or failed, or one for
// all.
func judgeReleases(secrets seen[[]metav1.PartialObjectMetadata], f Facts, now time.Time) []verify.Finding {
	if cluster.KindOf(secrets.err) == cluster.KindForbidden {
		return []verify.Finding{verify.Skip("the kubeconfig's user may not list Secrets, in which Helm keeps its releases: that is a second, optional role (only their labels are read)").
			Seen(secrets.err.Error()).Mend(`grant verb "list" on "secrets" with the optional role of: surespray checks rbac`)}
	}
	if !secrets.ok() {
		return []verify.Finding{unseen(secrets.err)}
	}
	all := newest(secrets.value)
	var out []verify.Finding
	for _, r := range all {
		if g := judgeRelease(r, f, now); g.Verdict != verify.VerdictPass {
			g.Subject, g.Of = r.namespace+"/"+r.name, len(all)
			out = append(out, g)
		}
	}
	switch {
	case len(out) > 0:
		return out
	case len(all) == 0:
		return []verify.Finding{verify.Pass("Helm has no releases")}
	}
	return []verify.Finding{verify.Pass("all %d releases of Helm are deployed", len(all))}
}

// judgeRelease fails for what blocks the next upgrade. A failed one blocks nothing, and is
// its owner's to mend, unless Kubespray installed it.
func judgeRelease(r release, f Facts, now time.Time) verify.Finding {
	age := now.Sub(r.since).Round(time.Second)
	said := fmt.Sprintf("Secret %s/sh.helm.release.v1.%s.v%d: status=%s, for %s", r.namespace, r.name, r.revision, r.status, age)
	switch {
	case strings.HasPrefix(r.status, "pending-") && age < helmPatience:
		return verify.NotYet("helm-pending", "release %s/%s is %s for %s: Helm is at work, or was stopped in the middle", r.namespace, r.name, r.status, age).
			Seen(said).Mend(unstick(r) + " (where no Helm runs)")
	case strings.HasPrefix(r.status, "pending-"), r.status == "uninstalling":
		g := verify.Fail("helm-pending", "release %s/%s is %s for %s: Helm was stopped in the middle, and refuses every later upgrade of it", r.namespace, r.name, r.status, age)
		if no(f.asked(helmAddon)) && !kubespraysOwn(r, f) {
			g.Verdict = verify.VerdictWarn // somebody's own Helm, from elsewhere
		}
		return g.Seen(said).Mend(unstick(r))
	case r.status == "failed":
		g := verify.Warn("helm-failed", "the last change of release %s/%s failed %s ago", r.namespace, r.name, age)
		if kubespraysOwn(r, f) {
			g.Verdict = verify.VerdictFail
		}
		return g.Seen(said).Mend(fmt.Sprintf("helm -n %s status %s --show-desc (why)", r.namespace, r.name), unstick(r))
	}
	return verify.Pass("%s", r.status)
}

func unstick(r release) string {
	if r.deployed || r.revision > 1 {
		return fmt.Sprintf("helm -n %s history %s; helm -n %s rollback %s", r.namespace, r.name, r.namespace, r.name)
	}
	return fmt.Sprintf("helm -n %s uninstall %s, then install it again", r.namespace, r.name)
}

// kubespraysOwn reports whether Kubespray's roles made the release.
func kubespraysOwn(r release, f Facts) bool {
	return slices.Contains([]string{"cilium", "kubelet-csr-approver", f.text("custom_cni_chart_release_name")}, r.name)
}
