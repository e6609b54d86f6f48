package cluster

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// discovery answers what APIs there are: those that the snapshot has something of.
func (m moment) discovery(u *url.URL) (int, []byte, error) {
	words := strings.Split(strings.Trim(u.Path, "/"), "/")
	var answer any
	switch {
	case u.Path == "/api":
		answer = metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions", APIVersion: "v1"}, Versions: []string{"v1"}}
	case u.Path == "/apis":
		answer = metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: m.groups()}
	case len(words) == 2 && words[0] == "api":
		answer = m.resourceList(schema.GroupVersion{Version: words[1]})
	case len(words) == 3 && words[0] == "apis":
		answer = m.resourceList(schema.GroupVersion{Group: words[1], Version: words[2]})
	default:
		return 0, nil, &NotCapturedError{What: "the answer to " + u.Path}
	}
	body, err := json.Marshal(answer)
	return http.StatusOK, body, err
}

// resources are all that the snapshot has something of, and their kinds.
func (m moment) resources() map[schema.GroupVersionResource]string {
	out := map[schema.GroupVersionResource]string{}
	for _, c := range m.About.Resources {
		r := schema.GroupVersionResource{Group: c.Group, Version: c.Version, Resource: c.Resource}
		if out[r] = c.Kind; c.Kind == "" {
			out[r] = kindOf(r)
		}
	}
	for r, sh := range m.objects {
		out[r] = sh.kind
	}
	return out
}

func (m moment) groups() []metav1.APIGroup {
	versions := map[string][]string{}
	for r := range m.resources() {
		if r.Group != "" && r.Version != "" && !slices.Contains(versions[r.Group], r.Version) {
			versions[r.Group] = append(versions[r.Group], r.Version)
		}
	}
	out := []metav1.APIGroup{}
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		g := metav1.APIGroup{Name: name}
		for _, v := range slices.Sorted(slices.Values(versions[name])) {
			g.Versions = append(g.Versions, metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + v, Version: v})
		}
		g.PreferredVersion = g.Versions[len(g.Versions)-1]
		out = append(out, g)
	}
	return out
}

func (m moment) resourceList(gv schema.GroupVersion) metav1.APIResourceList {
	out := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String()}
	all := m.resources()
	for _, r := range slices.SortedFunc(maps.Keys(all), func(a, b schema.GroupVersionResource) int { return strings.Compare(a.Resource, b.Resource) }) {
		if r.GroupVersion() == gv {
			out.APIResources = append(out.APIResources, metav1.APIResource{Name: r.Resource, Kind: all[r], Namespaced: m.namespaced(r), Verbs: metav1.Verbs{"get", "list"}})
		}
	}
	return out
}

// namespaced tells by the objects whether they belong to namespaces.
func (m moment) namespaced(r schema.GroupVersionResource) bool {
	if sh := m.objects[r]; sh != nil {
		for k := range sh.objects {
			return k.namespace != ""
		}
	}
	c := m.About.captured(r)
	return c != nil && c.Namespaced
}
