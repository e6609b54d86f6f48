package checks

import (
	"context"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// The rungs of local-path-provisioner, from what people see (a claim that stays Pending)
// down to what it may come from.
const (
	lpClaims     = "local-path.claims"
	lpBind       = "local-path.bind"
	lpClass      = "local-path.default-class"
	lpDeployment = "local-path.deployment"
	lpConfig     = "local-path.configmap"
	lpData       = "local-path.data-on-node"
)

// localPathArea is the area; the role's tag and with it the addon in a checkout is
// called local-path-provisioner.
const (
	localPathArea = "local-path"
	localPathRole = "local-path-provisioner"
)

// localPathProvisioner is the name by which the provisioner knows its classes.
const localPathProvisioner = "rancher.io/local-path"

const applyLocalPath = "surespray addon apply local-path"

// localPath asks whether claims on local-path get their volumes. Its rungs are judged by
// one state, as those of metrics-server are.
func localPath(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	rung := func(id, title, help string, access ...verify.Access) verify.Check {
		return verify.Check{
			ID: id, Title: title, Area: localPathArea, Also: []string{localPathRole}, Together: localPathArea, Help: help, Access: access,
			Needs: []string{apiHealth, apiIdentity},
			Run: func(ctx context.Context) []verify.Finding {
				s, err := sharedLocalPath(ctx, c, f, o)
				if err != nil {
					return []verify.Finding{unseen(err)}
				}
				return judgeLocalPath(s)[id]
			},
		}
	}
	return []verify.Check{
		rung(lpDeployment, "The Deployment of local-path-provisioner is rolled out",
			"Reads the Deployment, its pods, and their events. https://github.com/rancher/local-path-provisioner#deployment",
			right("apps", "deployments", "get"), right("", "pods", "list"), right("", "events", "list"), right("", "nodes", "list"), right("", "pods/log", "get")),
		rung(lpConfig, "The provisioner's configuration has a path for every node",
			"Reads the ConfigMap local-path-config: the JSON, the paths, the nodes that it leaves out, the helper pod. https://github.com/rancher/local-path-provisioner#configuration",
			right("", "configmaps", "get"), right("", "nodes", "list")),
		rung(lpClass, "The StorageClass is there, and default exactly once",
			`Reads the StorageClasses. A class is default by the text "true" only: Ansible writes a boolean as "True". https://kubernetes.io/docs/concepts/storage/storage-classes/#default-storageclass`,
			right("storage.k8s.io", "storageclasses", "list"), right("", "persistentvolumeclaims", "list")),
		rung(lpClaims, "Claims on local-path are bound, or wait for their first pod",
			"Reads the claims on the class and, for those that are Pending, their events, the pods that use them, and the helper pods of the provisioner. "+
				"What the claim or its pod has to mend is a warning. https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode",
			right("", "persistentvolumeclaims", "list"), right("", "persistentvolumes", "list"), right("storage.k8s.io", "storageclasses", "list"),
			right("", "events", "list"), right("", "pods", "list"), right("", "pods/log", "get")),
		rung(lpData, "No StatefulSet keeps its data on one node's disk",
			"Looks for StatefulSets whose claims are of a local-path class, in a cluster of several nodes: a volume lives and dies with its node. "+
				"https://github.com/rancher/local-path-provisioner#cons",
			right("apps", "statefulsets", "list"), right("", "nodes", "list")),
	}
}

func sharedLocalPath(ctx context.Context, c *cluster.Cluster, f Facts, o Options) (*localPathState, error) {
	return cluster.Share(ctx, c, "local-path state", func(ctx context.Context) (*localPathState, error) {
		return collectLocalPath(ctx, c, f, o), nil
	})
}

// judgeLocalPath judges every rung. What only follows from another rung points to it.
func judgeLocalPath(s *localPathState) map[string][]verify.Finding {
	ids := []string{lpClaims, lpBind, lpClass, lpDeployment, lpConfig, lpData}
	own := map[string][]verify.Finding{}
	if s.nothingThere() && !yes(s.asked) {
		for _, id := range ids {
			own[id] = []verify.Finding{verify.Skip("local-path-provisioner is not there, and not asked for")}
		}
		return own
	}
	own[lpDeployment] = []verify.Finding{s.judgeDeployment()}
	own[lpConfig] = []verify.Finding{s.judgeConfig()}
	own[lpClass] = []verify.Finding{s.judgeClass()}
	switch {
	case own[lpDeployment][0].Cause == "addon-absent":
		for _, id := range []string{lpConfig, lpClass} {
			if f := own[id][0]; f.Verdict == verify.VerdictFail {
				own[id] = []verify.Finding{verify.Because(lpDeployment, "%s", f.Summary)}
			}
		}
	case trouble(own[lpConfig]) && trouble(own[lpDeployment]):
		own[lpDeployment] = []verify.Finding{consequence(lpConfig, own[lpDeployment])}
	}
	for _, id := range []string{lpConfig, lpDeployment} {
		if s.root == "" && trouble(own[id]) {
			s.root, s.rootRetry = id, own[id][0].Retry
		}
	}
	own[lpClaims] = s.judgeClaims(own[lpClass][0])
	own[lpBind] = s.helperEvidence(own[lpClaims])
	own[lpData] = s.judgeData()
	if f := own[lpConfig][0]; f.Cause == "node-not-in-map" && causes(own[lpClaims], "node-not-in-map") {
		own[lpConfig] = []verify.Finding{consequence(lpClaims, own[lpConfig])}
	}
	if no := s.asked; no != nil && !*no {
		softenLeft(own)
	}
	return own
}

// causes reports whether a finding carries the cause by itself.
func causes(findings []verify.Finding, cause string) bool {
	for _, f := range findings {
		if f.Cause == cause {
			return true
		}
	}
	return false
}

// softenLeft makes warnings of failures: nobody asks for the addon any more.
func softenLeft(own map[string][]verify.Finding) {
	for _, findings := range own {
		for i, f := range findings {
			if f.Verdict == verify.VerdictFail {
				findings[i].Verdict, findings[i].Retry, findings[i].Moving = verify.VerdictWarn, false, false
				findings[i].Summary += " (the inventory does not ask for local-path-provisioner)"
			}
		}
	}
}
