package kubespray

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tables were read from the manifests that a real run rendered. What the templates
// do not tell without their loops and their caller is known and listed here.
func TestTreeObjectsEqualTable(t *testing.T) {
	c := realTree(t)
	release, _, _ := strings.Cut(c.Version(), " ")
	raw, err := os.ReadFile(filepath.Join("testdata", "objects-"+release+".tsv"))
	if err != nil {
		t.Skipf("no table for %s; there is one for v2.29.0 and v2.31.0", release)
	}
	// Up to v2.29 only the sample inventory gives this one a value.
	inventory := func(name string) (any, bool) { return "metallb-system", name == "metallb_namespace" }
	found := map[string]bool{}
	for _, a := range treeAddons(t, c) {
		for _, o := range c.Objects(a, inventory) {
			found[objectLine(o.APIVersion, o.Kind, o.Namespace, o.Name)] = true
		}
	}
	looped := []string{
		"L2Advertisement",            // one of each entry of metallb_config.layer2
		"IPAddressPool",              // one of each of metallb_config.address_pools
		"StorageClass local-storage", // one of each of local_volume_provisioner_storage_classes
	}
	for line := range strings.Lines(string(raw)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || slices.ContainsFunc(looped, func(s string) bool { return strings.HasPrefix(f[1]+" "+f[3], s) }) {
			continue
		}
		if !found[objectLine(f[0], f[1], f[2], f[3])] {
			t.Errorf("not found: %s", strings.Join(f, " "))
		}
	}
}

// objectLine leaves out the namespace that some templates give to what has none.
func objectLine(apiVersion, kind, namespace, name string) string {
	if strings.HasPrefix(kind, "ClusterRole") || kind == "RuntimeClass" {
		namespace = ""
	}
	return strings.Join([]string{apiVersion, kind, namespace, name}, " ")
}

func treeAddons(t *testing.T, c *Checkout) []Addon {
	t.Helper()
	addons, err := c.Addons()
	if err != nil {
		t.Fatal(err)
	}
	return addons
}

func TestTreePinned(t *testing.T) {
	c := realTree(t)
	images := map[string]string{
		"metrics-server": "metrics-server", "local-path-provisioner": "local-path-provisioner", "cert-manager": "cert-manager-controller",
		"calico": "node", "cilium": "cilium", "registry": "registry", "helm": "", "node-feature-discovery": "node-feature-discovery",
	}
	for _, a := range treeAddons(t, c) {
		p := c.Pinned(a, nil)
		want, known := images[a.Name]
		if known && (p.Image.Base() != want || p.Version == "" || strings.ContainsAny(p.Version, "{} ")) {
			t.Errorf("%s: %+v, want an image %s", a.Name, p, want)
		}
		for _, o := range c.Objects(a, nil) {
			if strings.ContainsAny(o.Name+o.Namespace+o.Kind, "{}\"' ") || o.Line == 0 && o.File != "" {
				t.Errorf("%s: %+v", a.Name, o)
			}
		}
	}
}
