package checks

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/surespray/surespray/verify"
)

// anyNode stands in the map for the nodes that it does not name.
const anyNode = "DEFAULT_PATH_FOR_NON_LISTED_NODES"

// localPathConfig is the provisioner's config.json.
type localPathConfig struct {
	NodePathMap []struct {
		Node  string   `json:"node"`
		Paths []string `json:"paths"`
	} `json:"nodePathMap"`
	SharedFileSystemPath string         `json:"sharedFileSystemPath"`
	StorageClassConfigs  map[string]any `json:"storageClassConfigs"`
}

// pathConfig reads the live configuration.
func (s *localPathState) pathConfig() (localPathConfig, error) {
	var config localPathConfig
	if !s.config.ok() {
		return config, s.config.err
	}
	body, ok := s.config.value.Data["config.json"]
	if !ok {
		return config, fmt.Errorf("it has no config.json")
	}
	if err := json.Unmarshal([]byte(body), &config); err != nil {
		return config, fmt.Errorf("config.json: %w", err)
	}
	return config, nil
}

// paths are where volumes of a node go; none: the node is not in the map.
func (c localPathConfig) paths(node string) []string {
	if c.SharedFileSystemPath != "" {
		return []string{c.SharedFileSystemPath}
	}
	var others []string
	for _, entry := range c.NodePathMap {
		switch entry.Node {
		case node:
			return entry.Paths
		case anyNode:
			others = entry.Paths
		}
	}
	return others
}

// pathOn is the path of a node for messages, from the live configuration where it can be
// read.
func (s *localPathState) pathOn(node string) string {
	if config, err := s.pathConfig(); err == nil {
		if paths := config.paths(node); len(paths) > 0 {
			return strings.Join(paths, " or ")
		}
	}
	if s.claimRoot != "" {
		return s.claimRoot
	}
	return "the provisioner's path"
}

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

func (c localPathConfig) all() []string {
	out := []string{}
	if c.SharedFileSystemPath != "" {
		out = append(out, c.SharedFileSystemPath)
	}
	for _, entry := range c.NodePathMap {
		out = append(out, entry.Paths...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// problem is what the provisioner itself refuses.
func (c localPathConfig) problem() string {
	if len(c.NodePathMap) == 0 && c.SharedFileSystemPath == "" {
		return "neither nodePathMap nor sharedFileSystemPath is there"
	}
	known := map[string]bool{}
	for _, entry := range c.NodePathMap {
		if known[entry.Node] {
			return "node " + entry.Node + " stands twice in nodePathMap"
		}
		known[entry.Node] = true
		for _, p := range entry.Paths {
			if !strings.HasPrefix(p, "/") || path.Clean(p) == "/" {
				return fmt.Sprintf("the path %q of %s must be absolute, and not / itself", p, entry.Node)
			}
		}
	}
	return ""
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

// helperImage is the image of the helper pods; "": not known.
func (s *localPathState) helperImage() string {
	if !s.config.ok() {
		return ""
	}
	var pod corev1.Pod
	if err := yaml.Unmarshal([]byte(s.config.value.Data["helperPod.yaml"]), &pod); err != nil || len(pod.Spec.Containers) == 0 {
		return ""
	}
	return pod.Spec.Containers[0].Image
}
