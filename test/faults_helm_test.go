package test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func helmFaults() []fault {
	return []fault{{
		name: "release stuck", args: []string{"helm", "--within", "3s"},
		harm: stuckRelease, mend: kubectl("delete namespace stuck --wait=false"),
		id: "helm.releases", subject: "stuck/app", verdict: "fail", cause: "helm-pending", fix: "helm -n stuck uninstall app",
	}}
}

// stuckRelease has Helm killed while it waits for what it installs.
func stuckRelease(ctx context.Context, s *site) error {
	chart := filepath.Join(s.home, "app")
	for name, content := range map[string]string{
		"Chart.yaml":         "apiVersion: v2\nname: app\nversion: 0.1.0\n",
		"templates/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: app}\nspec: {nodeSelector: {disk: none}, containers: [{name: app, image: pause}]}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(chart, name)), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(chart, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(s.Tools(), "helm"), "--kubeconfig", s.Kubeconfig(), "-n", "stuck", "install", "app", chart, "--create-namespace", "--wait")
	cmd.Env = append(os.Environ(), "HOME="+s.home)
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	return until(60*time.Second, kubectl("-n stuck get pod app"))(ctx, s)
}
