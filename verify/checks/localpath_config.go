package checks

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
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
