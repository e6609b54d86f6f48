package extravars

import (
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
)

var variableInPath = regexp.MustCompile(`\$(?:[A-Za-z0-9_]+|\{[^}]*\})`)

// absolute is the path of a file behind "@" as Ansible finds it: $VAR, ${VAR}, ~ and
// ~USER expanded, an unknown one left alone, relative to the current directory.
func (o Options) absolute(path string) (string, error) {
	path = variableInPath.ReplaceAllStringFunc(path, func(v string) string {
		if value := o.Getenv(strings.Trim(v, "${}")); value != "" {
			return value
		}
		return v
	})
	path = o.home(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if o.Dir != "" {
		return filepath.Join(o.Dir, path), nil
	}
	return filepath.Abs(path)
}

func (o Options) home(path string) string {
	if !strings.HasPrefix(path, "~") {
		return path
	}
	name, rest, _ := strings.Cut(path[1:], "/")
	home := ""
	switch name {
	case "":
		if home = o.Getenv("HOME"); home == "" {
			home, _ = os.UserHomeDir()
		}
	default:
		if u, err := user.Lookup(name); err == nil {
			home = u.HomeDir
		}
	}
	if home == "" {
		return path
	}
	return filepath.Join(home, rest)
}

// The ways to name an open file of this process; of those the ones that Ansible never
// reads, whatever is behind them.
var (
	descriptor = regexp.MustCompile(`^(?:/dev/fd/[0-9]+|/dev/std(?:in|out|err)|/proc/(?:self|[0-9]+)/fd/[0-9]+)$`)
	standard   = regexp.MustCompile(`(?:/fd/[012]|/dev/std(?:in|out|err))$`)
)

// source says what is behind a path.
type source int

const (
	sourceFile      source = iota
	sourceMissing          // nothing, or not readable as a file
	sourceFolder           // a directory
	sourceFIFO             // a named pipe: Ansible can read it once, so we do not
	sourceAnonymous        // a pipe, a terminal or the like without a name
)

// lookAt finds out what is behind a path without reading it. For a descriptor of this
// process on a real file, real is that file: Ansible has not the same descriptors.
func lookAt(path string) (what source, real string) {
	if descriptor.MatchString(path) {
		target, err := filepath.EvalSymlinks(path)
		if err != nil || standard.MatchString(path) || strings.HasPrefix(target, "/dev/") || strings.HasPrefix(target, "/proc/") {
			return sourceAnonymous, path
		}
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return sourceMissing, path
	case info.IsDir():
		return sourceFolder, path
	case info.Mode()&os.ModeNamedPipe != 0:
		return sourceFIFO, path
	}
	return sourceFile, path
}
