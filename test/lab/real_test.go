package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// claimAndPod are a claim of local-path's default class, and a pod on a node that writes to it.
const claimAndPod = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: writer}
spec:
  terminationGracePeriodSeconds: 0
  nodeSelector: {kubernetes.io/hostname: node2}
  containers:
  - name: writer
    image: busybox:latest
    imagePullPolicy: IfNotPresent
    command: [sh, -c, "echo written > /data/file; until nslookup kubernetes.default.svc.cluster.local > /dev/null; do sleep 1; done; echo said; sleep 3600"]
    volumeMounts: [{name: data, mountPath: /data}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
`

// Real nodes do what simulated ones only say: containers run, are measured, write to
// volumes and have logs; the hosts can be logged in to. Faults can be made, and at the
// end nothing is left on the machine.
func TestRealNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("a real control plane is not for -short")
	}
	RequireRealNodes(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	sysctls := machineSettings(t)
	l, err := Start(ctx, Options{RealNodes: 2, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left := leftovers(t, l.Dir)
		if err := l.Stop(); err != nil {
			t.Error(err)
		}
		assertGone(t, l.Dir)
		left(t)
		if now := machineSettings(t); now != sysctls {
			t.Errorf("the machine's settings were\n%s\nand are\n%s", sysctls, now)
		}
	})
	start := time.Now()
	if err := errors.Join(l.InstallMetricsServer(ctx), l.InstallLocalPath(ctx)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Kubectl(ctx, claimAndPod, "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	t.Run("volume", func(t *testing.T) { checkVolume(ctx, t, l) })
	t.Run("ssh", func(t *testing.T) { checkSSH(ctx, t, l) })
	t.Run("metrics", func(t *testing.T) {
		eventually(t, 60*time.Second, func() error {
			out, err := l.Kubectl(ctx, "", "get", "--raw", "/apis/metrics.k8s.io/v1beta1/nodes")
			if err == nil && (!strings.Contains(out, `"name":"node1"`) || !strings.Contains(out, `"name":"node2"`)) {
				err = fmt.Errorf("not both nodes in %s", out)
			}
			return err
		})
		t.Logf("metrics of both nodes %s after their installation", time.Since(start).Round(time.Second))
	})
	t.Run("faults", func(t *testing.T) { checkFaults(ctx, t, l) })
}

func checkVolume(ctx context.Context, t *testing.T, l *Lab) {
	if _, err := l.Kubectl(ctx, "", "wait", "--for=condition=Ready", "pod/writer", "--timeout=60s"); err != nil {
		events, _ := l.Kubectl(ctx, "", "get", "events", "-A", "--sort-by=.lastTimestamp")
		t.Fatalf("%v\n%s", err, events)
	}
	eventually(t, 30*time.Second, func() error { // it waits for a name's address first
		out, err := l.Kubectl(ctx, "", "logs", "writer")
		if err == nil && strings.TrimSpace(out) != "said" {
			err = fmt.Errorf("the log is %q", out)
		}
		return err
	})
	if out, err := l.Kubectl(ctx, "", "get", "pvc", "data", "-o", "jsonpath={.status.phase}"); err != nil || out != "Bound" {
		t.Errorf("the claim is %q, %v", out, err)
	}
	out, err := l.Node("node2").Run(ctx, "", "sh", "-c", "cat "+ClaimRoot+"/*/file")
	if err != nil || out != "written\n" {
		t.Errorf("on the node's disk: %q, %v", out, err)
	}
	if out, err := l.Node("node1").Run(ctx, "", "ls", ClaimRoot); err != nil || out != "" {
		t.Errorf("on the other node's disk: %q, %v", out, err)
	}
}

func checkSSH(ctx context.Context, t *testing.T, l *Lab) {
	for _, n := range l.Nodes() {
		out, err := exec.CommandContext(ctx, "ssh", append(l.SSHArgs(), "root@"+n.Address, "hostname; ls /etc/cni/net.d")...).CombinedOutput()
		if err != nil || string(out) != n.Name+"\n"+filepath.Base(cniFile)+"\n" {
			t.Errorf("%s: %q, %v", n.Name, out, err)
		}
	}
	out, err := exec.CommandContext(ctx, "ssh", append(l.SSHArgs(), "root@"+l.Nodes()[0].Address, "kubectl get nodes -o name")...).CombinedOutput()
	if err != nil || string(out) != "node/node1\nnode/node2\n" {
		t.Errorf("kubectl on the control plane: %q, %v", out, err)
	}
}

// A killed lab with real nodes is swept like any other.
func TestKilledRealLab(t *testing.T) {
	if testing.Short() {
		t.Skip("a real control plane is not for -short")
	}
	RequireRealNodes(t)
	dir := killLab(t.Context(), t, victimRealEnv+"=1")
	left := leftovers(t, dir)
	if !SweepDir(dir) {
		t.Error("the dead lab was not swept")
	}
	assertGone(t, dir)
	left(t)
}

// leftovers looks at what the lab in dir has on the machine; the function that it returns
// says what of it is still there.
func leftovers(t *testing.T, dir string) func(*testing.T) {
	t.Helper()
	n := &network{}
	namespaces := namespacesOf(t, dir)
	if content, err := os.ReadFile(filepath.Join(dir, networkFile)); err != nil || json.Unmarshal(content, n) != nil {
		t.Fatalf("no record of its network: %s, %v", content, err)
	}
	return func(t *testing.T) {
		t.Helper()
		if _, err := net.InterfaceByName(n.link()); err == nil {
			t.Errorf("the link %s is left", n.link())
		}
		routes, err := exec.Command("ip", "route", "show").CombinedOutput()
		if err != nil || strings.Contains(string(routes), fmt.Sprintf("metric %d", n.Metric)) {
			t.Errorf("routes are left: %s, %v", routes, err)
		}
		if dirs, _ := filepath.Glob("/sys/fs/cgroup/*/" + n.Cgroup); len(dirs) > 0 {
			t.Errorf("cgroups are left: %v", dirs)
		}
		eventually(t, 5*time.Second, func() error { // the kernel takes its time to end them
			processes, _ := filepath.Glob("/proc/[0-9]*")
			for _, p := range processes {
				argv, _ := os.ReadFile(p + "/cmdline")
				if its, _ := os.Readlink(p + "/ns/net"); namespaces[its] {
					return fmt.Errorf("%s is left: %q", p, argv)
				}
			}
			return nil
		})
	}
}

// namespacesOf are the network namespaces that the programs of the lab in dir live in.
func namespacesOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	var all []record
	if content, err := os.ReadFile(filepath.Join(dir, processesFile)); err != nil || json.Unmarshal(content, &all) != nil {
		t.Fatalf("no record of its processes: %s, %v", content, err)
	}
	ours, _ := os.Readlink("/proc/self/ns/net")
	found := map[string]bool{}
	for _, r := range all {
		its, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", r.PID))
		if err == nil && its != ours {
			found[its] = true
		}
	}
	if len(found) != 3 {
		t.Errorf("the lab has %d network namespaces, want the hub's and two nodes'", len(found))
	}
	return found
}

// machineSettings are those that a kubelet changes for the whole machine.
func machineSettings(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("sysctl", "kernel.panic", "kernel.panic_on_oops", "vm.overcommit_memory", "net.ipv4.ip_forward").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
