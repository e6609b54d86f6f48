package lab

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Tool is a program that the lab is made of, built from a module in tools/.
type Tool struct {
	Name    string
	Package string
	// Slow says that the first build takes minutes, for the progress lines.
	Slow bool
	// OnRequest is for what the lab runs without: built when it is asked for by name.
	OnRequest bool
	// Module is the directory below tools/ of what goes not together with the rest.
	Module string
}

// AllTools lists the programs, those that others wait for first.
func AllTools() []Tool {
	const kubernetes = "k8s.io/kubernetes/cmd/"
	return []Tool{
		{Name: "etcd", Package: "go.etcd.io/etcd/server/v3", Slow: true},
		{Name: "kube-apiserver", Package: kubernetes + "kube-apiserver", Slow: true},
		{Name: "kube-controller-manager", Package: kubernetes + "kube-controller-manager", Slow: true},
		{Name: "kube-scheduler", Package: kubernetes + "kube-scheduler"},
		{Name: "kubectl", Package: kubernetes + "kubectl"},
		{Name: "kwok", Package: "sigs.k8s.io/kwok/cmd/kwok"},
		{Name: "metrics-server", Package: "sigs.k8s.io/metrics-server/cmd/metrics-server"},
		{Name: "helm", Package: "helm.sh/helm/v3/cmd/helm"},
		{Name: "local-path-provisioner", Package: "github.com/rancher/local-path-provisioner", OnRequest: true},
		{Name: "pause", Package: "github.com/surespray/surespray/test/lab/tools/pause", OnRequest: true},
		{Name: "coredns", Package: ".", Module: "coredns", OnRequest: true, Slow: true},
		{Name: "kubelet", Package: kubernetes + "kubelet", OnRequest: true},
		{Name: "kube-proxy", Package: kubernetes + "kube-proxy", OnRequest: true},
	}
}

// kubernetesVersion is the one that tools/go.mod pins; the build must be told it.
const kubernetesVersion = "1.36.3"

// ldflags make the programs tell their version and leave out symbols.
func ldflags() string {
	flags := []string{"-s", "-w"}
	parts := strings.Split(kubernetesVersion, ".")
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for k, v := range map[string]string{"gitVersion": "v" + kubernetesVersion, "gitMajor": parts[0], "gitMinor": parts[1], "gitTreeState": "clean"} {
			flags = append(flags, "-X "+pkg+"."+k+"="+v)
		}
	}
	flags = append(flags, "-X helm.sh/helm/v3/internal/version.version=v3.21.4")
	slices.Sort(flags)
	return strings.Join(flags, " ")
}

// chooseTools are the tools of these names; without names, all that the lab needs.
func chooseTools(names []string) ([]Tool, error) {
	var chosen []Tool
	for _, tool := range AllTools() {
		if slices.Contains(names, tool.Name) || len(names) == 0 && !tool.OnRequest {
			chosen = append(chosen, tool)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(chosen, func(t Tool) bool { return t.Name == name }) {
			return nil, fmt.Errorf("no tool has the name %q", name)
		}
	}
	return chosen, nil
}

// BuildTools builds what is not in the cache yet and returns the directory of the
// programs; with names, only those of the names. The cache is keyed by content: versions, flags, platform and Go version.
// Each program appears when it is whole, so that an interrupted build goes on where it
// was. log gets one line for each program that is built.
func BuildTools(ctx context.Context, log io.Writer, names ...string) (string, error) {
	tools, err := chooseTools(names)
	if err != nil {
		return "", err
	}
	source := filepath.Join(sourceDir(), "tools")
	dir, err := toolsDir(source)
	if err != nil {
		return "", err
	}
	lock := flock.New(dir + ".lock")
	if _, err := lock.TryLockContext(ctx, 200*time.Millisecond); err != nil {
		return "", fmt.Errorf("waiting for another build of the tools: %w", errors.Join(context.Cause(ctx), err))
	}
	defer lock.Close()
	for i, tool := range tools {
		target := filepath.Join(dir, tool.Name)
		if _, err := os.Stat(target); err == nil {
			continue
		}
		hint := ""
		if tool.Slow {
			hint = ", this one takes minutes the first time"
		}
		fmt.Fprintf(log, "lab: building %s (%d of %d%s)\n", tool.Name, i+1, len(tools), hint)
		start := time.Now()
		if err := build(ctx, source, tool, target); err != nil {
			return "", err
		}
		fmt.Fprintf(log, "lab: built %s in %s\n", tool.Name, time.Since(start).Round(time.Second))
	}
	return dir, nil
}

func build(ctx context.Context, source string, tool Tool, target string) error {
	temp := target + ".building"
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", ldflags(), "-o", temp, tool.Package)
	cmd.Dir = filepath.Join(source, tool.Module)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", tool.Name, errors.Join(err, context.Cause(ctx)), out)
	}
	return os.Rename(temp, target)
}

// toolsDir is where the programs of this content are, made if need be.
func toolsDir(source string) (string, error) {
	h := sha256.New()
	for _, name := range []string{"go.mod", "go.sum", "pause/main.go", "coredns/go.mod", "coredns/go.sum", "coredns/main.go"} {
		content, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", fmt.Errorf("reading the versions of the tools: %w", err)
		}
		h.Write(content)
	}
	fmt.Fprintln(h, ldflags(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "tools", fmt.Sprintf("%x", h.Sum(nil)[:8]))
	return dir, os.MkdirAll(dir, 0o755)
}

// CacheDir is where builds for tests are kept: $SURESPRAY_TEST_CACHE, else the user's
// cache directory.
func CacheDir() (string, error) {
	if dir := os.Getenv("SURESPRAY_TEST_CACHE"); dir != "" {
		return dir, nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding a place for builds (set SURESPRAY_TEST_CACHE): %w", err)
	}
	return filepath.Join(base, "surespray-dev"), nil
}

// sourceDir is the directory of this package's files.
func sourceDir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}
