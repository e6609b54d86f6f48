package checks

import (
	"context"
	"path"
	"strings"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// keptAddon is an addon whose objects we know: what stays in the cluster after its switch
// was set back, since Kubespray then only skips the role.
type keptAddon struct {
	area string // the first part of the check's id
	name string // of the addon in a checkout
	dir  string // of its manifests, below kube_config_dir/addons
	refs func(Facts) []cluster.Ref
}

func keptAddons() []keptAddon {
	return []keptAddon{
		{metricsServerAddon, metricsServerAddon, "metrics_server", func(Facts) []cluster.Ref {
			return []cluster.Ref{
				{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "kube-system", Name: metricsServerAddon},
				{APIVersion: "apiregistration.k8s.io/v1", Kind: "APIService", Name: "v1beta1.metrics.k8s.io"},
			}
		}},
		{localPathArea, localPathRole, "local_path_provisioner", func(f Facts) []cluster.Ref {
			s := newLocalPathState(f)
			return []cluster.Ref{
				{APIVersion: "apps/v1", Kind: "Deployment", Namespace: s.namespace, Name: localPathRole},
				{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass", Name: s.class},
			}
		}},
	}
}

// leftovers has a check for each addon whose objects we know.
func leftovers(c *cluster.Cluster, f Facts) []verify.Check {
	var out []verify.Check
	for _, addon := range keptAddons() {
		also := []string(nil)
		if addon.name != addon.area {
			also = []string{addon.name}
		}
		out = append(out, verify.Check{
			ID: addon.area + ".leftover", Title: "Nothing is left of " + addon.area + " when it is switched off", Area: addon.area, Also: also,
			Needs: []string{apiHealth, apiIdentity},
			Access: []verify.Access{
				right("apps", "deployments", "get"), right("apiregistration.k8s.io", "apiservices", "get"), right("storage.k8s.io", "storageclasses", "list"),
			},
			Help: "Looks for the objects of an addon that the inventory switches off: Kubespray then skips the role and removes nothing. " +
				"Nothing is deleted here, either. https://github.com/kubernetes-sigs/kubespray/issues/7034",
			Run: func(ctx context.Context) []verify.Finding {
				if asked := addon.asked(f); asked == nil || *asked {
					return []verify.Finding{judgeLeftover(addon, f, nil, nil)}
				}
				there, err := present(ctx, c, addon.refs(f))
				return []verify.Finding{judgeLeftover(addon, f, there, err)}
			},
		})
	}
	return out
}

// asked reports whether the inventory asks for the addon, under either of its names.
func (a keptAddon) asked(f Facts) *bool {
	if asked := f.asked(a.name); asked != nil {
		return asked
	}
	return f.asked(a.area)
}

// present says which of the objects are there.
func present(ctx context.Context, c *cluster.Cluster, refs []cluster.Ref) (there []string, err error) {
	for _, ref := range refs {
		found := false
		var failed error
		switch ref.Kind {
		case "Deployment":
			_, failed = c.Deployment(ctx, ref.Namespace, ref.Name)
			found = failed == nil
		case "APIService":
			_, failed = c.APIService(ctx, ref.Name)
			found = failed == nil
		case "StorageClass":
			classes, why := c.StorageClasses(ctx)
			failed, found = why, contains(" "+strings.Join(classNames(classes), " ")+" ", " "+ref.Name+" ")
		}
		if found {
			there = append(there, strings.TrimSpace(ref.Kind+" "+strings.TrimPrefix(ref.Namespace+"/"+ref.Name, "/")))
		}
		if failed != nil && !cluster.NotFound(failed) {
			err = failed
		}
	}
	return there, err
}

// judgeLeftover says whether an addon that is switched off is gone.
func judgeLeftover(a keptAddon, f Facts, there []string, err error) verify.Finding {
	asked := a.asked(f)
	switch {
	case asked == nil:
		return verify.Skip("whether %s should be there is not known (give the inventory with -i)", a.area)
	case *asked:
		return verify.Skip("%s is asked for", a.area)
	case len(there) == 0 && err != nil:
		return unseen(err)
	case len(there) == 0:
		return verify.Skip("%s is switched off, and nothing of it is there", a.area)
	case f.ByDefault[a.name]:
		return verify.Pass("%s is there, and the inventory does not mention it (off by default): somebody else may have installed it", a.area).Seen("there: " + some(there, 6))
	}
	root := f.text("kube_config_dir")
	if root == "" {
		root = "/etc/kubernetes"
	}
	on := "the first control plane"
	if f.FirstControlPlane != "" {
		on = f.FirstControlPlane
	}
	dir := path.Join(root, "addons", a.dir)
	return verify.Warn("leftover-after-disable", "%s is switched off, and still there: Kubespray skips the role of an addon that is off, and removes nothing", a.area).
		Seen("there: "+some(there, 6)).
		Mend("review the files in "+dir+" on "+on+", then: kubectl delete -f "+dir+"/", "keep it: switch it on in the inventory, so that it is looked after")
}
