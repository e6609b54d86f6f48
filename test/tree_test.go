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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/test/lab"
)

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
	k := &tree{dir: checkout.Dir, binary: filepath.Join(binary(t), "surespray"), cache: testCache(t), checkout: checkout}
	t.Logf("Kubespray %s", checkout.Version())
	return k
}

// testCache is where environments are kept between runs.
func testCache(t *testing.T) string {
	t.Helper()
	dir, err := lab.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
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
