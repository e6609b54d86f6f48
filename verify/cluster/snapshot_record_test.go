package cluster

import (
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/surespray/surespray/verify"
)

// record opens a recorder on a small API server.
func record(t *testing.T, paths map[string]http.HandlerFunc) *Recorder {
	t.Helper()
	s := apiServer(t, paths)
	return recordServer(t, s)
}

func recordServer(t *testing.T, s *httptest.Server) *Recorder {
	t.Helper()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	r, err := Record(Options{Content: kubeconfig(s.URL, ca), Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// somePaths answer with objects that have secrets in all places that we know of.
func somePaths() map[string]http.HandlerFunc {
	jwt := "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJl"
	return map[string]http.HandlerFunc{
		"/readyz": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			says(500, "[-]etcd failed")(w, nil)
		},
		"/version": says(200, `{"gitVersion":"v1.36.3"}`),
		"/api/v1/nodes": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("continue") == "" {
				says(200, `{"kind":"NodeList","apiVersion":"v1","metadata":{"continue":"x"},"items":[`+node("a")+`]}`)(w, r)
				return
			}
			says(200, `{"kind":"NodeList","apiVersion":"v1","items":[`+node("b")+`]}`)(w, r)
		},
		"/api/v1/namespaces/shop/pods": says(200, `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"web","namespace":"shop","managedFields":[{}],
			"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"SECRET-applied","example.com/api-token":"SECRET-note"}},
			"spec":{"containers":[{"name":"main","args":["--db-password=SECRET-arg","--token-file=/etc/token"],
			"env":[{"name":"DB","value":"SECRET-env"},{"name":"X","valueFrom":{"secretKeyRef":{"name":"db","key":"pass"}}}]}]}}]}`),
		"/api/v1/namespaces/kube-system/pods": says(200, `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"kube-apiserver-a","namespace":"kube-system"},
			"spec":{"containers":[{"name":"main","env":[{"name":"HTTPS_PROXY","value":"http://me:SECRET-user@proxy:3128"},{"name":"NO_PROXY","value":"10.0.0.0/8"},{"name":"TOKEN","value":"SECRET-named"}]}]}}]}`),
		"/api/v1/namespaces/shop/pods/web/log": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("previous") == "true" {
				status(400, "BadRequest", "previous terminated container not found")(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/plain")
			says(200, "started\nAuthorization: Bearer SECRETSECRETSECRETSECRET\ntoken "+jwt+"\n")(w, r)
		},
		"/api/v1/secrets": says(200, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","items":[
			{"kind":"PartialObjectMetadata","metadata":{"name":"sh.helm.release.v1.x.v1","namespace":"shop","labels":{"owner":"helm"}}}]}`),
		"/api/v1/namespaces/kube-system/configmaps/settings": says(200, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"settings","namespace":"kube-system"},
			"data":{"password":"SECRET-data","plain":"kept","conf":"users:\n- user:\n    client-key-data: SECRETKEY\n    token: SECRET-token\n"}}`),
		"/apis/apps/v1/namespaces/kube-system/deployments/gone": func(w http.ResponseWriter, r *http.Request) {
			says(404, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"details":{"name":"gone","kind":"deployments"}}`)(w, r)
		},
		"/apis/apps/v1/namespaces/kube-system/deployments/hidden": status(403, "Forbidden", "no"),
		"/apis/metrics.k8s.io/v1beta1/nodes":                      status(503, "ServiceUnavailable", "unavailable"),
	}
}

// answers is what a cluster says, live or not: what was seen, and how it failed.
func answers(t *testing.T, c *Cluster) map[string]any {
	t.Helper()
	ctx, out := t.Context(), map[string]any{}
	add := func(name string, v any, err error) {
		if out[name] = v; err != nil {
			out[name] = KindOf(err)
		}
	}
	nodes, err := c.Nodes(ctx)
	add("nodes", len(nodes), err)
	pods, err := c.Pods(ctx, "shop", "")
	add("pods", len(pods), err)
	system, err := c.Pods(ctx, "kube-system", "")
	add("system", len(system), err)
	releases, err := c.HelmReleases(ctx)
	add("releases", len(releases), err)
	settings, err := c.ConfigMap(ctx, "kube-system", "settings")
	add("settings", settings != nil, err)
	log, err := c.Log(ctx, "shop", "web", "main", false)
	add("log", strings.Count(log, "\n"), err)
	_, err = c.Log(ctx, "shop", "web", "main", true)
	add("previous", nil, err)
	_, err = c.Deployment(ctx, "kube-system", "gone")
	add("gone", nil, err)
	_, err = c.Deployment(ctx, "kube-system", "hidden")
	add("hidden", nil, err)
	_, err = c.NodeMetrics(ctx)
	add("metrics", nil, err)
	health, err := c.Ready(ctx)
	add("health", health.OK, err)
	version, err := c.Version(ctx)
	add("version", version.GitVersion, err)
	return out
}

func TestWhatIsRecordedIsToldAgain(t *testing.T) {
	r := record(t, somePaths())
	live := answers(t, r.Cluster())
	dir := filepath.Join(t.TempDir(), "a", "saved")
	if _, err := r.Write(dir, Told{By: "test", TakenAt: time.Now(), Values: map[string]any{"kube_version": "1.36.3", "my_password": "SECRET-value"}, Facts: map[string]any{"Values": map[string]any{"db_secret": "SECRET-fact"}}}); err != nil {
		t.Fatal(err)
	}
	c, err := OpenSnapshot(dir)
	if err != nil {
		t.Fatal(err)
	}
	told := answers(t, c)
	for name, want := range live {
		if told[name] != want {
			t.Errorf("%s: live %v, told %v", name, want, told[name])
		}
	}
	if live["nodes"] != 2 || live["releases"] != 1 || live["health"] != false || live["gone"] != KindNotFound || live["hidden"] != KindForbidden {
		t.Errorf("live: %v", live)
	}
	if got := c.Snapshot().Values["kube_version"]; got != "1.36.3" {
		t.Errorf("values: %v", c.Snapshot().Values)
	}
	pods, _ := c.Pods(t.Context(), "kube-system", "")
	if env := pods[0].Spec.Containers[0].Env; !strings.HasSuffix(env[0].Value, "@proxy:3128") || env[1].Value != "10.0.0.0/8" {
		t.Errorf("the environment of the API server: %v", env)
	}
}

// No secret reaches the folder, and nobody else can read it.
func TestSecretsStayOutOfTheFolder(t *testing.T) {
	r := record(t, somePaths())
	answers(t, r.Cluster())
	dir := filepath.Join(t.TempDir(), "saved")
	told := Told{Values: map[string]any{"x_password": "SECRET", "nested": map[string]any{"token": "SECRET"}, "webhook_token_auth": true}, Facts: map[string]any{"secret": "SECRET"}}
	if _, err := r.Write(dir, told); err != nil {
		t.Fatal(err)
	}
	names := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %s", path, info.Mode())
		}
		if e.IsDir() {
			return nil
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, word := range []string{"SECRET", "eyJ", "last-applied"} {
			if i := strings.Index(string(body), word); i >= 0 {
				t.Errorf("%s: %s", path, body[max(0, i-60):min(len(body), i+40)])
			}
		}
		names += strings.Count(string(body), "DB_") + strings.Count(string(body), "name: DB") + strings.Count(string(body), "webhook_token_auth")
		return nil
	})
	if err != nil || names != 2 {
		t.Errorf("names that stay: %d, %v", names, err)
	}
}

func TestADirectoryOfOthersIsLeftAlone(t *testing.T) {
	r := record(t, somePaths())
	answers(t, r.Cluster())
	dir := t.TempDir()
	for name, files := range map[string][]string{
		"foreign": {"notes.txt"}, "inventory": {"objects.yaml"}, "mixed": {"snapshot.yaml", "notes.txt"},
	} {
		at := filepath.Join(dir, name)
		if err := os.Mkdir(at, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(at, f), []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var foreign *ForeignDirError
		if _, err := r.Write(at, Told{}); !errors.As(err, &foreign) {
			t.Errorf("%s: %v", name, err)
		}
		if body, err := os.ReadFile(filepath.Join(at, files[0])); err != nil || string(body) != "mine" {
			t.Errorf("%s: it was touched: %v", name, err)
		}
	}
	// An empty one is taken, and a former snapshot replaced; nothing is left beside them.
	at := filepath.Join(dir, "empty")
	if err := os.Mkdir(at, 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.Write(at, Told{}); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What a list does not have any more is not there any more, and the walk lists only what
// may be listed.
func TestWalkAndLaterReadings(t *testing.T) {
	pods, asked := []string{`{"metadata":{"name":"a","namespace":"x"}}`, `{"metadata":{"name":"b","namespace":"x"}}`}, map[string]int{}
	s := apiServer(t, map[string]http.HandlerFunc{
		"/api":    says(200, `{"kind":"APIVersions","versions":["v1"]}`),
		"/apis":   says(200, `{"kind":"APIGroupList","groups":[]}`),
		"/api/v1": says(200, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","namespaced":true},{"name":"nodes","kind":"Node"},{"name":"secrets","kind":"Secret","namespaced":true},{"name":"configmaps","kind":"ConfigMap","namespaced":true}]}`),
		"/api/v1/pods": func(w http.ResponseWriter, r *http.Request) {
			says(200, `{"kind":"PodList","apiVersion":"v1","items":[`+strings.Join(pods, ",")+`]}`)(w, r)
		},
		"/api/v1/nodes": status(403, "Forbidden", "no"),
		"/api/v1/namespaces/x/pods": func(w http.ResponseWriter, r *http.Request) {
			says(200, `{"kind":"PodList","apiVersion":"v1","items":[`+pods[0]+`]}`)(w, r)
		},
		"/api/v1/secrets":              func(http.ResponseWriter, *http.Request) { asked["secrets"]++ },
		"/api/v1/configmaps":           func(http.ResponseWriter, *http.Request) { asked["configmaps"]++ },
		"/api/v1/namespaces/y/pods":    says(200, `{"kind":"PodList","apiVersion":"v1","items":[]}`),
		"/api/v1/namespaces/y/secrets": says(200, `{}`),
	})
	r := recordServer(t, s)
	list := func(resource, verb string) verify.Access { return verify.Access{Resource: resource, Verb: verb} }
	if err := r.Walk(t.Context(), []verify.Access{list("pods", "list"), list("nodes", "list"), list("secrets", "list"), list("configmaps", "get"), list("pods/log", "list")}); err != nil {
		t.Fatal(err)
	}
	if len(asked) != 0 || len(r.refusals) != 0 {
		t.Errorf("asked %v, refused %v", asked, r.refusals)
	}
	if _, err := r.Cluster().Pods(t.Context(), "x", ""); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "saved")
	if _, err := r.Write(dir, Told{}); err != nil {
		t.Fatal(err)
	}
	c, err := OpenSnapshot(dir)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := c.Pods(t.Context(), "", ""); err != nil || len(all) != 1 {
		t.Errorf("pods %v, %v", all, err)
	}
	if _, err := c.Nodes(t.Context()); !NotCaptured(err) {
		t.Errorf("nodes: %v", err)
	}
}
