package cluster

import (
	"net/http"
	"strings"
	"testing"
)

// TestHelmReleasesAreReadWithoutTheirData: what the request asks for is metadata, and
// nothing else would do.
func TestHelmReleasesAreReadWithoutTheirData(t *testing.T) {
	asked := 0
	s := apiServer(t, map[string]http.HandlerFunc{"/api/v1/secrets": func(w http.ResponseWriter, r *http.Request) {
		if accept := r.Header.Get("Accept"); accept != metadataOnly {
			t.Errorf("accepts %q", accept)
		}
		q := r.URL.Query()
		if q.Get("labelSelector") != "owner=helm" || q.Get("fieldSelector") != "type=helm.sh/release.v1" || q.Get("limit") != "500" {
			t.Errorf("asked for %v", q)
		}
		next := ""
		if asked++; asked == 1 {
			next = `"continue":"more"`
		}
		says(200, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{`+next+`},"items":[{"metadata":{"name":"sh.helm.release.v1.web.v1","labels":{"status":"deployed"}}}]}`)(w, r)
	}})
	got, err := open(t, s).HelmReleases(t.Context())
	if err != nil || len(got) != 2 || asked != 2 || got[0].Labels["status"] != "deployed" {
		t.Errorf("%v, %v after %d requests", got, err, asked)
	}
	refused := apiServer(t, map[string]http.HandlerFunc{"/api/v1/secrets": status(403, "Forbidden", "secrets is forbidden")})
	if _, err := open(t, refused).HelmReleases(t.Context()); KindOf(err) != KindForbidden || !strings.Contains(err.Error(), "list secrets") {
		t.Errorf("refused: %v", err)
	}
}

func TestPoolsAreReadAsTheyAre(t *testing.T) {
	s := apiServer(t, map[string]http.HandlerFunc{
		"/apis/crd.projectcalico.org/v1/ippools": says(200, `{"kind":"IPPoolList","apiVersion":"crd.projectcalico.org/v1","items":[{"apiVersion":"crd.projectcalico.org/v1","kind":"IPPool","metadata":{"name":"p"},"spec":{"vxlanMode":"Sometimes"}}]}`),
	})
	pools, err := open(t, s).IPPools(t.Context())
	if err != nil || len(pools) != 1 || pools[0].GetName() != "p" {
		t.Errorf("%v %v", pools, err)
	}
	none := apiServer(t, map[string]http.HandlerFunc{"/": status(404, "NotFound", "the server could not find the requested resource")})
	if _, err := open(t, none).IPPools(t.Context()); !NotFound(err) {
		t.Errorf("without the resource: %v", err)
	}
}

func TestTheConnectionShowsTheServersCertificate(t *testing.T) {
	s := apiServer(t, map[string]http.HandlerFunc{
		"/apis/certificates.k8s.io/v1/certificatesigningrequests": says(200, `{"kind":"CertificateSigningRequestList","apiVersion":"certificates.k8s.io/v1","items":[{"metadata":{"name":"csr-a"}}]}`),
	})
	c := open(t, s)
	if c.Certificates().Server != nil {
		t.Error("a certificate before the first request")
	}
	requests, err := c.CertificateRequests(t.Context())
	if err != nil || len(requests) != 1 {
		t.Fatal(requests, err)
	}
	if got := c.Certificates(); got.Server == nil || !got.Server.Equal(s.Certificate()) || got.Client != nil {
		t.Errorf("certificates: %+v", got)
	}
}
