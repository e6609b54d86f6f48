package kubespray

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const shopTemplate = `---
{% if shop_rbac %}
apiVersion: v1
kind: Namespace
metadata:
  labels:
    name: not-this
  name: {{ shop_namespace }}
---
{% endif %}
kind: Deployment   # of the shop
apiVersion: "apps/v1"
metadata:
{% if big %}
  name: shop
{% else %}
  name: shop-{{ item }}
{% endif %}
  namespace: "{{ shop_namespace }}"
spec:
  template:
    metadata: {name: pod}
    spec:
      initContainers:
      - image: "{{ registry }}/busybox:1"
        name: init
      containers:
        - name: shop
          image: {{ registry }}/acme/shop-server:{{ shop_image_tag }}
        - image: "{{ registry }}/acme/sidecar@sha256:0123"
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ shop_namespace }}:data", namespace: kube-system}
data:
  note: |
    apiVersion: v1
    kind: Secret
    metadata:
      name: in-a-text
{% for c in classes %}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: {{ c.name }}
{% endfor %}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ shop_namespace | default('x') }}
`

func shopTree(t *testing.T) (*Checkout, Addon) {
	t.Helper()
	c, err := Open(tree(t, looksLike("", map[string]string{
		"playbooks/cluster.yml":                         "- hosts: kube_control_plane\n  roles:\n  - { role: kubernetes-apps/shop, tags: shop, when: shop_enabled }\n",
		"roles/kubernetes-apps/shop/tasks/main.yml":     "- debug:\n",
		"roles/kubernetes-apps/shop/defaults/main.yml":  "shop_namespace: \"{{ base_namespace }}\"\nshop_enabled: false\n",
		"roles/kubernetes-apps/shop/templates/a.yml.j2": shopTemplate,
		"roles/kubernetes-apps/shop/templates/conf.j2":  "apiVersion: v1\nkind: Other\nmetadata:\n  name: x\n",
		"roles/kubernetes-apps/shop/files/crd.yaml":     "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: carts.shop.io\n",
		"roles/kubespray_defaults/defaults/main/main.yml": `
base_namespace: shop-system
registry: docker.io
shop_version: "{{ (shop_checksums['amd64'] | dict2items)[0].key }}"
shop_image_tag: "v{{ shop_version }}"
`,
		"roles/kubespray_defaults/vars/main/checksums.yml": "shop_checksums:\n  amd64:\n    2.1.0: x\n    2.0.0: y\n",
	})))
	if err != nil {
		t.Fatal(err)
	}
	addons, err := c.Addons()
	if err != nil || len(addons) != 1 {
		t.Fatal(addons, err)
	}
	return c, addons[0]
}

func TestObjects(t *testing.T) {
	c, a := shopTree(t)
	const file = "roles/kubernetes-apps/shop/templates/a.yml.j2"
	want := []Object{
		{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: "carts.shop.io", File: "roles/kubernetes-apps/shop/files/crd.yaml", Line: 2},
		{APIVersion: "v1", Kind: "Namespace", Name: "shop-system", File: file, Line: 4},
		{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop-system", Name: "shop", File: file, Line: 11, Images: []Image{
			{Repo: "docker.io/busybox", Tag: "1"}, {Repo: "docker.io/acme/shop-server", Tag: "v2.1.0"}, {Repo: "docker.io/acme/sidecar"},
		}},
		{APIVersion: "v1", Kind: "ConfigMap", Namespace: "kube-system", Name: "shop-system:data", File: file, Line: 33},
	}
	if diff := cmp.Diff(want, c.Objects(a, nil), cmpopts.IgnoreUnexported(Image{})); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"shop_namespace"}, c.ObjectVars(a)); diff != "" {
		t.Errorf("variables to ask for (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"registry", "shop_image_tag"}, c.PinnedVars(a)); diff != "" {
		t.Errorf("variables of the version (-want +got):\n%s", diff)
	}
}

func TestPinned(t *testing.T) {
	c, a := shopTree(t)
	p := c.Pinned(a, nil)
	if p.Version != "v2.1.0" || p.Image.Base() != "shop-server" || p.Main == nil || p.Main.Name != "shop" {
		t.Errorf("by default: %+v", p)
	}
	p = c.Pinned(a, func(name string) (any, bool) {
		v, ok := map[string]any{"shop_image_tag": "v9", "registry": "mirror:5000/hub", "shop_namespace": "mine"}[name]
		return v, ok
	})
	if p.Version != "v9" || p.Image.Repo != "mirror:5000/hub/acme/shop-server" || p.Main.Namespace != "mine" {
		t.Errorf("by effective values: %+v", p)
	}
}

func TestRunning(t *testing.T) {
	pinned := Pinned{Image: Image{Repo: "docker.io/acme/shop-server", Tag: "v2"}}
	for want, images := range map[string][]string{
		"v1":     {"sidecar:v3", "mirror:5000/hub/shop-server:v1@sha256:00", "shop-server-init:v4"},
		"":       {"mirror:5000/hub/shop-server@sha256:00"},
		"latest": {"shop-server:latest"},
	} {
		if got := pinned.Running(images); got != want {
			t.Errorf("%q: %q, want %q", images, got, want)
		}
	}
	if got := pinned.Running([]string{"other:v1"}); got != "" {
		t.Errorf("another image: %q", got)
	}
	if got := (Pinned{}).Running([]string{"argocd:v3"}); got != "v3" {
		t.Errorf("no image is pinned, one runs: %q", got)
	}
}

func TestSplitImage(t *testing.T) {
	for text, want := range map[string][2]string{
		"registry.k8s.io/a/b:v1":            {"registry.k8s.io/a/b", "v1"},
		"localhost:5000/b":                  {"localhost:5000/b", ""},
		"localhost:5000/b:v1@sha256:00":     {"localhost:5000/b", "v1"},
		"b@sha256:00":                       {"b", ""},
		"{{ a_repo }}:{{ a_tag }}":          {"{{ a_repo }}", "{{ a_tag }}"},
		"{{ a_repo }}/x:{{ a | d('b:c') }}": {"{{ a_repo }}/x:{{ a | d('b", "c') }}"}, // then neither is known
	} {
		if repo, tag := splitImage(text); repo != want[0] || tag != want[1] {
			t.Errorf("%s: %q %q", text, repo, tag)
		}
	}
}
