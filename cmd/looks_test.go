package cmd

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/cluster"
)

// looking is a way to an API server that answers by f.
func looking(t *testing.T, f http.HandlerFunc) (*verification, *session) {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.CloseClientConnections)
	config := "apiVersion: v1\nkind: Config\ncurrent-context: x\ncontexts: [{name: x, context: {cluster: x, user: x}}]\nusers: [{name: x, user: {}}]\nclusters: [{name: x, cluster: {server: \"" + server.URL + "\"}}]\n"
	c, err := cluster.Open(cluster.Options{Content: []byte(config)})
	if err != nil {
		t.Fatal(err)
	}
	s := &session{app: &app{}}
	s.app.output.err = io.Discard
	s.plan.Flags = runner.AnsibleArgs{"inventory": {"hosts.ini"}}
	s.values = &runner.Values{Hosts: []runner.InventoryHost{{Name: "w1"}}}
	return &verification{cluster: c}, s
}

func TestLookingWaitsLittle(t *testing.T) {
	v, s := looking(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	began := time.Now()
	_, err := v.look(t.Context(), s, []cluster.Ref{{APIVersion: "v1", Kind: "ConfigMap", Name: "x"}})
	if took := time.Since(began); err == nil || took > 2*lookLimit {
		t.Errorf("%s: %v", took, err)
	}
	if states, err := v.look(t.Context(), s, nil); states != nil || err != nil {
		t.Errorf("nothing to look at: %v %v", states, err)
	}
}

func TestLookingOnlyAtTheInventorysCluster(t *testing.T) {
	nodes := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path != "/api/v1/nodes" {
				t.Errorf("asked for %s", r.URL.Path)
			}
			_, _ = io.WriteString(w, `{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"`+name+`"}}]}`)
		}
	}
	v, s := looking(t, nodes("other"))
	_, err := v.look(t.Context(), s, []cluster.Ref{{APIVersion: "v1", Kind: "ConfigMap", Name: "x"}})
	if err == nil || !strings.Contains(err.Error(), "is another cluster: its nodes other are none") {
		t.Errorf("a stranger: %v", err)
	}
	v, s = looking(t, nodes("w1"))
	if err := v.foreign(t.Context(), s); err != nil {
		t.Errorf("its own: %v", err)
	}
	s.values = nil
	if err := v.foreign(t.Context(), s); err == nil {
		t.Error("hosts not known, and the kubeconfig named by nobody: looked at all the same")
	}
	if v.kubeconfig = "given.conf"; v.foreign(t.Context(), s) != nil {
		t.Error("hosts not known, and the kubeconfig given")
	}
}
