package cluster

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// Told is what a snapshot holds besides what was read of the cluster. Secrets in it are
// left out.
type Told struct {
	By       string         // the program and its version
	TakenAt  time.Time      // the API server's time to which ages belong
	Values   map[string]any // effective values of the inventory; nil: there is none
	Facts    any            // what the checks were told
	Evidence any            // what was seen on the nodes; nil: nobody looked
	Probes   any            // the results of active probes; nil: there were none
}

// Contents is how much a snapshot holds.
type Contents struct{ Objects, Logs, Errors int }

// ForeignDirError says that a directory holds what is no snapshot, so that it is not
// written to.
type ForeignDirError struct {
	Dir, File string
}

func (e *ForeignDirError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%s is not a directory", e.Dir)
	}
	return fmt.Sprintf("%s is no snapshot: it holds %s", e.Dir, e.File)
}

// Write writes the folder as a whole, or not at all. A former snapshot in its place is
// replaced; a directory with anything else in it is a *ForeignDirError.
func (r *Recorder) Write(dir string, t Told) (Contents, error) {
	dir = filepath.Clean(dir)
	if err := CheckSnapshotDir(dir); err != nil {
		return Contents{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finish()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return Contents{}, err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".part-")
	if err != nil {
		return Contents{}, err
	}
	defer os.RemoveAll(tmp)
	if err := r.writeInto(tmp, t); err != nil {
		return Contents{}, err
	}
	contents := Contents{Logs: len(r.logs), Errors: len(r.refusals)}
	for _, sh := range r.objects {
		contents.Objects += len(sh.objects)
	}
	return contents, takePlace(tmp, dir)
}

// takePlace renames a directory. What it replaces is removed after that, or put back.
func takePlace(tmp, dir string) error {
	old := tmp + ".old"
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	had := err == nil
	if err := os.Rename(tmp, dir); err != nil {
		if had {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return err
	}
	if !had {
		return nil
	}
	return os.RemoveAll(old)
}

// CheckSnapshotDir says why a snapshot may not be written to a directory: it holds
// something else. One that is not there, or is empty, is fine.
func CheckSnapshotDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return &ForeignDirError{Dir: dir}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	ours := []string{manifestFile, valuesFile, objectsFile, refusalsFile, evidenceFile, probesFile, logsDir}
	for _, e := range entries {
		if !slices.Contains(ours, e.Name()) {
			return &ForeignDirError{Dir: dir, File: e.Name()}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, manifestFile)); err != nil {
		return &ForeignDirError{Dir: dir, File: entries[0].Name() + " and no " + manifestFile}
	}
	return nil
}

// writeInto writes the files. The manifest comes last.
func (r *Recorder) writeInto(dir string, t Told) error {
	w := &writer{dir: dir}
	w.objects(r.objects)
	if len(r.logs) > 0 {
		w.err = cmp.Or(w.err, os.Mkdir(filepath.Join(dir, logsDir), 0o700))
	}
	for _, name := range slices.Sorted(maps.Keys(r.logs)) {
		w.write(filepath.Join(logsDir, name), []byte(r.logs[name]))
	}
	if len(r.refusals) > 0 {
		w.yaml(refusalsFile, r.refusals)
	}
	if t.Values != nil {
		w.yaml(valuesFile, ScrubValues(t.Values))
	}
	if t.Evidence != nil {
		w.yaml(evidenceFile, t.Evidence)
	}
	if t.Probes != nil {
		w.yaml(probesFile, t.Probes)
	}
	r.about.By, r.about.TakenAt = t.By, t.TakenAt.UTC().Truncate(time.Second)
	if t.Facts != nil {
		r.about.Facts, w.err = scrubJSON(t.Facts, w.err)
	}
	w.yaml(manifestFile, r.about)
	return w.err
}

// scrubJSON is a value as JSON, without secrets.
func scrubJSON(v any, before error) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil || before != nil {
		return nil, cmp.Or(before, err)
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		return nil, err
	}
	return json.Marshal(scrubAny(plain, true))
}

// writer writes the files of a folder, for their owner only, and keeps the first error.
type writer struct {
	dir string
	err error
}

func (w *writer) write(name string, body []byte) {
	if w.err == nil {
		w.err = os.WriteFile(filepath.Join(w.dir, name), body, 0o600)
	}
}

func (w *writer) yaml(name string, v any) {
	body, err := yaml.Marshal(v)
	w.err = cmp.Or(w.err, err)
	w.write(name, body)
}

// objects writes one document for each object, in the order of their names.
func (w *writer) objects(s store) {
	var out bytes.Buffer
	everything, err := newSelection("", "", "")
	w.err = err
	byName := func(a, b schema.GroupVersionResource) int { return cmp.Compare(a.String(), b.String()) }
	for _, r := range slices.SortedFunc(maps.Keys(s), byName) {
		for _, o := range s[r].list(everything) {
			body, err := yaml.Marshal(o)
			w.err = cmp.Or(w.err, err)
			out.WriteString("---\n")
			out.Write(body)
		}
	}
	w.write(objectsFile, out.Bytes())
}
