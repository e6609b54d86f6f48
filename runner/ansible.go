package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/surespray/surespray/internal/kubespray"
)

// Ansible is the ansible-playbook that a run uses.
type Ansible struct {
	Path    string
	Version string // of ansible-core; empty when it could not be read
	Why     string // why this one, for people
}

// Managed is the value of --ansible-playbook that stands for the environment that
// `surespray setup` makes.
const Managed = "managed"

// FindAnsible chooses the ansible-playbook for a range of ansible-core versions.
// choice is a path, Managed, or empty: then the first in-range one on PATH, else the
// managed one, which may be "". A *PreflightError says what was found instead.
func FindAnsible(ctx context.Context, choice string, versions kubespray.Range, managed string) (Ansible, error) {
	switch choice {
	case "":
		return findInRange(ctx, versions, managed)
	case Managed:
		if managed == "" {
			return Ansible{}, preflight("surespray setup", "the managed Ansible environment of this checkout does not exist yet")
		}
		return inspect(ctx, managed, "managed, as --ansible-playbook asks", versions)
	}
	path, err := exec.LookPath(choice)
	if err != nil {
		return Ansible{}, preflight("check the path given to --ansible-playbook", "--ansible-playbook %s: %v", choice, errors.Unwrap(err))
	}
	if path, err = filepath.Abs(path); err != nil {
		return Ansible{}, err
	}
	return inspect(ctx, path, "given by --ansible-playbook", versions)
}

func findInRange(ctx context.Context, versions kubespray.Range, managed string) (Ansible, error) {
	found := "there is no ansible-playbook on PATH"
	if path, err := exec.LookPath("ansible-playbook"); err == nil {
		if path, err = filepath.Abs(path); err != nil {
			return Ansible{}, err
		}
		a, err := inspect(ctx, path, "first on PATH", versions)
		var out *PreflightError
		if !errors.As(err, &out) {
			return a, err
		}
		found = out.What
	}
	if managed != "" {
		return inspect(ctx, managed, "managed, since "+found, versions)
	}
	return Ansible{}, preflight("surespray setup   # makes one for this checkout; or give --ansible-playbook PATH",
		"no usable Ansible: %s; this checkout needs %s", found, versions)
}

// inspect reads the version. One that cannot be read is no error: the checkout's own
// check still stands.
func inspect(ctx context.Context, path, why string, versions kubespray.Range) (Ansible, error) {
	a := Ansible{Path: path, Why: why}
	version, err := ansibleVersion(ctx, path)
	if ctx.Err() != nil {
		return a, context.Cause(ctx)
	}
	if err != nil {
		a.Why += fmt.Sprintf("; its version cannot be read (%v)", err)
		return a, nil
	}
	a.Version = version
	if !versions.Contains(version) {
		return a, preflight("surespray setup   # or --ansible-playbook PATH of one in range",
			"%s is ansible-core %s, out of this checkout's range %s", path, version, versions)
	}
	return a, nil
}

var coreVersion = regexp.MustCompile(`(?m)^ansible-playbook \[?(?:core )?(\d+\.\d+[0-9A-Za-z.]*)`)

func ansibleVersion(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	cmd.Env = append(utf8Environ(os.Environ()), "SURESPRAY_PROBE=1")
	out, err := cmd.CombinedOutput()
	m := coreVersion.FindSubmatch(out)
	if m == nil {
		if err == nil {
			err = errors.New("--version prints none")
		}
		return "", fmt.Errorf("%w: %s", err, firstLine(string(out)))
	}
	return string(m[1]), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line[:min(len(line), 200)]
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
