package extravars

import (
	"math/rand/v2"
	"testing"
)

func TestNear(t *testing.T) {
	x := newNameIndex(testSchema)
	for name, want := range map[string]string{
		"helm_enabled": "", "helm_enabeld": "helm_enabled", "helm_enable": "helm_enabled", "helm_enabledd": "helm_enabled", "elm_enabled": "helm_enabled", "helm-enabled": "helm_enabled",
		"Helm_Enabled": "helm_enabled", "hlem_enabled": "helm_enabled", "helm_xnabled": "helm_enabled", "helm_enabldee": "", "something_else": "", "d": "", "ansible_user": "",
		"helme_nabled": "helm_enabled", "kubelet_maxpods": "kubelet_max_pods",
	} {
		if got := x.near(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := newNameIndex(nil).near("x"); got != "" {
		t.Error(got)
	}
}

// The index finds what comparing with every name would.
func TestNearIsComplete(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ab_"[r.IntN(3)]
		}
		return string(b)
	}
	s := schema{}
	for range 60 {
		s[word(5+r.IntN(4))] = Bool
	}
	x := newNameIndex(s)
	for range 5000 {
		name, want := word(5+r.IntN(5)), false
		for known := range s {
			diff := len(known) - len(name)
			want = want || diff >= -1 && diff <= 1 && oneEdit(name, known)
		}
		if got := x.near(name); (got != "") != (want && s[name] != Bool) {
			t.Fatalf("%s: %q, want one %t", name, got, want)
		}
	}
}
