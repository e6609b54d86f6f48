package cluster

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/surespray/surespray/verify"
)

// Snapshot is a folder with what was read of a cluster: objects, logs, errors and what
// was seen on the nodes. Checks work on it as on the cluster.
type Snapshot struct {
	Dir     string
	About   Manifest // snapshot.yaml
	Partial bool     // there is no snapshot.yaml: what is not in the folder was not looked at
	// Values are effective values of the inventory; nil: the folder has none.
	Values map[string]any
	// Evidence is what was seen on the nodes: host -> name -> value. nil: nobody looked.
	Evidence map[string]map[string]any
	// Probes are the results of active probes. nil: there were none.
	Probes []map[string]any

	objects  store
	logs     map[string]string // by file name
	refusals refusals
	now      time.Time
	clock    *verify.Simulated // nil without a timeline
	later    []moment          // the states of the timeline
	begins   []time.Time       // when each of them begins
}

// OpenSnapshot opens a folder in the place of a cluster. No request leaves this process.
// Errors are *SnapshotError.
func OpenSnapshot(dir string) (*Cluster, error) {
	s, err := readSnapshot(dir)
	if err != nil {
		return nil, err
	}
	settings := &rest.Config{Host: "http://snapshot", Transport: &snapshotServer{s}, QPS: -1, WarningHandler: rest.NoWarnings{}}
	c := &Cluster{
		server: s.About.Server, context: s.About.Context, clock: &clock{told: s.Now}, shared: &shared{},
		handshake: &handshake{server: certificate(s.About.Certificates["server"]), client: certificate(s.About.Certificates["client"])}, snapshot: s,
	}
	if c.server == "" {
		c.server = "snapshot " + dir
	}
	if s.clock != nil {
		c.shared.now = s.clock.Now
	}
	quiet()
	if c.client, err = kubernetes.NewForConfig(settings); err == nil {
		c.dynamic, err = dynamic.NewForConfig(settings)
	}
	if err != nil {
		return nil, &SnapshotError{Path: dir, Err: err}
	}
	return c, nil
}

// Snapshot is the folder that stands for the cluster; nil for a live one.
func (c *Cluster) Snapshot() *Snapshot {
	if c == nil {
		return nil
	}
	return c.snapshot
}

// Clock is the time to wait by; nil where there is nothing to wait for.
func (s *Snapshot) Clock() verify.Clock {
	if s.clock == nil {
		return nil
	}
	return s.clock
}

// Now is the time of the snapshot; with a timeline it goes on.
func (s *Snapshot) Now() time.Time {
	if s.clock != nil {
		return s.clock.Now()
	}
	return s.now
}

// at is the present state.
func (s *Snapshot) at() moment {
	present := moment{Snapshot: s, objects: s.objects, logs: s.logs, refusals: s.refusals}
	for i, begin := range s.begins {
		if !s.clock.Now().Before(begin) {
			present = s.later[i]
		}
	}
	return present
}

func readSnapshot(dir string) (*Snapshot, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	if err != nil {
		return nil, &SnapshotError{Path: dir, Err: reason(err)}
	}
	f := &folder{dir: dir}
	s := &Snapshot{Dir: dir, objects: store{}, logs: map[string]string{}, refusals: refusals{}}
	s.Partial = !f.decode(manifestFile, &s.About)
	f.decode(valuesFile, &s.Values)
	f.objects(s.objects)
	for _, name := range f.logs() {
		s.logs[name] = string(f.read(filepath.Join(logsDir, name)))
	}
	f.decode(refusalsFile, &s.refusals)
	if s.refusals == nil {
		s.refusals = refusals{} // the file is empty
	}
	f.decode(evidenceFile, &s.Evidence)
	f.decode(probesFile, &s.Probes)
	var states []timelineState
	f.decode(timelineFile, &states)
	switch {
	case f.err != nil:
		return nil, f.err
	case !f.found:
		return nil, &SnapshotError{Path: dir, Err: fmt.Errorf("it holds none of %s, %s, %s/", manifestFile, objectsFile, logsDir)}
	case s.About.Schema > SnapshotSchema:
		return nil, &SnapshotError{Path: filepath.Join(dir, manifestFile), Err: fmt.Errorf("schema %d is newer than this surespray, which knows %d", s.About.Schema, SnapshotSchema)}
	}
	s.setTime()
	if s.Partial {
		s.objects.fillIn()
	}
	if err := s.unroll(states, f); err != nil {
		return nil, &SnapshotError{Path: filepath.Join(dir, timelineFile), Err: err}
	}
	return s, nil
}

// setTime sets the clock: to when the snapshot was taken, else to the newest time in it.
func (s *Snapshot) setTime() {
	if s.now = s.About.TakenAt; s.now.IsZero() {
		s.now = s.newest()
	}
	if s.now.IsZero() {
		s.now = time.Now().Truncate(time.Second) // nothing in it has a time
	}
}

func certificate(text string) *x509.Certificate {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return cert
}

var _ http.RoundTripper = (*snapshotServer)(nil)
