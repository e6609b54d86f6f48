package test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/surespray/surespray/test/lab"
)

// all does steps one after the other.
func all(steps ...step) step {
	return func(ctx context.Context, s *site) error {
		for _, do := range steps {
			if err := do(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
}

// kubectl runs it with words that have no spaces.
func kubectl(line string, more ...string) step {
	return func(ctx context.Context, s *site) error {
		_, err := s.Kubectl(ctx, "", append(strings.Fields(line), more...)...)
		return err
	}
}

func apply(manifest string) step {
	return func(ctx context.Context, s *site) error {
		_, err := s.Kubectl(ctx, manifest, "apply", "-f", "-")
		return err
	}
}

func remove(manifest string) step {
	return func(ctx context.Context, s *site) error {
		_, err := s.Kubectl(ctx, manifest, "delete", "--ignore-not-found", "--wait=true", "--timeout=60s", "-f", "-")
		return err
	}
}

// manifest applies one of the lab's manifests with words replaced: old, new …
func manifest(name string, replaced ...string) step {
	return func(ctx context.Context, s *site) error {
		content, err := os.ReadFile(filepath.Join("lab", "manifests", name))
		if err != nil {
			return err
		}
		for i := 0; i < len(replaced); i += 2 {
			if !strings.Contains(string(content), replaced[i]) {
				return fmt.Errorf("%s has no %q", name, replaced[i])
			}
		}
		return apply(strings.NewReplacer(replaced...).Replace(string(content)))(ctx, s)
	}
}

// installed applies metrics-server as with has it.
func installed(replaced ...string) step {
	const ports = "        ports: [{containerPort: 10250,"
	return manifest("metrics-server.yaml", append(replaced, ports,
		"        resources: {limits: {cpu: 1, memory: 200Mi}, requests: {cpu: 100m, memory: 200Mi}}\n"+ports)...)
}

// metricsServer patches its Deployment; undo takes the last change of its pods back.
func metricsServer(patch string) step {
	return kubectl("-n kube-system patch deployment metrics-server --type=json -p", patch)
}

var undo = kubectl("-n kube-system rollout undo deployment/metrics-server")

// restart rolls metrics-server out anew, while the old pod serves.
var restart = kubectl("-n kube-system rollout restart deployment/metrics-server")

const insecure = `{"op":"test","path":"/spec/template/spec/containers/0/args/4","value":"--kubelet-insecure-tls=true"},{"op":"remove","path":"/spec/template/spec/containers/0/args/4"}`

// unavailable waits until the API server has noticed that metrics-server is in trouble.
var unavailable = kubectl("wait --for=condition=Available=false apiservice/v1beta1.metrics.k8s.io --timeout=60s")

// until tries until there is no error.
func until(within time.Duration, try step) step {
	return func(ctx context.Context, s *site) (err error) {
		for end := time.Now().Add(within); ; time.Sleep(500 * time.Millisecond) {
			if err = try(ctx, s); err == nil || time.Now().After(end) {
				return err
			}
		}
	}
}

// unmeasured waits until a node has no metrics.
func unmeasured(node string) step {
	return until(60*time.Second, func(ctx context.Context, s *site) error {
		out, err := s.Kubectl(ctx, "", "get", "--raw", "/apis/metrics.k8s.io/v1beta1/nodes")
		if err == nil && strings.Contains(out, `"name":"`+node+`"`) {
			err = fmt.Errorf("there are still metrics of %s", node)
		}
		return err
	})
}

func onNode(name string, do func(context.Context, *lab.Node) error) step {
	return func(ctx context.Context, s *site) error { return do(ctx, s.Node(name)) }
}

func pause(d time.Duration) step {
	return func(context.Context, *site) error { time.Sleep(d); return nil }
}
