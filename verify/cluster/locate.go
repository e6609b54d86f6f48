package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// LocateOptions are the places where a kubeconfig may come from, strongest first.
type LocateOptions struct {
	Flag      string   // --kubeconfig
	Artifacts []string // files beside the inventory, such as INVENTORY/artifacts/admin.conf
	Env       string   // KUBECONFIG: one file or several
}

// Location is a kubeconfig that was found.
type Location struct {
	Files []string
	How   string // one phrase: where it came from
}

// String names the files.
func (l Location) String() string { return strings.Join(l.Files, string(os.PathListSeparator)) }

// NoKubeconfigError says that no kubeconfig was found, or that the one given is not there.
type NoKubeconfigError struct {
	Given  string   // the file that a flag or KUBECONFIG names; "": none was named
	By     string   // --kubeconfig or KUBECONFIG
	Looked []string // where else was looked
	Err    error
}

func (e *NoKubeconfigError) Error() string {
	if e.Given != "" {
		return fmt.Sprintf("kubeconfig %s (from %s): %v", e.Given, e.By, e.Err)
	}
	if len(e.Looked) == 0 {
		return "no kubeconfig: neither --kubeconfig nor KUBECONFIG is set, and no inventory was given that could have one"
	}
	return fmt.Sprintf("no kubeconfig: neither --kubeconfig nor KUBECONFIG is set, and there is no %s", list(e.Looked))
}

// Unwrap returns why the file cannot be read.
func (e *NoKubeconfigError) Unwrap() error { return e.Err }

// Locate chooses the kubeconfig: the flag, else the first artifact that is there, else
// KUBECONFIG. A file named by the flag that cannot be read is an error, and nothing else
// is tried. Errors are *NoKubeconfigError.
func Locate(o LocateOptions) (Location, error) {
	if o.Flag != "" {
		if err := readable(o.Flag); err != nil {
			return Location{}, &NoKubeconfigError{Given: o.Flag, By: "--kubeconfig", Err: err}
		}
		return Location{Files: []string{o.Flag}, How: "from --kubeconfig"}, nil
	}
	for _, file := range o.Artifacts {
		err := readable(file)
		if err == nil {
			return Location{Files: []string{file}, How: "from the inventory"}, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return Location{}, &NoKubeconfigError{Given: file, By: "the inventory", Err: err}
		}
	}
	var files []string
	for _, file := range filepath.SplitList(o.Env) {
		if file != "" && readable(file) == nil {
			files = append(files, file)
		}
	}
	if len(files) > 0 {
		return Location{Files: files, How: "from KUBECONFIG"}, nil
	}
	if o.Env != "" {
		return Location{}, &NoKubeconfigError{Given: o.Env, By: "KUBECONFIG", Err: os.ErrNotExist}
	}
	return Location{}, &NoKubeconfigError{Looked: o.Artifacts}
}

// readable tells why a file cannot be read, without its name in the reason.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return reason(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return reason(err)
	}
	if info.IsDir() {
		return errors.New("it is a directory")
	}
	return nil
}

func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
