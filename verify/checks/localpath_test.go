package checks

import (
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/surespray/surespray/verify"
)

// localPathFile is one file under testdata/local-path: what differs from ok.yaml.
type localPathFile struct {
	state
	Values map[string]any
	Logs   map[string]string // by pod
}

func readLocalPath(t *testing.T, path string) localPathFile {
	t.Helper()
	var file, base localPathFile
	readYAML(t, path, &file)
	if filepath.Base(path) == "ok.yaml" {
		return file
	}
	readYAML(t, filepath.Join(filepath.Dir(path), "ok.yaml"), &base)
	file.Objects = append(base.Objects, file.Objects...)
	file.Now = base.Now
	if file.Values == nil {
		file.Values = base.Values
	}
	return file
}

// localPathState makes the state that a collection of these objects would give.
func (file localPathFile) localPathState(t *testing.T) *localPathState {
	t.Helper()
	st := file.state
	s := newLocalPathState(Facts{Values: file.Values})
	s.asked, s.now, s.since, s.podEvents = st.Facts.Asked, moment(t, st.Now), moment(t, st.Since), st.Events
	s.classes = many[storagev1.StorageClass](t, st, "classes", right("storage.k8s.io", "storageclasses", "list"), "StorageClass")
	s.config = one[corev1.ConfigMap](t, st, "config", right("", "configmaps", "get"), "ConfigMap")
	s.deployment = one[appsv1.Deployment](t, st, "deployment", right("apps", "deployments", "get"), "Deployment")
	s.nodes = many[corev1.Node](t, st, "nodes", right("", "nodes", "list"), "Node")
	s.claims = many[corev1.PersistentVolumeClaim](t, st, "claims", right("", "persistentvolumeclaims", "list"), "PersistentVolumeClaim")
	s.volumes = many[corev1.PersistentVolume](t, st, "volumes", right("", "persistentvolumes", "list"), "PersistentVolume")
	s.statefulSets = many[appsv1.StatefulSet](t, st, "statefulsets", right("apps", "statefulsets", "list"), "StatefulSet")
	s.claimEvents = many[corev1.Event](t, st, "events", right("", "events", "list"), "Event")
	pods := many[corev1.Pod](t, st, "pods", right("", "pods", "list"), "Pod")
	s.consumers = many[corev1.Pod](t, st, "consumers", right("", "pods", "list"), "Pod")
	s.pods = seen[[]corev1.Pod]{err: pods.err}
	for _, p := range pods.value {
		if p.Namespace == s.namespace {
			s.pods.value = append(s.pods.value, p)
		}
	}
	for pod, log := range file.Logs {
		s.helperLogs[pod] = seen[string]{value: log}
	}
	s.log = seen[string]{value: text(st.Log)}
	return s
}

// TestLocalPathStates judges every state under testdata/local-path, and demands that for
// each rung there is one in which it is fine and one in which it is in trouble.
func TestLocalPathStates(t *testing.T) {
	passes, troubles := map[string]bool{}, map[string]bool{}
	files, err := filepath.Glob("testdata/local-path/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no states", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			file := readLocalPath(t, path)
			got := judgeLocalPath(file.localPathState(t))
			expect(t, got, file.Want)
			for id, findings := range got {
				for _, f := range findings {
					passes[id] = passes[id] || f.Verdict == verify.VerdictPass
					troubles[id] = troubles[id] || f.Verdict == verify.VerdictFail || f.Verdict == verify.VerdictWarn
				}
			}
		})
	}
	for _, c := range localPath(nil, Facts{}, Options{}) {
		if c.ID != lpBind && (!passes[c.ID] || !troubles[c.ID]) {
			t.Errorf("%s: passing state %v, state in trouble %v", c.ID, passes[c.ID], troubles[c.ID])
		}
	}
}
