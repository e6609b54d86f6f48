package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The lab is what it says: metrics of every node through the real aggregator, a log that
// the API server reads, and nothing left behind.
func TestLab(t *testing.T) {
	if testing.Short() {
		t.Skip("a real control plane is not for -short")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	l, err := Start(ctx, Options{Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Stop(); err != nil {
			t.Error(err)
		}
		assertGone(t, l.Dir)
	})
	if err := l.InstallMetricsServer(ctx); err != nil {
		t.Fatal(err)
	}
	eventually(t, 90*time.Second, func() error {
		out, err := l.Kubectl(ctx, "", "top", "nodes", "--no-headers")
		if err != nil {
			return err
		}
		for i := range 3 {
			if !strings.Contains(out, fmt.Sprintf("node%d", i+1)) {
				return fmt.Errorf("no node%d in %s", i+1, out)
			}
		}
		return nil
	})
	log, err := l.Kubectl(ctx, "", "-n", "kube-system", "logs", "deployment/metrics-server")
	if err != nil || !strings.Contains(log, "Serving securely") {
		t.Errorf("log %q, %v", log, err)
	}
	checkKubeletCert(ctx, t, l)
	l.KillPods()
	eventually(t, 30*time.Second, func() error {
		out, err := l.Kubectl(ctx, "", "-n", "kube-system", "get", "pods", "-o", "jsonpath={.items[0].status.containerStatuses[0]}")
		if err == nil && !strings.Contains(out, `"exitCode":137`) {
			err = fmt.Errorf("no trace of the kill in %s", out)
		}
		return err
	})
}

// checkKubeletCert takes the insecure flag away: the kubelets' own certificates are
// refused, and only the new pod's log says why. Those of the cluster's CA are taken.
func checkKubeletCert(ctx context.Context, t *testing.T, l *Lab) {
	t.Helper()
	pods := func() []string {
		out, err := l.Kubectl(ctx, "", "-n", "kube-system", "get", "pods", "-o", "name", "--sort-by=.metadata.creationTimestamp")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(out)
	}
	log := func(pod string) string {
		out, _ := l.Kubectl(ctx, "", "-n", "kube-system", "logs", pod) // none yet: asked again
		return out
	}
	const refused = "doesn't contain any IP SANs"
	if _, err := l.Kubectl(ctx, "", "-n", "kube-system", "patch", "deployment", "metrics-server", "--type=json",
		"-p", `[{"op": "test", "path": "/spec/template/spec/containers/0/args/4", "value": "--kubelet-insecure-tls=true"},
		       {"op": "remove", "path": "/spec/template/spec/containers/0/args/4"}]`); err != nil {
		t.Fatal(err)
	}
	eventually(t, 60*time.Second, func() error {
		all := pods()
		if len(all) != 2 || !strings.Contains(log(all[1]), refused) {
			return fmt.Errorf("no %q in the log of the newer pod of %v", refused, all)
		}
		return nil
	})
	if old := log(pods()[0]); strings.Contains(old, refused) || !strings.Contains(old, "Serving securely") {
		t.Errorf("the older pod's log is another's:\n%s", old)
	}
	if err := l.SetKubeletCert(ctx, "good"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Kubectl(ctx, "", "-n", "kube-system", "rollout", "status", "deployment/metrics-server", "--timeout=90s"); err != nil {
		t.Fatal(err)
	}
}

// A lab whose process was killed is swept by the next start.
func TestSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dead")
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	ps := &procs{dir: dir, running: map[string]*proc{}}
	p, err := ps.start("sleeper", "sleep", "300")
	if err != nil {
		t.Fatal(err)
	}
	lock, _, err := own(dir)
	if err != nil {
		t.Fatal(err)
	}
	if SweepDir(dir) {
		t.Error("a living lab was swept")
	}
	_ = lock.Close() // what the kernel does when a process dies
	if !SweepDir(dir) {
		t.Error("a dead lab was not swept")
	}
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
		t.Error("its program still runs")
	}
	assertGone(t, dir)
}

func assertGone(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there (%v)", dir, err)
	}
	if out, _ := exec.Command("pgrep", "-fl", dir).CombinedOutput(); len(out) > 0 {
		t.Errorf("processes are left:\n%s", out)
	}
}

func eventually(t *testing.T, within time.Duration, f func() error) {
	t.Helper()
	var err error
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(300 * time.Millisecond) {
		if err = f(); err == nil {
			return
		}
	}
	t.Fatal(err)
}
