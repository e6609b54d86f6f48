package kubespray

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func treeDir() string { return os.Getenv("KUBESPRAY_DIR") }

// realTree opens the Kubespray of KUBESPRAY_DIR, or skips.
func realTree(t *testing.T) *Checkout {
	t.Helper()
	dir := treeDir()
	if dir == "" {
		t.Skip("needs a real tree: set KUBESPRAY_DIR to a Kubespray checkout")
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The expected tables were derived once from the releases and checked against
// ansible-playbook --list-tasks.
func TestTreeCatalogueEqualsTable(t *testing.T) {
	c := realTree(t)
	release, _, _ := strings.Cut(c.Version(), " ")
	raw, err := os.ReadFile(filepath.Join("testdata", "catalogue-"+release+".tsv"))
	if err != nil {
		t.Skipf("no table for %s; there is one for v2.29.0 and v2.31.0", release)
	}
	var want []string
	for line := range strings.Lines(string(raw)) {
		if !strings.HasPrefix(line, "#") {
			want = append(want, strings.TrimRight(line, "\n"))
		}
	}
	cat, err := c.Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	types, err := c.Types()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range cat.Uses {
		if !u.whole || !u.inApps() || u.Tasks == 0 {
			continue
		}
		first := ""
		if u.FirstControlPlane {
			first = "y"
		}
		got = append(got, strings.Join([]string{u.Role, u.Play.Name, strings.Join(switches(u.When, types), ","), first, strings.Join(u.Tags, ",")}, "\t"))
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("ways to the addons' roles (-table +derived):\n%s", diff)
	}
}

func TestTreeSideEffects(t *testing.T) {
	addons, err := realTree(t).Addons()
	if err != nil {
		t.Fatal(err)
	}
	needs, deletes := map[string]bool{}, map[string]string{}
	for _, a := range addons {
		needs[a.Name] = a.NeedsDownload
		for _, task := range a.Deletes {
			deletes[a.Name] = task.Deletes
		}
	}
	if !needs["calico"] || needs["helm"] || needs["metrics-server"] {
		t.Errorf("calico %v, helm %v, metrics-server %v; only calico leans on the download role", needs["calico"], needs["helm"], needs["metrics-server"])
	}
	if got := deletes["cert-manager"]; got != "" && !strings.Contains(got, "delete namespace") || deletes["metrics-server"] != "" {
		t.Errorf("deletions: %v", deletes)
	}
	t.Logf("needs download: %v; deletes: %v", needs, deletes)
}

func TestTreeNamesAreUnique(t *testing.T) {
	cat, err := realTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, a := range cat.Addons {
		if other := seen[a.Name]; other != "" {
			t.Errorf("%s is the name of %s and %s", a.Name, other, a.Role)
		}
		seen[a.Name] = a.Role
		if got, tag, err := cat.Resolve(a.Name); err != nil || got.Role != a.Role || !slices.Contains(a.Tags, tag) {
			t.Errorf("%s resolves to %s, tag %q, %v", a.Name, got.Role, tag, err)
		}
		if !cat.HasTag(a.Tag) {
			t.Errorf("%s: its tag %q is unknown", a.Name, a.Tag)
		}
	}
	for name, tag := range map[string]string{"flannel": "flannel", "calico": "calico", "local_path_provisioner": "local-path-provisioner", "coredns": "coredns"} {
		if _, got, err := cat.Resolve(name); err != nil || got != tag {
			t.Errorf("%s: tag %q, %v", name, got, err)
		}
	}
}

// What an addon needs besides its tag, and what its re-run destroys, on a real release.
func TestTreeCompanionsAndHazards(t *testing.T) {
	cat, err := realTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"calico":              {"network", "download"},
		"cilium":              {"network", "download"},
		"flannel":             {"network", "download"},
		"kube-router":         {"network", "download"},
		"multus":              {"download"},
		"cinder-csi-driver":   {"csi-driver"},
		"snapshot-controller": {"csi-driver"},
		"helm":                nil,
		"argocd":              nil,
		"metrics-server":      nil,
		"local-path":          nil,
		"cert-manager":        nil,
		"metallb":             nil,
		"registry":            nil,
		"aws-ebs-csi":         nil,
	} {
		a, tag, err := cat.Resolve(name)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, c := range cat.Companions(a, tag) {
			got = append(got, c.Tag)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	cert, _, err := cat.Resolve("cert-manager")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		sel  Selection
		name string
		way  string
	}{
		{Selection{Tags: []string{"cert-manager"}}, "cert-manager-namespace", "--skip-tags upgrade"},
		{Selection{Tags: []string{"cert-manager"}, Skip: []string{"upgrade"}}, "", ""},
		{Selection{}, "cert-manager-namespace", "surespray addon apply cert-manager --skip-tags upgrade (for this addon alone"},
		{Selection{Tags: []string{"metallb"}}, "", ""},
	} {
		hazards := cat.Hazards(cert, test.sel, nil)
		if len(cert.Deletes) > 0 && test.name != "" && (len(hazards) != 1 || hazards[0].Name != test.name || !strings.HasPrefix(hazards[0].Way, test.way)) ||
			test.name == "" && len(hazards) > 0 {
			t.Errorf("%v: %+v", test.sel, hazards)
		}
	}
	calico, _, err := cat.Resolve("calico")
	if err != nil {
		t.Fatal(err)
	}
	for _, sel := range []Selection{{Tags: []string{"calico", "network", "download"}}, {Tags: []string{"network"}}} {
		if h := cat.Hazards(calico, sel, nil); len(h) != 1 || h[0].Name != "cni-reapply" || !strings.HasSuffix(h[0].Source, "calico/tasks/check.yml:2") {
			t.Errorf("%v: %+v", sel, h)
		}
	}
	if h := cat.Hazards(calico, Selection{}, nil); len(h) > 0 {
		t.Errorf("a full run: %+v", h)
	}
}

// Every release has the easy defaults that were looked up; the images are derived.
func TestTreeTrades(t *testing.T) {
	cat, err := realTree(t).Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	names := func(addon string) (out []string) {
		a, _, err := cat.Resolve(addon)
		if err != nil {
			t.Error(err)
		}
		for _, trade := range a.Trades(nil) {
			out = append(out, trade.Name)
			t.Logf("%s: %s", addon, trade.Text)
		}
		return out
	}
	for addon, want := range map[string][]string{
		"metrics-server":         {"metrics-server-insecure-tls", "metrics-server-one-replica"},
		"local-path":             {"local-path-reclaim-delete", "local-path-provisioner-images"},
		"node-feature-discovery": {"node-feature-discovery-images"},
		"scheduler-plugins":      {"scheduler-plugins-images"},
		"cert-manager":           nil,
		"metallb":                nil,
		"registry":               nil,
		"calico":                 nil,
		"helm":                   nil,
	} {
		if diff := cmp.Diff(want, names(addon)); diff != "" {
			t.Errorf("%s: %s", addon, diff)
		}
	}
}
