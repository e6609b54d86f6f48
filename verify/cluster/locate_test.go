package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	b64 "encoding/base64"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := file("a.conf"), file("b.conf")
	none := filepath.Join(dir, "none.conf")
	tests := map[string]struct {
		options LocateOptions
		want    string
		err     string
	}{
		"the flag wins":                     {options: LocateOptions{Flag: a, Artifacts: []string{b}, Env: b}, want: a},
		"a flag's file that is missing":     {options: LocateOptions{Flag: none, Artifacts: []string{b}}, err: "none.conf (from --kubeconfig): no such file"},
		"a flag that names a directory":     {options: LocateOptions{Flag: dir}, err: "it is a directory"},
		"the inventory's before KUBECONFIG": {options: LocateOptions{Artifacts: []string{none, a}, Env: b}, want: a},
		"KUBECONFIG":                        {options: LocateOptions{Artifacts: []string{none}, Env: none + ":" + b + ":" + a}, want: b + ":" + a},
		"KUBECONFIG of nothing":             {options: LocateOptions{Env: none}, err: "from KUBECONFIG"},
		"nothing":                           {options: LocateOptions{Artifacts: []string{none}}, err: "there is no " + none},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Locate(tt.options)
			if tt.err != "" {
				var typed *NoKubeconfigError
				if !errors.As(err, &typed) || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || got.String() != tt.want || got.How == "" {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
}

func TestMatchInventory(t *testing.T) {
	nodes := []corev1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{corev1.LabelHostname: "host-1"}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "n2"}, Status: corev1.NodeStatus{Addresses: []corev1.NodeAddress{{Type: "InternalIP", Address: "fd00::2"}, {Type: "InternalIP", Address: "127.0.0.1"}}}},
	}
	for name, tt := range map[string]struct {
		host Host
		node bool
	}{
		"name":               {Host{Name: "n1"}, true},
		"name in capitals":   {Host{Name: "N1"}, true},
		"override":           {Host{Name: "x", KubeOverrideHostname: "n1"}, true},
		"hostname label":     {Host{Name: "host-1"}, true},
		"address, long form": {Host{Name: "x", AccessIP: "fd00:0:0::2"}, true},
		"ansible_host":       {Host{Name: "x", AnsibleHost: "fd00::2"}, true},
		"loopback":           {Host{Name: "x", AnsibleHost: "127.0.0.1"}, false},
		"localhost":          {Host{Name: "localhost", IP: "::1"}, false},
		"another":            {Host{Name: "x", IP: "10.0.0.9"}, false},
	} {
		if m := MatchInventory(nodes, []Host{tt.host}); m.None() == tt.node {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func base64(b []byte) string { return b64.StdEncoding.EncodeToString(b) }

// foreignCA is a certificate that signed nothing.
func foreignCA(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
