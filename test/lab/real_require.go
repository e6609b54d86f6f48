package lab

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// RequireEnv makes a test fail that would be skipped because the machine allows no real
// nodes.
const RequireEnv = "SURESPRAY_REQUIRE_REAL_NODES"

// A skipper is the test that RequireRealNodes may skip.
type skipper interface {
	Helper()
	Context() context.Context
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// RequireRealNodes skips the test with a clear line where the machine allows no real
// nodes, and fails it with RequireEnv=1.
func RequireRealNodes(t skipper) {
	t.Helper()
	err := CheckRealNodes(t.Context())
	switch {
	case err == nil:
	case os.Getenv(RequireEnv) == "1":
		t.Fatalf("%v (%s=1)", err, RequireEnv)
	default:
		t.Skipf("%v", err)
	}
}

// realPrograms are the programs that real nodes need, with Debian's packages.
func realPrograms() map[string]string {
	return map[string]string{
		"containerd": "containerd", "ctr": "containerd", "runc": "runc", "busybox": "busybox-static", "nft": "nftables", "iptables": "iptables",
		"conntrack": "conntrack", "ip": "iproute2", "nsenter": "util-linux", "unshare": "util-linux", "mount": "mount",
		"/usr/sbin/sshd": "openssh-server", "ssh-keygen": "openssh-client", "/usr/lib/cni/bridge": "containernetworking-plugins",
	}
}

//go:embed real-check.sh
var checkScript string

// CheckRealNodes says why this machine allows no real nodes; nil when it does.
func CheckRealNodes(ctx context.Context) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("no real nodes: they need Linux, this is %s", runtime.GOOS)
	}
	if os.Geteuid() != 0 {
		return errors.New("no real nodes: they need root")
	}
	var missing []string
	for program, pkg := range realPrograms() {
		if _, err := exec.LookPath(program); err != nil && !slices.Contains(missing, pkg) {
			missing = append(missing, pkg)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return fmt.Errorf("no real nodes: apt-get install --no-install-recommends %s", strings.Join(missing, " "))
	}
	out, err := exec.CommandContext(ctx, "unshare", "--mount", "--uts", "--ipc", "--net", "--pid", "--fork", "sh", "-c", checkScript).CombinedOutput()
	if err != nil {
		return fmt.Errorf("no real nodes: this machine does not allow it: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// snapshotter is the one that containerd can use for a directory: overlays on overlays
// are refused.
func snapshotter(dir string) string {
	out, err := exec.Command("stat", "--file-system", "--format=%T", dir).Output()
	if kind := strings.TrimSpace(string(out)); err == nil && kind != "overlayfs" {
		return "overlayfs"
	}
	return "native"
}
