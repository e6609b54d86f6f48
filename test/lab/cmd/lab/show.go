package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/surespray/surespray/test/lab"
)

// status tells where the lab is and what kubectl sees of it.
func status(ctx context.Context, dir string) error {
	kubeconfig, tools, err := running(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Printf("directory   %s\nkubeconfig  %s\nprograms    %s\n\n", filepath.Dir(kubeconfig), kubeconfig, tools)
	cmd := exec.CommandContext(ctx, filepath.Join(tools, "kubectl"), "--kubeconfig="+kubeconfig, "--cache-dir="+filepath.Join(dir, "kubectl-cache"),
		"--request-timeout=10s", "get", "nodes,pods", "-A")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("asking the lab's API server: %w", err)
	}
	return nil
}

// env prints what a shell needs to talk to the lab.
func env(ctx context.Context, dir string) error {
	kubeconfig, tools, err := running(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Printf("export KUBECONFIG=%s\nexport PATH=%s:\"$PATH\"\n", quote(kubeconfig), quote(tools))
	return nil
}

// running is where the living lab's kubeconfig and programs are.
func running(ctx context.Context, dir string) (kubeconfig, tools string, err error) {
	if !lab.Running(dir) {
		return "", "", fmt.Errorf("no lab runs in %s: lab up starts one", dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	tools, err = lab.BuildTools(ctx, io.Discard, "kubectl")
	return filepath.Join(dir, "kubeconfig"), tools, err
}

// quote makes one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
