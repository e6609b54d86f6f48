package cluster

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const deployed = `
kind: Deployment
metadata:
  name: d
  uid: u-1
  resourceVersion: "1"
  generation: 1
  labels: {app: d}
  annotations: {deployment.kubernetes.io/revision: "1", kubectl.kubernetes.io/last-applied-configuration: "{a: 1}"}
  managedFields: [{manager: kubectl}]
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: main, image: "a:1", args: [--one], env: [{name: A, value: "1"}]}
      tolerations: [{key: x}, {key: y}]
status: {replicas: 1}
`

func state(t *testing.T, text string) State {
	t.Helper()
	s := State{}
	if text == "" {
		return s
	}
	var object map[string]any
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	s.take(&unstructured.Unstructured{Object: object}, nil)
	return s
}

func TestCompare(t *testing.T) {
	again := func(pairs ...string) string {
		return strings.NewReplacer(append(pairs, `resourceVersion: "1"`, `resourceVersion: "2"`)...).Replace(deployed)
	}
	for _, c := range []struct {
		what   string
		before string
		after  string
		change Change
		fields []string
	}{
		{"never there", "", "", ChangeNone, nil},
		{"new", "", deployed, ChangeCreated, nil},
		{"gone", deployed, "", ChangeGone, nil},
		{"the same", deployed, deployed, ChangeUnchanged, nil},
		{"book-keeping", deployed, again("generation: 1", "generation: 2", `revision: "1"`, `revision: "2"`, "{a: 1}", "{a: 2}", "status: {replicas: 1}", "status: {}", "manager: kubectl", "manager: x"), ChangeUnchanged, nil},
		{"argument", deployed, again("[--one]", "[--one, --two]"), ChangeChanged, []string{"spec.template.spec.containers[main].args"}},
		{
			"several", deployed, again("replicas: 1\n  template", "replicas: 3\n  template", `value: "1"`, `value: "2"`, "app: d", `app.kubernetes.io/name: d`), ChangeChanged,
			[]string{"metadata.labels.app", "metadata.labels[app.kubernetes.io/name]", "spec.replicas", "spec.template.spec.containers[main].env[A].value"},
		},
		{"another container", deployed, again("name: main", "name: other"), ChangeChanged, []string{"spec.template.spec.containers[main]", "spec.template.spec.containers[other]"}},
		{"a list without names", deployed, again("{key: x}, {key: y}", "{key: y}, {key: x}"), ChangeChanged, []string{"spec.template.spec.tolerations"}},
		{"made again", deployed, again("u-1", "u-2", "a:1", "a:2"), ChangeRecreated, []string{"spec.template.spec.containers[main].image"}},
	} {
		change, fields := Compare(state(t, c.before), state(t, c.after))
		if diff := cmp.Diff(c.fields, fields); change != c.change || diff != "" {
			t.Errorf("%s: %q, want %q; fields (-want +got):\n%s", c.what, change, c.change, diff)
		}
	}
	if change, _ := Compare(State{Err: errors.New("x")}, state(t, deployed)); change != ChangeUnknown {
		t.Errorf("not looked at before: %q", change)
	}
}

func TestSecretsStayHere(t *testing.T) {
	const secret = "kind: Secret\nmetadata: {name: s, uid: u, resourceVersion: \"1\", annotations: {kubectl.kubernetes.io/last-applied-configuration: cGFzcw==}}\ndata: {password: cGFzcw==}\n"
	before, after := state(t, secret), state(t, strings.NewReplacer("cGFzcw==}\n", "b3RoZXI=}\n", `"1"`, `"2"`).Replace(secret))
	change, fields := Compare(before, after)
	if diff := cmp.Diff([]string{"data"}, fields); change != ChangeChanged || diff != "" {
		t.Errorf("%q %s", change, diff)
	}
	if all := fmt.Sprintf("%+v", before); strings.Contains(all, "cGFzcw") || strings.Contains(all, "password") {
		t.Errorf("the state has the secret: %s", all)
	}
}
