package cluster

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// discoveryOf is an API server's answer about what it has: core, apps and shop.io, of which
// the last one's own server is down.
func discoveryOf(more map[string]http.HandlerFunc) map[string]http.HandlerFunc {
	paths := map[string]http.HandlerFunc{
		"/api": says(200, `{"kind":"APIVersions","versions":["v1"]}`),
		"/apis": says(200, `{"kind":"APIGroupList","apiVersion":"v1","groups":[
			{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}},
			{"name":"shop.io","versions":[{"groupVersion":"shop.io/v1","version":"v1"}],"preferredVersion":{"groupVersion":"shop.io/v1","version":"v1"}}]}`),
		"/api/v1": says(200, `{"kind":"APIResourceList","groupVersion":"v1","resources":[
			{"name":"configmaps","kind":"ConfigMap","namespaced":true},{"name":"secrets","kind":"Secret","namespaced":true},
			{"name":"namespaces","kind":"Namespace","namespaced":false},{"name":"namespaces/status","kind":"Namespace","namespaced":false}]}`),
		"/apis/apps/v1":    says(200, `{"kind":"APIResourceList","groupVersion":"apps/v1","resources":[{"name":"deployments","kind":"Deployment","namespaced":true}]}`),
		"/apis/shop.io/v1": says(503, "service unavailable"),
	}
	for path, h := range more {
		paths[path] = h
	}
	return paths
}

func object(kind, name, uid string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":%q,"metadata":{"name":%q,"uid":%q,"resourceVersion":"1"}}`, kind, name, uid)
}

func TestStates(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	note := func(answer http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked = append(asked, r.URL.Path)
			mu.Unlock()
			answer(w, r)
		}
	}
	c := open(t, apiServer(t, discoveryOf(map[string]http.HandlerFunc{
		"/api/v1/namespaces/web":                      note(says(200, object("Namespace", "web", "u-ns"))),
		"/api/v1/namespaces/web/configmaps":           note(says(200, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[`+object("ConfigMap", "a", "u-a")+`]}`)),
		"/api/v1/namespaces/default/secrets/s":        note(status(403, "Forbidden", `secrets "s" is forbidden: User "ci" cannot get resource "secrets"`)),
		"/apis/apps/v1/namespaces/web/deployments/d":  note(says(200, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","uid":"u-d"},"spec":{"template":{"spec":{"initContainers":[{"image":"i:1"}],"containers":[{"image":"c:2"}]}}}}`)),
		"/apis/apps/v1/namespaces/web/deployments/no": note(status(404, "NotFound", "not found")),
	})))
	states := c.States(t.Context(), []Ref{
		{"v1", "Namespace", "ignored", "web"},
		{"v1", "ConfigMap", "web", "a"},
		{"v1", "ConfigMap", "web", "b"},
		{"v1", "ConfigMap", "web", "c"},
		{"v1", "ConfigMap", "web", "e"},
		{"v1", "Secret", "", "s"},
		{"apps/v1beta9", "Deployment", "web", "d"}, // an old template: another version is served
		{"apps/v1", "Deployment", "web", "no"},
		{"none.io/v1", "Thing", "", "x"},
		{"shop.io/v1", "Cart", "", "x"},
	})
	var got []string
	for _, s := range states {
		got = append(got, fmt.Sprintf("%s %s %t %q %v %s", s.Ref.Kind, s.named(), s.Present, s.UID, s.Images, KindOf(s.Err)))
	}
	want := []string{
		`Namespace web true "u-ns" [] `, `ConfigMap web/a true "u-a" [] `, `ConfigMap web/b false "" [] `, `ConfigMap web/c false "" [] `, `ConfigMap web/e false "" [] `,
		`Secret default/s false "" [] forbidden`, `Deployment web/d true "u-d" [c:2 i:1] `, `Deployment web/no false "" [] `, `Thing x false "" [] `, `Cart x false "" [] unavailable`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if !strings.Contains(states[5].Err.Error(), "get secrets default/s") {
		t.Errorf("the right is not named: %v", states[5].Err)
	}
	slices.Sort(asked)
	if want := 5; len(asked) != want {
		t.Errorf("%d requests, want %d: one list, four by name: %q", len(asked), want, asked)
	}
}

func (s State) named() string { return strings.TrimPrefix(s.Ref.Namespace+"/"+s.Ref.Name, "/") }

func TestStatesWhereListingIsForbidden(t *testing.T) {
	c := open(t, apiServer(t, discoveryOf(map[string]http.HandlerFunc{
		"/api/v1/namespaces/web/configmaps":   status(403, "Forbidden", "configmaps is forbidden"),
		"/api/v1/namespaces/web/configmaps/a": says(200, object("ConfigMap", "a", "u-a")),
		"/api/v1/namespaces/web/configmaps/b": status(403, "Forbidden", "configmaps b is forbidden"),
		"/":                                   status(404, "NotFound", "not found"),
	})))
	states := c.States(t.Context(), []Ref{{"v1", "ConfigMap", "web", "a"}, {"v1", "ConfigMap", "web", "b"}, {"v1", "ConfigMap", "web", "c"}, {"v1", "ConfigMap", "web", "d"}})
	if !states[0].Present || KindOf(states[1].Err) != KindForbidden || states[2].Present || states[2].Err != nil {
		t.Errorf("%+v", states)
	}
}

func TestStatesWithoutAServer(t *testing.T) {
	s := apiServer(t, nil)
	c := open(t, s)
	s.Close()
	for _, state := range c.States(t.Context(), []Ref{{"v1", "ConfigMap", "web", "a"}}) {
		if KindOf(state.Err) != KindRefused {
			t.Errorf("%+v", state)
		}
	}
}
