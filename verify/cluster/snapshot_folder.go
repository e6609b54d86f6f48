package cluster

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// The files of a snapshot folder.
const (
	manifestFile = "snapshot.yaml"
	valuesFile   = "values.yaml"
	objectsFile  = "objects.yaml"
	refusalsFile = "api-errors.yaml"
	evidenceFile = "node-evidence.yaml"
	probesFile   = "probe-results.yaml"
	timelineFile = "timeline.yaml"
	nodesFile    = "nodes.txt"
	logsDir      = "logs"
)

// SnapshotError says what is wrong with a folder that is to be read as a snapshot.
type SnapshotError struct {
	Path string
	Err  error
}

func (e *SnapshotError) Error() string { return fmt.Sprintf("snapshot %s: %v", e.Path, e.Err) }

// Unwrap returns the reason.
func (e *SnapshotError) Unwrap() error { return e.Err }

// folder reads the files of a snapshot, and keeps the first error.
type folder struct {
	dir   string
	found bool // a file of a snapshot was there
	err   error
}

// read returns a file's content; nil: it is not there.
func (f *folder) read(name string) []byte {
	body, err := os.ReadFile(filepath.Join(f.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	f.found = true
	f.fail(name, reason(err))
	return body
}

func (f *folder) fail(name string, err error) {
	if f.err == nil && err != nil {
		f.err = &SnapshotError{Path: filepath.Join(f.dir, name), Err: err}
	}
}

// decode reads a YAML file into a value. It reports whether the file is there.
func (f *folder) decode(name string, into any) bool {
	body := f.read(name)
	if body != nil {
		f.fail(name, yaml.Unmarshal(body, into))
	}
	return body != nil
}

// objects reads objects.yaml: documents, each an object or a list of them.
func (f *folder) objects(into store) {
	body := f.read(objectsFile)
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(body)))
	for n := 1; body != nil; n++ {
		doc, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = into.putDocument(doc)
		}
		if err != nil {
			f.fail(objectsFile, fmt.Errorf("document %d: %w", n, err))
			return
		}
	}
}

// putDocument adds what one YAML document holds.
func (s store) putDocument(doc []byte) error {
	raw, err := yaml.YAMLToJSON(doc)
	if err != nil || string(bytes.TrimSpace(raw)) == "null" {
		return err
	}
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return errors.New("it is no object: a mapping with apiVersion and kind is expected")
	}
	return s.putAny(object)
}

// putAny adds an object, or what a list holds.
func (s store) putAny(object map[string]any) error {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	if apiVersion == "" || kind == "" {
		return errors.New("an object without apiVersion or kind")
	}
	member, isList := strings.CutSuffix(kind, "List")
	meta, _ := object["metadata"].(map[string]any)
	if !isList || meta["name"] != nil {
		s.put(object)
		return nil
	}
	items, err := itemsOf(object)
	if err != nil || member != "" {
		s.putList(apiVersion, member, items)
		return err
	}
	for _, item := range items {
		if err := s.putAny(item); err != nil {
			return err
		}
	}
	return nil
}

func itemsOf(list map[string]any) ([]map[string]any, error) {
	raw, _ := list["items"].([]any)
	out := make([]map[string]any, 0, len(raw))
	for _, item := range raw {
		o, ok := item.(map[string]any)
		if !ok {
			return nil, errors.New("a list whose items are not objects")
		}
		out = append(out, o)
	}
	return out, nil
}

// logs reads the names of the log files.
func (f *folder) logs() []string {
	entries, err := os.ReadDir(filepath.Join(f.dir, logsDir))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".log") {
			names = append(names, e.Name())
		}
	}
	f.found = f.found || len(names) > 0
	return slices.Clip(names)
}
