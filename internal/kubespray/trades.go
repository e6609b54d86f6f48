package kubespray

import (
	"fmt"
	"slices"
	"strings"
)

// Trade is something that an easy default gives up. It is information: the addon works.
type Trade struct {
	Name string `json:"name"` // such as metrics-server-insecure-tls
	Text string `json:"text"`
	Way  string `json:"way,omitempty"` // what changes it
}

// tradeRules are the trades that cannot be derived: what a value means.
func tradeRules() []rule {
	return []rule{
		{
			name: "metrics-server-insecure-tls", role: "kubernetes-apps/metrics_server", at: "metrics_server_kubelet_insecure_tls",
			holds: func(v valuesOf) bool { return v.is("metrics_server_kubelet_insecure_tls", true) },
			text:  "it does not verify the kubelets' certificates",
			way: "-e kubelet_rotate_server_certificates=true by a full run, then -e metrics_server_kubelet_insecure_tls=false; " +
				"the APIService then verifies metrics-server's own certificate as well, which must be a trusted one",
		},
		{
			name: "metrics-server-one-replica", role: "kubernetes-apps/metrics_server", at: "metrics_server_replicas",
			holds: func(v valuesOf) bool { return v.is("metrics_server_replicas", 1) },
			text:  "one replica: no metrics, and no autoscaling by them, while its node is away",
			way:   "-e metrics_server_replicas=2",
		},
		{
			name: "local-path-reclaim-delete", role: "kubernetes-apps/external_provisioner/local_path_provisioner", at: "local_path_provisioner_reclaim_policy",
			holds: func(v valuesOf) bool { return v.is("local_path_provisioner_reclaim_policy", "Delete") },
			text:  "reclaimPolicy Delete: the data of a claim go with the claim",
			way:   "-e local_path_provisioner_reclaim_policy=Retain",
		},
	}
}

// Trades says what the addon gives up with these values. value gives effective values;
// where it has none the checkout's literal default counts.
func (a Addon) Trades(value func(string) (any, bool)) []Trade {
	if a.checkout == nil {
		return nil
	}
	values := valuesOf{a, value}
	var trades []Trade
	for _, r := range tradeRules() {
		if r.role == a.Role && r.holds(values) {
			trades = append(trades, Trade{r.name, r.text, r.way})
		}
	}
	if t, ok := a.pulledLate(value); ok {
		trades = append(trades, t)
	}
	if t, ok := a.twoVersions(value); ok {
		trades = append(trades, t)
	}
	return trades
}

// pulledLate is the trade of images that are not in the list of downloads.
func (a Addon) pulledLate(value func(string) (any, bool)) (Trade, bool) {
	r := a.checkout.resolver(a, value)
	var images []string
	short := false
	for _, text := range a.checkout.notDownloaded(a.Role) {
		image, known := r.expand(text)
		if !known {
			image = text
		}
		registry, _, found := strings.Cut(image, "/")
		short = short || known && (!found || !strings.ContainsAny(registry, ".:"))
		if !slices.Contains(images, image) {
			images = append(images, image)
		}
	}
	if len(images) == 0 {
		return Trade{}, false
	}
	t := Trade{Name: a.Name + "-images", Way: "have them where the nodes pull from, before"}
	t.Text = fmt.Sprintf("not in the list of downloads, so pulled only when a pod starts: %s", few(images, 3))
	if short {
		t.Text += "; a name without a registry is refused by some runtimes"
	}
	return t, true
}

// twoVersions is the trade of a role whose own default differs from the one that the
// download role goes by: it fetches what is then not installed.
func (a Addon) twoVersions(value func(string) (any, bool)) (Trade, bool) {
	types := a.types()
	if types == nil || a.VersionVar == "" || a.checkout == nil {
		return Trade{}, false
	}
	r := a.checkout.resolver(a, nil)
	own, general := "", ""
	for _, d := range types.Defaults(a.VersionVar) {
		filled, ok := r.expand(fmt.Sprint(d.Value))
		if !ok {
			continue
		}
		switch {
		case strings.HasPrefix(d.File, "roles/"+a.Role+"/"):
			own = filled
		case strings.HasPrefix(d.File, "roles/kubespray_defaults/"), strings.HasPrefix(d.File, "roles/kubespray-defaults/"):
			general = filled
		}
	}
	if own == "" || general == "" || own == general {
		return Trade{}, false
	}
	if value != nil {
		if v, ok := value(a.VersionVar); ok && fmt.Sprint(v) != own {
			return Trade{}, false // the inventory has set it, for both
		}
	}
	return Trade{
		Name: a.Name + "-version", Way: fmt.Sprintf("-e %s=%s", a.VersionVar, general),
		Text: fmt.Sprintf("its role installs %s, while the rest of the checkout goes by %s %s", own, a.VersionVar, general),
	}, true
}

// Variables are those whose effective values the hazards and trades of the addon depend on.
func (a Addon) Variables() []string {
	var out []string
	add := func(names ...string) {
		for _, name := range names {
			if name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	if len(a.Deletes) > 0 {
		add(a.NamespaceVar)
	}
	if _, ok := a.twoVersions(nil); ok {
		add(a.VersionVar)
	}
	for _, r := range append(hazardRules(), tradeRules()...) {
		if r.role == a.Role {
			add(r.at)
			add(r.also...)
		}
	}
	return out
}

// Registries are the variables from which most images of a checkout begin.
func Registries() []string {
	return []string{"kube_image_repo", "docker_image_repo", "quay_image_repo", "github_image_repo", "gcr_image_repo"}
}
