package extravars

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type schema map[string]Type

func (s schema) TypeOf(name string) Type { return s[name] }

func (s schema) Names() []string {
	names := make([]string, 0, len(s))
	for n := range s {
		names = append(names, n)
	}
	return names
}

var testSchema = schema{
	"helm_enabled": Bool, "metrics_server_enabled": Bool, "kubelet_max_pods": Int, "kube_network_node_prefix": Int, "ratio": Float,
	"kube_version": String, "local_path_provisioner_is_default_storageclass": String, "docker_iptables_enabled": String,
	"dns_servers": List, "labels": Dict, "nothing": Null, "b": List, "c": Dict, "v1": Int, "v2": Float, "api_token_ready": Bool,
}

func TestParseSends(t *testing.T) {
	for in, want := range map[string]string{
		// booleans
		"helm_enabled=true": `{"helm_enabled": true}`, "helm_enabled=False": `{"helm_enabled": false}`, "helm_enabled=YES": `{"helm_enabled": true}`,
		"helm_enabled=y": `{"helm_enabled": true}`, "helm_enabled=t": `{"helm_enabled": true}`, "helm_enabled=On": `{"helm_enabled": true}`, "helm_enabled=1": `{"helm_enabled": true}`,
		"helm_enabled=n": `{"helm_enabled": false}`, "helm_enabled=F": `{"helm_enabled": false}`, "helm_enabled=off": `{"helm_enabled": false}`, "helm_enabled=0": `{"helm_enabled": false}`,
		`helm_enabled="true"`: `{"helm_enabled": true}`, "helm_enabled={{ x }}": `{"helm_enabled": "{{ x }}"}`,
		// text by design
		"docker_iptables_enabled=false": `{"docker_iptables_enabled": "false"}`, "kube_version=1.30": `{"kube_version": "1.30"}`, "kube_version=": `{"kube_version": ""}`,
		// integers and numbers
		"kubelet_max_pods=110": `{"kubelet_max_pods": 110}`, "kubelet_max_pods=-1": `{"kubelet_max_pods": -1}`, "kubelet_max_pods=0700": `{"kubelet_max_pods": "0700"}`,
		"kubelet_max_pods=1.5": `{"kubelet_max_pods": "1.5"}`, "kubelet_max_pods={{ n }}": `{"kubelet_max_pods": "{{ n }}"}`, "kubelet_max_pods='110'": `{"kubelet_max_pods": 110}`,
		"kubelet_max_pods=123456789012345678901234567890": `{"kubelet_max_pods": 123456789012345678901234567890}`,
		"ratio=0.50": `{"ratio": 0.5}`, "ratio=2": `{"ratio": 2}`, "ratio=1e21": `{"ratio": 1.0e+21}`, "ratio=x": `{"ratio": "x"}`,
		// lists and mappings
		`dns_servers=["8.8.8.8","1.1.1.1"]`: `{"dns_servers": ["8.8.8.8", "1.1.1.1"]}`, "dns_servers=[yes,1.5,x]": `{"dns_servers": [true, 1.5, "x"]}`, "dns_servers=x": `{"dns_servers": "x"}`,
		`labels='{"a": 1, b: [010]}'`: `{"labels": {"a": 1, "b": [8]}}`, "labels='{a: 2024-01-02, 1: .nan}'": "# YAML, as JSON has no form of a value here\n" + `{"labels": {"a": 2024-01-02, 1: .nan}}`,
		"labels='{a: !unsafe x, 1: !vault y}'": "# YAML, as JSON has no form of a value here\n" + `{"labels": {"a": !unsafe "x", 1: !vault "y"}}`,
		"dns_servers=[{{x}}]":                  `{"dns_servers": "[{{x}}]"}`,
		// unknown
		"x=true": `{"x": true}`, "x=False": `{"x": false}`, `x="true"`: `{"x": "true"}`, "x='False'": `{"x": "False"}`, "x=TRUE": `{"x": "TRUE"}`, "x=yes": `{"x": "yes"}`,
		"x=1": `{"x": "1"}`, "x=null": `{"x": "null"}`, "x=~": `{"x": "~"}`, "x=": `{"x": ""}`, "nothing=true": `{"nothing": true}`,
		// several, and the grammar
		"helm_enabled=true kube_version=1.30 x=1": `{"helm_enabled": true, "kube_version": "1.30", "x": "1"}`, "x=1 y=2 x=3": `{"x": "3", "y": "2"}`,
		`x="a b" y='-o P="q r"'`: `{"x": "a b", "y": "-o P=\"q r\""}`, `x=l1\nl2`: `{"x": "l1\nl2"}`, "x=\xff": `{"x": "\udcff"}`, `x=\ud800`: `{"x": "\ud800"}`,
		"__ansible_vault=x": "# YAML, as JSON has no form of a value here\n" + `{"__ansible_vault": "x"}`,
		// as written
		`{"helm_enabled":"false", "kube_version":1.10,"n":1e400}`: `{"helm_enabled":"false", "kube_version":1.10,"n":1e400}`, "{a: yes, b: 010}": "{a: yes, b: 010}", "": "",
	} {
		vars, err := Parse([]string{in}, testSchema, nil)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		got, _ := vars.Elements[0].Content()
		if diff := cmp.Diff(want, strings.TrimSuffix(string(got), "\n")); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func TestForceString(t *testing.T) {
	vars, err := ParseArgs([]Arg{{Text: "helm_enabled=true"}, {Text: "helm_enabled=true x=false", ForceString: true}, {Text: "{y: 1}"}}, Options{Schema: testSchema})
	if err != nil {
		t.Fatal(err)
	}
	all, complete := vars.All()
	want := Mapping{{"helm_enabled", "true"}, {"x", "false"}, {"y", int64(1)}}
	if diff := cmp.Diff(want, all); diff != "" || !complete {
		t.Error(complete, diff)
	}
	if v, ok := vars.Lookup("helm_enabled"); v != "true" || !ok {
		t.Errorf("Lookup: %v %v", v, ok)
	}
}

func TestLenientPassesLeftovers(t *testing.T) {
	vars, err := ParseArgs([]Arg{{Text: "x=A B C"}, {Text: "foo"}}, Options{Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"-e", "@/d/000.json"}, vars.Args("/d")); diff != "" {
		t.Error(diff)
	}
	if len(vars.Findings) != 2 || vars.Findings[0].Severity != SeverityWarning || vars.Findings[0].Code != "extra-var-leftover-token" {
		t.Errorf("%+v", vars.Findings)
	}
	if _, ok := vars.Elements[0].Sent.Get("_raw_params"); ok {
		t.Error("_raw_params is sent")
	}
}

// A refusal leaves the rest readable: what raw Ansible makes of every element.
func TestRefusalKeepsElements(t *testing.T) {
	vars, err := Parse([]string{"helm_enabled=maybe x=1", "y=2", "{a: 1"}, testSchema, nil)
	var usage *UsageError
	if !errors.As(err, &usage) || usage.Arg != 0 || usage.Key != "helm_enabled" {
		t.Fatalf("%v", err)
	}
	if diff := cmp.Diff(Mapping{{"helm_enabled", "maybe"}, {"x", "1"}}, vars.Elements[0].Raw[Core219]); diff != "" {
		t.Error(diff)
	}
	if vars.Elements[0].Sent != nil || vars.Elements[1].Sent == nil || vars.Elements[2].Raw[Core218] != nil {
		t.Errorf("%+v", vars.Elements)
	}
	if len(vars.Findings) != 2 || vars.Findings[1].Arg != 2 {
		t.Errorf("%+v", vars.Findings)
	}
}

// Every vector whose outcome Ansible half ignores or refuses is refused.
func TestVectorsAreRefused(t *testing.T) {
	for _, v := range kvVectors(t) {
		_, leftover := v.Out["_raw_params"]
		vars, err := Parse([]string{v.In}, nil, nil)
		if refused := leftover || v.Err != ""; refused != (err != nil) {
			t.Errorf("%q: %v, want refused %t", v.In, err, refused)
		}
		if raw := vars.Elements[0].Raw[Core218]; v.Err == "" && len(raw) != len(v.Out) {
			t.Errorf("%q: raw %v", v.In, raw)
		}
	}
}

func TestLargeAndMany(t *testing.T) {
	dir := t.TempDir()
	large := strings.Repeat(`a "b' c `, 25<<10)
	vars, err := Parse([]string{`x="` + strings.ReplaceAll(large, `"`, `\"`) + `"`, `{"y": "` + strings.ReplaceAll(large, `"`, `\"`) + `"}`}, testSchema, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "y"} {
		if v, _ := vars.Lookup(name); v != large {
			t.Errorf("%s arrives differently", name)
		}
	}
	argv, err := vars.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "000.json")); err != nil || info.Size() < 200<<10 || info.Mode().Perm() != 0o600 || len(argv) != 4 {
		t.Error(info, err, argv)
	}
	if _, err := vars.Write(dir); err == nil {
		t.Error("Write overwrote a file")
	}
}
