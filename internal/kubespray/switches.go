package kubespray

import (
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
)

// switches lists the variables in conditions that switch something on: booleans,
// names that say so, and four that choose.
func switches(when []string, types *Types) []string {
	var out []string
	for _, condition := range when {
		for _, name := range identifiers(condition) {
			if isSwitch(name, types) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func isSwitch(name string, types *Types) bool {
	return types.TypeOf(name) == extravars.Bool || strings.HasSuffix(name, "_enabled") ||
		strings.HasPrefix(name, "enable_") || strings.HasPrefix(name, "deploy_") ||
		slices.Contains([]string{"kube_network_plugin", "cloud_provider", "external_cloud_provider", "container_manager"}, name)
}
