package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/surespray/surespray/verify"
)

// judgeConfig judges the ConfigMap that the provisioner and its helper pods live by.
func (s *localPathState) judgeConfig() verify.Finding {
	name := s.namespace + "/local-path-config"
	switch {
	case s.config.blind():
		return unseen(s.config.err)
	case s.config.absent():
		return verify.Fail("config-missing", "there is no ConfigMap %s: the provisioner cannot start without", name).Mend(applyLocalPath)
	}
	config, err := s.pathConfig()
	if err == nil && len(config.StorageClassConfigs) > 0 && len(config.NodePathMap) == 0 {
		return verify.Pass("ConfigMap %s has paths for each class of its own", name)
	}
	if err != nil {
		return verify.Fail("config-invalid", "the provisioner cannot read ConfigMap %s: %v", name, err).Mend(applyLocalPath)
	}
	if why := config.problem(); why != "" {
		return verify.Fail("config-invalid", "the provisioner refuses ConfigMap %s: %s", name, why).
			Mend("mend local_path_provisioner_claim_root, then "+applyLocalPath, "kubectl -n "+s.namespace+" edit configmap local-path-config")
	}
	_, helper := s.config.value.Data["helperPod.yaml"] // older releases have no scripts
	for _, key := range []string{"setup", "teardown"} {
		if _, ok := s.config.value.Data[key]; !ok && helper && !strings.Contains(s.config.value.Data["config.json"], key+"Command") {
			return verify.Fail("config-invalid", "ConfigMap %s has no script %q: no directory can be made or removed", name, key).Mend(applyLocalPath)
		}
	}
	if out := s.unlisted(config); len(out) > 0 {
		f := verify.Warn("node-not-in-map", "%d of %d nodes have no path in ConfigMap %s: claims of pods there stay Pending", len(out), len(s.nodes.value), name)
		f.On, f.Of = out, len(s.nodes.value)
		return f.Seen("nodes without a path: "+some(out, 12)).Mend(mapFix(s.namespace, out[0]), applyLocalPath)
	}
	return s.drifted(config, verify.Pass("volumes go to %s", some(config.all(), 4)))
}

func mapFix(namespace, node string) string {
	return fmt.Sprintf("add an entry for %s or %s to nodePathMap: kubectl -n %s edit configmap local-path-config", node, anyNode, namespace)
}

// drifted warns where the live path is not the inventory's: new volumes go elsewhere.
func (s *localPathState) drifted(config localPathConfig, f verify.Finding) verify.Finding {
	if s.claimRoot == "" || slices.ContainsFunc(config.all(), func(p string) bool { return path.Clean(p) == path.Clean(s.claimRoot) }) {
		return f
	}
	return verify.Warn("claim-root-drift", "volumes go to %s, and the inventory says %s", some(config.all(), 4), s.claimRoot).
		Mend(applyLocalPath + " (volumes that exist stay where they are)")
}

// unlisted are the nodes that have no path.
func (s *localPathState) unlisted(config localPathConfig) []string {
	var out []string
	for _, n := range s.nodes.value {
		if len(config.paths(n.Name)) == 0 {
			out = append(out, n.Name)
		}
	}
	return out
}
