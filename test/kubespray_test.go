package test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/surespray/surespray/internal/kubespray"
)

// TestKubespray tells the stories of the real Kubespray, as far as a machine without
// nodes allows: what only lists, what is under "tags: always", and one addon whose
// directories are temporary and whose kubectl is a stub. Nothing else may run here.
func TestKubespray(t *testing.T) {
	k := openTree(t)
	for _, story := range []struct {
		name string
		tell func(*testing.T, *tree)
	}{
		{"without Ansible", withoutAnsible},
		{"Ansible out of range", ansibleOutOfRange},
		{"setup", setupIsKept},
		{"addon list", addonList},
		{"addon apply --show-plan", addonApplyPlan},
		{"list only", listOnly},
		{"unknown tag", unknownTag},
		{"always", alwaysPart},
		{"core 2.19", core219},
	} {
		t.Run(story.name, func(t *testing.T) { story.tell(t, k) })
	}
}

// tree is a real Kubespray, and the program under test.
type tree struct {
	dir      string
	binary   string
	cache    string // XDG_CACHE_HOME, kept between runs: managed environments take minutes
	checkout *kubespray.Checkout
}

func openTree(t *testing.T) *tree {
	t.Helper()
	dir := os.Getenv("KUBESPRAY_DIR")
	if dir == "" {
		t.Skip("needs a real tree: set KUBESPRAY_DIR to a Kubespray checkout")
	}
	checkout, err := kubespray.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	k := &tree{dir: checkout.Dir, binary: filepath.Join(t.TempDir(), "surespray"), cache: testCache(t), checkout: checkout}
	out, err := exec.Command("go", "build", "-o", k.binary, "github.com/surespray/surespray/cmd/surespray").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("Kubespray %s", checkout.Version())
	return k
}

// testCache is the Makefile's, with the same default.
func testCache(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("SURESPRAY_TEST_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "surespray-dev")
}

// result is how a process ended.
type result struct {
	code     int
	out, err string
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\n--- stdout\n%s\n--- stderr\n%s", r.code, r.out, r.err)
}

// want insists on the exit code and on texts of either stream.
func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Fatalf("want exit code %d\n%v", code, r)
	}
	for _, text := range texts {
		if !strings.Contains(r.out+r.err, text) {
			t.Errorf("no %q\n%v", text, r)
		}
	}
}

// lacks insists that neither stream has the texts.
func (r result) lacks(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(r.out+r.err, text) {
			t.Errorf("unwanted %q\n%v", text, r)
		}
	}
}

// unmarshal reads the document on stdout.
func (r result) unmarshal(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.out), v); err != nil {
		t.Fatalf("%v\n%v", err, r)
	}
}

// run starts surespray in the checkout, as its users do.
func (k *tree) run(t *testing.T, args ...string) result {
	t.Helper()
	return k.start(t, "HOME="+t.TempDir(), k.binary, args...)
}

// raw starts another program with the same environment in the same place.
func (k *tree) raw(t *testing.T, program string, args ...string) result {
	t.Helper()
	return k.start(t, "HOME="+t.TempDir(), program, args...)
}

func (k *tree) start(t *testing.T, variable, program string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = k.dir, &out, &errs
	cmd.Env = append(plainEnviron(), "XDG_CACHE_HOME="+k.cache, variable)
	begin := time.Now()
	err := cmd.Run()
	t.Logf("%.1fs %s %s", time.Since(begin).Seconds(), filepath.Base(program), strings.Join(args, " "))
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{code: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String()}
}

// plainEnviron is the environment without what would choose another Ansible, checkout
// or cluster. Facts are not kept: Kubespray's ansible.cfg puts them into /tmp.
func plainEnviron() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "ANSIBLE_") ||
			slices.Contains([]string{"PATH", "KUBECONFIG", "KUBESPRAY_DIR", "VIRTUAL_ENV"}, name)
	})
	return append(env, "PATH="+pathWithoutAnsible(), "ANSIBLE_CACHE_PLUGIN=memory", "NO_COLOR=1", "ANSIBLE_NOCOLOR=1", "PYTHONDONTWRITEBYTECODE=1")
}

func pathWithoutAnsible() string {
	dirs := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "ansible-playbook"))
		return err == nil
	})
	return strings.Join(dirs, string(os.PathListSeparator))
}

// setup makes the managed environment of a checkout, and returns its ansible-playbook.
// HOME stays: pip's own configuration may be there.
func (k *tree) setup(t *testing.T, checkout string) (string, result) {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	r := k.start(t, "HOME="+home, k.binary, "setup", "--kubespray", checkout)
	r.want(t, 0)
	return strings.TrimSpace(r.out), r
}

// inventory writes hosts.ini with these hosts in every group, and group_vars/all.yml.
func inventory(t *testing.T, groupVars string, hosts ...string) string {
	t.Helper()
	dir := t.TempDir()
	names := ""
	for _, host := range hosts {
		name, _, _ := strings.Cut(host, " ")
		names += name + "\n"
	}
	text := "[all]\n" + strings.Join(hosts, "\n") + "\n"
	for _, group := range []string{"kube_control_plane", "etcd", "kube_node"} {
		text += "\n[" + group + "]\n" + names
	}
	write(t, filepath.Join(dir, "hosts.ini"), text, 0o600)
	write(t, filepath.Join(dir, "group_vars", "all.yml"), "---\n"+groupVars+"\n", 0o600)
	return filepath.Join(dir, "hosts.ini")
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// remote are three hosts that nothing may connect to; local is this machine.
var (
	remote = []string{"node1 ansible_host=192.0.2.1", "node2 ansible_host=192.0.2.2", "node3 ansible_host=192.0.2.3"}
	local  = `node1 ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"`
)

func withoutAnsible(t *testing.T, k *tree) {
	empty := *k
	empty.cache = t.TempDir()
	empty.run(t, "run", "cluster.yml", "-i", inventory(t, "", remote...)).
		want(t, 69, "no ansible-playbook on PATH", "surespray setup")
	empty.run(t, "run", "cluster.yml", "-i", inventory(t, "", remote...), "--ansible-playbook", "managed").
		want(t, 69, "surespray setup")
}

func ansibleOutOfRange(t *testing.T, k *tree) {
	stub := filepath.Join(t.TempDir(), "ansible-playbook")
	write(t, stub, "#!/bin/sh\necho 'ansible-playbook [core 2.13.13]'\n", 0o700)
	versions, _, _, err := k.checkout.AnsibleRange()
	if err != nil {
		t.Fatal(err)
	}
	k.run(t, "run", "cluster.yml", "-i", inventory(t, "", remote...), "--ansible-playbook", stub).
		want(t, 69, "2.13.13", versions.Min, versions.Max)
}

func setupIsKept(t *testing.T, k *tree) {
	first, _ := k.setup(t, k.dir)
	again, r := k.setup(t, k.dir)
	if first != again || !filepath.IsAbs(again) {
		t.Errorf("first %q, then %q", first, again)
	}
	r.lacks(t, "pip install")
}

func addonList(t *testing.T, k *tree) {
	k.setup(t, k.dir)
	k.run(t, "addon", "list").want(t, 0, "ADDON", "metrics_server_enabled", "local-path-provisioner")
	for _, test := range []struct {
		name      string
		groupVars string
		args      []string
		want      bool
	}{
		{"the checkout's default", "", nil, false},
		{"an extra var", "", []string{"-e", "metrics_server_enabled=true"}, true},
		{"group_vars", "metrics_server_enabled: true", nil, true},
		{"an extra var over group_vars", "metrics_server_enabled: true", []string{"-e", "metrics_server_enabled=false"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"addon", "list", "-o", "json", "-i", inventory(t, test.groupVars, remote...)}, test.args...)
			r := k.run(t, args...)
			r.want(t, 0)
			r.lacks(t, "not known")
			addons := addonsOf(t, r)
			for _, name := range []string{"argocd", "cert-manager", "helm", "local-path-provisioner", "metallb", "metrics-server", "registry"} {
				if _, ok := addons[name]; !ok {
					t.Errorf("no addon %s in %v", name, addons)
				}
			}
			if got := addons["metrics-server"].AskedFor; got == nil || *got != test.want {
				t.Errorf("metrics-server asked for: %v, want %v", got, test.want)
			}
			for name, addon := range addons {
				if addon.AskedFor == nil {
					t.Errorf("%s: Ansible gave no answer", name)
				}
			}
			if calico, cilium := addons["calico"].AskedFor, addons["cilium"].AskedFor; calico == nil || !*calico || cilium == nil || *cilium {
				t.Errorf("of the network plugins calico alone is the default: calico %v, cilium %v", calico, cilium)
			}
		})
	}
}

func addonsOf(t *testing.T, r result) map[string]kubespray.Addon {
	t.Helper()
	var list []kubespray.Addon
	r.unmarshal(t, &list)
	addons := map[string]kubespray.Addon{}
	for _, addon := range list {
		addons[addon.Name] = addon
	}
	return addons
}

func addonApplyPlan(t *testing.T, k *tree) {
	k.setup(t, k.dir)
	hosts := inventory(t, "", remote...)
	for name, tag := range map[string]string{
		"metrics-server":         "metrics_server",
		"metrics_server":         "metrics_server",
		"metrics_server_enabled": "metrics_server",
		"local-path":             "local-path-provisioner",
		"local_path_provisioner": "local-path-provisioner",
		"helm":                   "helm",
	} {
		r := k.run(t, "addon", "apply", name, "-i", hosts, "--show-plan", "-o", "json")
		r.want(t, 0)
		var doc struct{ Plan struct{ Tags, Argv []string } }
		r.unmarshal(t, &doc)
		if !slices.Equal(doc.Plan.Tags, []string{tag}) || !slices.Contains(doc.Plan.Argv, "--tags="+tag) {
			t.Errorf("%s: %v, want the tag %s", name, doc.Plan, tag)
		}
	}
	k.run(t, "addon", "apply", "metric-sever", "-i", hosts, "--show-plan").want(t, 64, "metric-sever", "metrics-server")
}

func listOnly(t *testing.T, k *tree) {
	k.setup(t, k.dir)
	hosts := inventory(t, "", remote...)
	for _, test := range []struct{ flag, text string }{
		{"--list-tags", "metrics_server"},
		{"--list-tasks", "Metrics Server | "},
		{"--list-hosts", "node3"},
		{"--syntax-check", "playbook: "},
		{"--show-plan", "cluster.yml"},
	} {
		k.run(t, "run", "cluster.yml", "-i", hosts, test.flag).want(t, 0, test.text, "OK 0")
	}
}

func unknownTag(t *testing.T, k *tree) {
	r := k.run(t, "run", "cluster.yml", "-i", inventory(t, "", remote...), "--tags", "metrics-server")
	r.want(t, 64, `"metrics-server"`, "metrics_server")
	r.lacks(t, "PLAY")
}

// alwaysPart runs what is under "tags: always" against this machine. No task of
// metrics_server does anything while it is switched off.
func alwaysPart(t *testing.T, k *tree) {
	playbook, _ := k.setup(t, k.dir)
	before := files(t, k.dir)
	args := []string{
		"cluster.yml", "-i", inventory(t, "", local), "--tags", "metrics_server",
		"-e", "metrics_server_enabled=false", "-e", "helm_enabled=false",
	}
	k.raw(t, playbook, args...).want(t, 2, "Stop if known booleans are set as strings")

	r := k.run(t, append([]string{"run", "--verify", "off"}, args...)...)
	r.want(t, 66, "TASK [validate_inventory : Stop if known booleans are set as strings", "no task of what was asked for ran")
	r.lacks(t, "fatal:", "Metrics Server | Apply manifests] *")
	if diff := cmp.Diff(before, files(t, k.dir)); diff != "" {
		t.Errorf("the checkout was written to (-before +after):\n%s", diff)
	}
}

// files are those of a directory with what tells a change.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// core219 is the story that this program began with: ansible-core 2.19 refuses text as a
// condition, which every -e KEY=VALUE of ansible-playbook is.
func core219(t *testing.T, k *tree) {
	versions, _, _, err := k.checkout.AnsibleRange()
	if err != nil {
		t.Fatal(err)
	}
	if kubespray.CompareVersions(versions.Min, "2.18") < 0 {
		t.Skipf("core 2.19 is tried on trees whose minimum is 2.18 or newer: it is two steps away from older ones; this one asks for %s", versions)
	}
	playbook, _ := k.setup(t, withAnsible12(t, k))
	away := t.TempDir()
	write(t, filepath.Join(away, "bin", "kubectl"), "#!/bin/sh\necho \"$@\" >> "+filepath.Join(away, "kubectl.log")+"\n", 0o700)
	args := []string{
		"cluster.yml", "-i", inventory(t, "", local), "--tags", "metrics_server",
		"-e", "maximal_ansible_version=2.20", "-e", "metrics_server_enabled=true",
		"-e", "kube_config_dir=" + filepath.Join(away, "kubernetes"), "-e", "bin_dir=" + filepath.Join(away, "bin"),
	}
	raw := k.raw(t, playbook, args...)
	raw.want(t, 2, "Conditional result (True) was derived from value of type 'str'")
	if own := filepath.Join(k.dir, "playbooks", "ansible_version.yml"); strings.Contains(raw.out+raw.err, own) {
		t.Skipf("core 2.19 refuses this tree's own check of Ansible, whatever is asked for: see the condition of ipaddr in %s", own)
	}
	raw.want(t, 2, filepath.Join(k.dir, "roles", "kubernetes-apps", "meta", "main.yml"))

	r := k.run(t, append([]string{"run", "--verify", "off", "--ansible-playbook", playbook}, args...)...)
	r.lacks(t, "Conditional result")
	if !strings.Contains(r.out, "TASK [kubernetes-apps/metrics_server : Metrics Server | ") {
		t.Errorf("the role did not run\n%v", r)
	}
	if os.Geteuid() != 0 {
		t.Log("the role's files belong to root: only that it ran was looked at")
		return
	}
	r.want(t, 0)
	if log, err := os.ReadFile(filepath.Join(away, "kubectl.log")); err != nil || !bytes.Contains(log, []byte("metrics-server-deployment.yaml")) {
		t.Errorf("kubectl was started with %q, %v", log, err)
	}
}

var ansibleRequirement = regexp.MustCompile(`(?m)^ansible==.*$`)

// withAnsible12 makes a checkout that serves setup only: this one's requirements, with
// the Ansible that comes with core 2.19 and has the collections.
func withAnsible12(t *testing.T, k *tree) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(k.dir, "requirements.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !ansibleRequirement.Match(raw) {
		t.Fatalf("no ansible==… in the tree's requirements:\n%s", raw)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "requirements.txt"), ansibleRequirement.ReplaceAllString(string(raw), "ansible==12.*"), 0o600)
	for _, part := range []string{"roles/kubespray_defaults", "playbooks"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
