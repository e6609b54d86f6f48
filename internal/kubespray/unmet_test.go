package kubespray

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArgumentFor(t *testing.T) {
	for condition, want := range map[string]string{
		"helm_enabled":       "-e helm_enabled=true",
		"not skip_it":        "-e skip_it=false",
		"a or b":             "-e a=true or -e b=true",
		"a and (b or not c)": "-e a=true -e b=true or -e c=false",
		"cloud_provider == 'external' and external_cloud_provider == \"oci\"": "-e cloud_provider=external -e external_cloud_provider=oci",
		"(container_manager) == 'crio'":                                       "-e container_manager=crio",
		"kube_network_plugin == 'cilium'":                                     "",
		"(kube_network_plugin) == 'cilium'":                                   "",
		"kube_network_plugin == 'cilium' or cilium_too":                       "-e cilium_too=true",
		"kube_network_plugin != 'none'":                                       "",
		"kube_major_version is version('1.29', '<')":                          "",
		"a | bool": "",
		"dns_mode in ['coredns', 'coredns_dual'] and a": "",
		"a and":   "",
		"'text'":  "",
		"(a":      "",
		"a == b":  "",
		"not (a)": "",
	} {
		if got := argumentFor(condition); got != want {
			t.Errorf("%s: %q, want %q", condition, got, want)
		}
	}
}

func TestUnmet(t *testing.T) {
	a := resolved(t, mini(t), "scheduler-plugins")
	const version = "kube_major_version is version('1.29', '<')"
	for _, test := range []struct {
		name  string
		holds map[string]bool
		want  Unmet
	}{
		{"off", map[string]bool{"scheduler_plugins_enabled": false, version: true}, Unmet{
			Conditions: []string{"scheduler_plugins_enabled"}, Off: true, Reads: []string{"scheduler_plugins_enabled"}, Arguments: "-e scheduler_plugins_enabled=true",
		}},
		{"on, and never installed", map[string]bool{"scheduler_plugins_enabled": true, version: false}, Unmet{
			Conditions: []string{version}, Reads: []string{"kube_major_version"},
		}},
		{"neither", map[string]bool{"scheduler_plugins_enabled": false, version: false}, Unmet{
			Conditions: []string{"scheduler_plugins_enabled", version}, Off: true, Reads: []string{"scheduler_plugins_enabled", "kube_major_version"},
		}},
		{"not known", nil, Unmet{}},
	} {
		got := a.Unmet(func(c string) (bool, bool) { v, known := test.holds[c]; return v, known })
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}
