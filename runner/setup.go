package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockPause  = 200 * time.Millisecond // between two looks at a lock
	setupGrace = 5 * time.Second        // for pip to end by itself
)

// Environment is the managed Ansible environment of a checkout: a Python virtual
// environment keyed by the content of its requirements and the Python version.
type Environment struct {
	Dir          string // where it is or would be
	Requirements string // the checkout's requirements.txt
	Python       string // the interpreter it is made with
	Version      string // that interpreter's version, such as 3.11
}

// CacheDir returns where managed environments are kept: below the user's cache
// directory, or below the temporary directory for a user without a home.
func CacheDir() string {
	base, err := os.UserCacheDir()
	if err != nil || !writable(base) {
		base = filepath.Join(os.TempDir(), fmt.Sprintf("surespray-%d", os.Getuid()))
	}
	return filepath.Join(base, "surespray")
}

// writable reports whether dir can be made or written.
func writable(dir string) bool {
	if os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	f, err := os.CreateTemp(dir, ".surespray")
	if err != nil {
		return false
	}
	_ = f.Close()
	return os.Remove(f.Name()) == nil
}

// ManagedEnvironment says where the environment of these requirements is. python is an
// interpreter's name or path; empty means python3 from PATH.
func ManagedEnvironment(ctx context.Context, cache, requirements, python string) (Environment, error) {
	if python == "" {
		python = "python3"
	}
	content, err := os.ReadFile(requirements)
	if err != nil {
		return Environment{}, preflight("give the checkout with --kubespray DIR", "the checkout's requirements cannot be read: %v", err)
	}
	path, err := exec.LookPath(python)
	if err != nil {
		return Environment{}, preflight("install Python 3 with its venv module, or give --python PATH", "no Python: %v", err)
	}
	out, err := exec.CommandContext(ctx, path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").Output()
	if ctx.Err() != nil {
		return Environment{}, context.Cause(ctx)
	}
	if err != nil {
		return Environment{}, preflight("give another interpreter with --python PATH", "%s does not run: %v", path, err)
	}
	version := strings.TrimSpace(string(out))
	dir := environmentDir(cache, content, version)
	return Environment{Dir: dir, Requirements: requirements, Python: path, Version: version}, nil
}

// environmentDir is the key of an environment: what it is made from, and with which Python.
func environmentDir(cache string, requirements []byte, python string) string {
	sum := sha256.Sum256(requirements)
	return filepath.Join(cache, "ansible", fmt.Sprintf("%x-py%s", sum[:8], python))
}

// FindEnvironment returns the finished environment of these requirements, the one with
// the newest Python if there are several. Without one, ok is false.
func FindEnvironment(cache, requirements string) (env Environment, ok bool) {
	content, err := os.ReadFile(requirements)
	if err != nil {
		return Environment{}, false
	}
	dirs, _ := filepath.Glob(environmentDir(cache, content, "*"))
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	for _, dir := range slices.Backward(dirs) {
		if env = (Environment{Dir: dir, Requirements: requirements}); env.Ready() {
			return env, true
		}
	}
	return Environment{}, false
}

func (e Environment) marker() string { return filepath.Join(e.Dir, ".surespray-complete") }

// Ready reports whether the environment is there and whole.
func (e Environment) Ready() bool {
	_, err := os.Stat(e.marker())
	return err == nil
}

// AnsiblePlaybook is the environment's ansible-playbook.
func (e Environment) AnsiblePlaybook() string { return filepath.Join(e.Dir, "bin", "ansible-playbook") }

// Make makes the environment unless it is there. pip's own configuration (mirror, proxy,
// certificates) holds. An interrupted or failed installation is begun anew by the next
// call; two calls at once wait for each other. Progress goes to log.
func (e Environment) Make(ctx context.Context, log io.Writer) error {
	if err := os.MkdirAll(filepath.Dir(e.Dir), 0o700); err != nil {
		return preflight("set XDG_CACHE_HOME to a directory that this user can write", "no place for the environment: %v", err)
	}
	lock := flock.New(e.Dir + ".lock")
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return fmt.Errorf("waiting for another setup: %w", errors.Join(context.Cause(ctx), err))
	}
	defer lock.Close()
	if e.Ready() {
		return nil
	}
	if err := os.RemoveAll(e.Dir); err != nil {
		return fmt.Errorf("clearing an unfinished environment: %w", err)
	}
	steps := [][]string{
		{e.Python, "-m", "venv", e.Dir},
		{filepath.Join(e.Dir, "bin", "python"), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-r", e.Requirements},
	}
	for _, argv := range steps {
		fmt.Fprintf(log, "surespray: %s\n", ShellQuote(argv))
		if err := e.step(ctx, argv, log); err != nil {
			return err
		}
	}
	if !executable(e.AnsiblePlaybook()) {
		return preflight("look into "+e.Requirements, "the requirements install no ansible-playbook")
	}
	return os.WriteFile(e.marker(), []byte(e.Requirements+"\n"), 0o600)
}

func (e Environment) step(ctx context.Context, argv []string, log io.Writer) error {
	p := &child{
		cmd: command{binary: argv[0], flags: argv[1:]}, dir: filepath.Dir(e.Requirements), env: os.Environ(),
		streams: Streams{Out: log, Err: log}, grace: setupGrace,
	}
	if err := p.Execute(ctx); err != nil {
		return err
	}
	if p.exitCode != 0 {
		return preflight("read its messages above; a mirror, proxy or certificate is set in pip's own configuration, another interpreter by --python",
			"%s ended with %d", ShellQuote(argv), p.exitCode)
	}
	return nil
}
