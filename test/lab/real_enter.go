package lab

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// ip runs lines of the ip command in the network namespace of a process; 0 is the machine's.
func ip(ctx context.Context, pid int, lines ...string) error {
	cmd := exec.CommandContext(ctx, "ip", "-batch", "-")
	if pid != 0 {
		cmd = enter(ctx, pid, "--net", "ip", "-batch", "-")
	}
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(lines, "; "), err, bytes.TrimSpace(out))
	}
	return nil
}

// enter is a command in namespaces of a process.
func enter(ctx context.Context, pid int, namespaces string, argv ...string) *exec.Cmd {
	argv = enterArgv(pid, namespaces, argv...)
	return exec.CommandContext(ctx, argv[0], argv[1:]...)
}

func enterArgv(pid int, namespaces string, argv ...string) []string {
	args := append([]string{"nsenter", "--target=" + strconv.Itoa(pid)}, strings.Fields(namespaces)...)
	return append(append(args, "--"), argv...)
}
