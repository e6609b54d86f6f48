package cluster

import (
	"context"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surespray/surespray/verify"
)

// apiServer is a small API server: paths and what they answer, over TLS.
func apiServer(t *testing.T, paths map[string]http.HandlerFunc) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	for path, h := range paths {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			h(w, r)
		})
	}
	s := httptest.NewTLSServer(mux)
	t.Cleanup(s.Close)
	return s
}

func says(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func status(code int, reason, message string) http.HandlerFunc {
	return says(code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":%q,"code":%d}`, reason, message, code))
}

func kubeconfig(server string, ca []byte) []byte {
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: lab
contexts: [{name: lab, context: {cluster: lab, user: admin}}]
users: [{name: admin, user: {token: secret}}]
clusters: [{name: lab, cluster: {server: %q, certificate-authority-data: %s}}]
`, server, base64(ca))
}

func open(t *testing.T, s *httptest.Server) *Cluster {
	t.Helper()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	c, err := Open(Options{Content: kubeconfig(s.URL, ca), Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func node(name string) string { return `{"metadata":{"name":"` + name + `"}}` }

func TestPages(t *testing.T) {
	asked := []string{}
	s := apiServer(t, map[string]http.HandlerFunc{"/api/v1/nodes": func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("limit")+" "+r.URL.Query().Get("continue"))
		switch {
		case len(asked) == 1:
			says(200, `{"kind":"NodeList","apiVersion":"v1","metadata":{"continue":"more"},"items":[`+node("a")+`]}`)(w, r)
		case len(asked) == 2:
			status(410, "Expired", "too old")(w, r)
		default:
			says(200, `{"kind":"NodeList","apiVersion":"v1","items":[`+node("a")+","+node("b")+`]}`)(w, r)
		}
	}})
	nodes, err := open(t, s).Nodes(t.Context())
	if err != nil || len(nodes) != 2 || nodes[1].Name != "b" {
		t.Errorf("nodes %v, error %v", nodes, err)
	}
	if want := []string{"500 ", "500 more", " "}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q", asked)
	}
}

func TestErrorsAreClassifiedOnce(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for kind, answer := range map[Kind]http.HandlerFunc{
		KindForbidden:    status(403, "Forbidden", `nodes is forbidden: User "ci" cannot list resource "nodes"`),
		KindUnauthorized: status(401, "Unauthorized", "Unauthorized"),
		KindUnavailable:  says(503, "service unavailable"),
		KindTimeout:      hang,
		KindOther:        says(500, "boom"),
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			nodes, err := open(t, apiServer(t, map[string]http.HandlerFunc{"/api/v1/nodes": answer})).Nodes(t.Context())
			if KindOf(err) != kind || nodes != nil {
				t.Errorf("kind %q, nodes %v: %v", KindOf(err), nodes, err)
			}
			if !strings.Contains(err.Error(), "list nodes") {
				t.Errorf("the error does not name the request: %v", err)
			}
		})
	}
}

func TestTheWayIsLost(t *testing.T) {
	gone := httptest.NewTLSServer(http.NotFoundHandler())
	gone.Close()
	if _, err := open(t, gone).Version(t.Context()); KindOf(err) != KindRefused {
		t.Errorf("refused: %v", err)
	}
	other := apiServer(t, nil)
	foreign, err := Open(Options{Content: kubeconfig(other.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: foreignCA(t)}))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := foreign.Version(t.Context()); KindOf(err) != KindTLS {
		t.Errorf("foreign CA: %v", err)
	}
	unknown, err := Open(Options{Content: kubeconfig("https://nowhere.invalid:6443", nil)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unknown.Version(t.Context()); KindOf(err) != KindDNS && KindOf(err) != KindTimeout {
		t.Errorf("unknown name: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t, other).Version(ctx); KindOf(err) != KindCancelled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestReadsOfOneRoundAreShared(t *testing.T) {
	asked := 0
	s := apiServer(t, map[string]http.HandlerFunc{"/api/v1/nodes": func(w http.ResponseWriter, r *http.Request) {
		asked++
		says(200, `{"kind":"NodeList","apiVersion":"v1","items":[`+node("a")+`]}`)(w, r)
	}})
	c := open(t, s)
	rounds := 0
	run := func(ctx context.Context) []verify.Finding {
		if _, err := c.Nodes(ctx); err != nil {
			return []verify.Finding{verify.Fail("x", "%v", err)}
		}
		if rounds++; rounds <= 3 {
			return []verify.Finding{verify.NotYet("x", "again")}
		}
		return []verify.Finding{verify.Pass("fine")}
	}
	checks := []verify.Check{{ID: "a", Together: "l", Run: run}, {ID: "b", Together: "l", Run: run}, {ID: "c", Together: "l", Run: run}}
	(&verify.Engine{Every: 20 * time.Millisecond, Parallel: 1}).Run(t.Context(), checks)
	if asked != 2 {
		t.Errorf("nodes were read %d times in two rounds", asked)
	}
}

func TestHealthSaysWhatFails(t *testing.T) {
	s := apiServer(t, map[string]http.HandlerFunc{
		"/readyz": says(500, "[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n"),
	})
	c := open(t, s)
	h, err := c.Ready(t.Context())
	if err != nil || h.OK || !slices.Equal(h.Says, []string{"[-]etcd failed: reason withheld", "readyz check failed"}) {
		t.Errorf("%+v %v", h, err)
	}
}

func TestObjectsAndLogs(t *testing.T) {
	lines := strings.Repeat("x", 100) + "\n"
	s := apiServer(t, map[string]http.HandlerFunc{
		"/version": says(200, `{"gitVersion":"v1.36.3","platform":"linux/amd64"}`),
		"/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io": says(200, `{"metadata":{"name":"v1beta1.metrics.k8s.io"},"status":{"conditions":[{"type":"Available","status":"True"}]}}`),
		"/apis/metrics.k8s.io/v1beta1/nodes":                                 says(200, `{"items":[{"metadata":{"name":"a"},"usage":{"cpu":"250m"}}]}`),
		"/api/v1/namespaces/kube-system":                                     says(200, `{"kind":"Namespace","apiVersion":"v1","metadata":{"uid":"u-1"}}`),
		"/apis/apps/v1/namespaces/kube-system/deployments/gone":              status(404, "NotFound", "not found"),
		"/api/v1/namespaces/kube-system/pods/p/log": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("tailLines") != "400" {
				t.Errorf("query %v", r.URL.Query())
			}
			fmt.Fprint(w, strings.Repeat(lines, 5000), "last\n")
		},
	})
	c, ctx := open(t, s), t.Context()
	if v, err := c.Version(ctx); err != nil || v.GitVersion != "v1.36.3" {
		t.Error(v, err)
	}
	if a, err := c.APIService(ctx, "v1beta1.metrics.k8s.io"); err != nil || len(a.Status.Conditions) != 1 {
		t.Error(a, err)
	}
	if m, err := c.NodeMetrics(ctx); err != nil || m[0].Usage.Cpu().MilliValue() != 250 {
		t.Error(m, err)
	}
	if uid, err := c.UID(ctx); err != nil || uid != "u-1" {
		t.Error(uid, err)
	}
	if _, err := c.Deployment(ctx, "kube-system", "gone"); !NotFound(err) {
		t.Error(err)
	}
	log, err := c.Log(ctx, "kube-system", "p", "c", false)
	if err != nil || len(log) > logBytes || !strings.HasPrefix(log, "xxx") || !strings.HasSuffix(log, "last\n") {
		t.Errorf("%d bytes of log, %v", len(log), err)
	}
}

func TestClockFollowsTheServer(t *testing.T) {
	c := &clock{}
	c.see(time.Now().Add(-2 * time.Hour).UTC().Format(http.TimeFormat))
	if d := time.Since(c.now()); d < 119*time.Minute || d > 121*time.Minute {
		t.Errorf("two hours behind: %s", d)
	}
	c.see(time.Now().UTC().Format(http.TimeFormat))
	if d := time.Since(c.now()); d.Abs() > time.Second {
		t.Errorf("in step: %s", d)
	}
}

func TestOpenNamesTheKubeconfig(t *testing.T) {
	_, err := Open(Options{Content: kubeconfig("https://x", nil), Kubeconfig: []string{"admin.conf"}, Context: "nope"})
	if err == nil || !strings.Contains(err.Error(), "admin.conf") || !strings.Contains(err.Error(), "it has: lab") {
		t.Errorf("unknown context: %v", err)
	}
	_, err = Open(Options{Kubeconfig: []string{filepath.Join(t.TempDir(), "none.conf")}})
	if err == nil || !strings.Contains(err.Error(), "none.conf") {
		t.Errorf("missing file: %v", err)
	}
}
