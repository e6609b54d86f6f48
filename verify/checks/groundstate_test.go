package checks

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/version"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// groundFile is one file under testdata/ID of a check that has a state of its own.
type groundFile struct {
	Now     string
	Objects []map[string]any
	Errors  map[string]string // what cannot be read: forbidden, not-found, lost …
	Log     string            // of metrics-server
	Wanted  map[string]bool
	Values  map[string]any
	Pinned  map[string]Pinned
	Known   []string // versions of Kubernetes
	Sums    []string // of Helm's archives
	Applied bool
	Live    string // the API server's version
	Hosts   map[string]NodeEvidence
	Traffic []Traffic
	Helm    []HelmBinary
	Own     map[string]certificateFile
	Answer  string // to a DNS query; starts with "!" for none
	Want    map[string]expectation
}

// certificateFile is a certificate as a state tells it.
type certificateFile struct {
	Name  string
	IPs   []string
	Days  float64 // that are left
	Lives float64 // days in all; 0: 365
	Self  bool    // signed by itself
}

// pem makes it.
func (c certificateFile) pem(t *testing.T, now time.Time) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	lives := 365.0
	if c.Lives > 0 {
		lives = c.Lives
	}
	end := now.Add(time.Duration(c.Days * 24 * float64(time.Hour)))
	cert := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: c.Name}, NotAfter: end, NotBefore: end.Add(-time.Duration(lives * 24 * float64(time.Hour)))}
	for _, ip := range c.IPs {
		cert.IPAddresses = append(cert.IPAddresses, net.ParseIP(ip))
	}
	parent := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "kubernetes"}}
	if c.Self {
		parent = cert
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func (g groundFile) state() state { return state{Now: g.Now, Objects: g.Objects, Errors: g.Errors} }

func (g groundFile) facts() Facts {
	f := Facts{Wanted: map[string]*bool{}, Values: g.Values, Pinned: g.Pinned, KubeVersions: g.Known, HelmChecksums: g.Sums}
	for name, on := range g.Wanted {
		f.Wanted[name] = &on
	}
	f.PodsSubnet = f.text("kube_pods_subnet")
	f.KubeletInsecureTLS = f.flag("metrics_server_kubelet_insecure_tls")
	return f
}

func (g groundFile) nodes(t *testing.T) seen[[]corev1.Node] {
	return many[corev1.Node](t, g.state(), "nodes", right("", "nodes", "list"), "Node")
}

func (g groundFile) daemonSets(t *testing.T) seen[[]appsv1.DaemonSet] {
	return many[appsv1.DaemonSet](t, g.state(), "daemonsets", right("apps", "daemonsets", "list"), "DaemonSet")
}

func (g groundFile) deployments(t *testing.T) seen[[]appsv1.Deployment] {
	return many[appsv1.Deployment](t, g.state(), "deployments", right("apps", "deployments", "list"), "Deployment")
}

func (g groundFile) pods(t *testing.T) podsState {
	s := podsState{now: moment(t, g.Now), pods: many[corev1.Pod](t, g.state(), "pods", right("", "pods", "list"), "Pod"), events: map[string][]corev1.Event{}}
	for _, e := range many[corev1.Event](t, g.state(), "", right("", "events", "list"), "Event").value {
		s.events[e.InvolvedObject.Name] = append(s.events[e.InvolvedObject.Name], e)
	}
	return s
}

// requests makes the certificates that a state tells.
func (g groundFile) requests(t *testing.T) seen[[]certificatesv1.CertificateSigningRequest] {
	t.Helper()
	st, issued := g.state(), map[string]certificateFile{}
	st.Objects = nil
	for _, o := range g.Objects {
		if c, ok := o["issued"].(map[string]any); ok && o["kind"] == "CertificateSigningRequest" {
			o = merge(o, map[string]any{"issued": nil})
			f := certificateFile{Name: "system:node:" + fmt.Sprint(c["node"]), Days: c["days"].(float64), Self: c["self"] == true}
			for _, ip := range c["ips"].([]any) {
				f.IPs = append(f.IPs, ip.(string))
			}
			issued[o["metadata"].(map[string]any)["name"].(string)] = f
		}
		st.Objects = append(st.Objects, o)
	}
	all := many[certificatesv1.CertificateSigningRequest](t, st, "requests", right("certificates.k8s.io", "certificatesigningrequests", "list"), "CertificateSigningRequest")
	for i, r := range all.value {
		if f, ok := issued[r.Name]; ok {
			all.value[i].Status.Certificate = f.pem(t, moment(t, g.Now))
		}
	}
	return all
}

func (g groundFile) pools(t *testing.T) seen[[]unstructured.Unstructured] {
	t.Helper()
	if word := g.Errors["pools"]; word != "" {
		return seen[[]unstructured.Unstructured]{err: failure(t, word, right("crd.projectcalico.org", "ippools", "list"))}
	}
	out := []unstructured.Unstructured{}
	for _, o := range g.Objects {
		if o["kind"] == "IPPool" {
			out = append(out, unstructured.Unstructured{Object: o})
		}
	}
	return seen[[]unstructured.Unstructured]{value: out}
}

// groundJudges are the checks whose states are groundFiles.
func groundJudges() map[string]func(*testing.T, groundFile) []verify.Finding {
	return map[string]func(*testing.T, groundFile) []verify.Finding{
		apiVersion: func(_ *testing.T, g groundFile) []verify.Finding {
			return []verify.Finding{judgeVersion(seen[version.Info]{value: version.Info{GitVersion: g.Live, Platform: "linux/amd64"}}, g.facts())}
		},
		nodesReady: func(t *testing.T, g groundFile) []verify.Finding {
			return judgeNodes(&nodesState{nodes: g.nodes(t), facts: g.facts(), hosts: g.Hosts, daemonSets: g.daemonSets(t), pods: g.pods(t)})
		},
		networkPlugin: func(t *testing.T, g groundFile) []verify.Finding {
			return judgePlugin(&networkState{facts: g.facts(), nodes: g.nodes(t), daemonSets: g.daemonSets(t), deployments: g.deployments(t), pods: g.pods(t)})
		},
		networkEncapsulation: func(t *testing.T, g groundFile) []verify.Finding { return judgePools(g.pools(t), g.facts(), true) },
		networkMTU: func(t *testing.T, g groundFile) []verify.Finding {
			return []verify.Finding{judgeMTU(g.Hosts, g.Traffic, g.pools(t), g.facts())}
		},
		kubeSystemRollout: func(t *testing.T, g groundFile) []verify.Finding {
			return judgeKubeSystem(&systemState{nodes: g.nodes(t), daemonSets: g.daemonSets(t), deployments: g.deployments(t), pods: g.pods(t)})
		},
		corednsAnswers: judgeDNSFile,
		certificatesExpiry: func(t *testing.T, g groundFile) []verify.Finding {
			own := cluster.Certificates{}
			if c, ok := g.Own["server"]; ok {
				own.Server = parseCertificate(c.pem(t, moment(t, g.Now)))
			}
			if c, ok := g.Own["client"]; ok {
				own.Client = parseCertificate(c.pem(t, moment(t, g.Now)))
			}
			return judgeExpiry(own, g.requests(t), moment(t, g.Now))
		},
		msDrift: func(t *testing.T, g groundFile) []verify.Finding {
			return []verify.Finding{judgeDrift(one[appsv1.Deployment](t, g.state(), "deployments", right("apps", "deployments", "get"), "Deployment"), g.facts())}
		},
		kubeletServing: func(t *testing.T, g groundFile) []verify.Finding {
			st := g.state()
			st.Log = &g.Log
			m := st.metricsState(t)
			m.facts = g.facts()
			m.asked = m.facts.asked(metricsServerAddon)
			return judgeServing(&servingState{now: moment(t, g.Now), facts: g.facts(), nodes: g.nodes(t), requests: g.requests(t), metrics: m})
		},
		helmBinary: func(_ *testing.T, g groundFile) []verify.Finding {
			return judgeHelmBinaries(seen[[]HelmBinary]{value: g.Helm}, g.facts(), g.Applied)
		},
		helmReleases: func(t *testing.T, g groundFile) []verify.Finding {
			secrets := many[metav1.PartialObjectMetadata](t, g.state(), "secrets", right("", "secrets", "list"), "Secret")
			return judgeReleases(secrets, g.facts(), moment(t, g.Now))
		},
		metricsServerAddon + ".version": judgeVersionFile,
	}
}

func judgeDNSFile(t *testing.T, g groundFile) []verify.Finding {
	t.Helper()
	s := &dnsState{facts: g.facts(), service: "coredns", nodes: g.nodes(t), pods: g.pods(t)}
	s.deployment = one[appsv1.Deployment](t, g.state(), "deployments", right("apps", "deployments", "get"), "Deployment")
	s.slices = many[discoveryv1.EndpointSlice](t, g.state(), "slices", right("discovery.k8s.io", "endpointslices", "list"), "EndpointSlice")
	f := judgeDNS(s)
	if f.Verdict == verify.VerdictPass {
		f = judgeAnswer(t.Context(), f, g.ask())
	}
	return []verify.Finding{f}
}

func judgeVersionFile(t *testing.T, g groundFile) []verify.Finding {
	t.Helper()
	var found []workload
	for _, d := range g.deployments(t).value {
		found = append(found, workload{ref: cluster.Ref{Kind: "Deployment", Namespace: d.Namespace, Name: d.Name}, images: containerImages(d.Spec.Template.Spec)})
	}
	return []verify.Finding{judgeAddonVersion(metricsServerAddon, g.Pinned[metricsServerAddon], seen[[]workload]{value: found}, g.Applied)}
}

// TestGroundStates judges every state of the checks above, and asks for one that passes
// and one in trouble of each.
func TestGroundStates(t *testing.T) {
	for id, judge := range groundJudges() {
		files, err := filepath.Glob(filepath.Join("testdata", id, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		passes, troubles := false, false
		for _, path := range files {
			t.Run(id+"/"+strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
				var g groundFile
				readYAML(t, path, &g)
				if g.Now == "" {
					g.Now = "2026-05-04T09:10:00Z"
				}
				got := judge(t, g)
				expect(t, map[string][]verify.Finding{id: got}, g.Want)
				if len(got) != len(g.Want) {
					t.Errorf("%d findings, %d wanted: %+v", len(got), len(g.Want), got)
				}
				passes = passes || slices.ContainsFunc(got, func(f verify.Finding) bool { return f.Verdict == verify.VerdictPass })
				troubles = troubles || slices.ContainsFunc(got, func(f verify.Finding) bool {
					return f.Verdict == verify.VerdictFail || f.Verdict == verify.VerdictWarn
				})
			})
		}
		if !passes || !troubles {
			t.Errorf("%s: a passing state %v, one in trouble %v", id, passes, troubles)
		}
	}
}

func (g groundFile) ask() func(context.Context) (string, error) {
	if g.Answer == "" {
		return nil
	}
	return func(context.Context) (string, error) {
		if why, silent := strings.CutPrefix(g.Answer, "!"); silent {
			return "", errors.New(why)
		}
		return g.Answer, nil
	}
}
