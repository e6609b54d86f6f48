package checks

import (
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// hpaFile is one file under testdata/metrics-server.hpa: objects of its own, which
// HPAs are asked for, and what the rungs of metrics-server say.
type hpaFile struct {
	state
	Only   []string
	Ladder map[string]verify.Verdict
}

func (file hpaFile) hpaState(t *testing.T) *hpaState {
	t.Helper()
	st := file.state
	s := &hpaState{now: moment(t, st.Now), only: file.Only, apis: map[string]seen[*apiregistrationv1.APIService]{}, ladder: map[string][]verify.Finding{}}
	s.list = many[autoscalingv2.HorizontalPodAutoscaler](t, st, "hpas", right("autoscaling", "horizontalpodautoscalers", "list"), "HorizontalPodAutoscaler")
	s.deployments = many[appsv1.Deployment](t, st, "deployments", right("apps", "deployments", "list"), "Deployment")
	s.statefulSets = many[appsv1.StatefulSet](t, st, "", right("apps", "statefulsets", "list"), "StatefulSet")
	s.replicaSets = many[appsv1.ReplicaSet](t, st, "", right("apps", "replicasets", "list"), "ReplicaSet")
	s.pods = many[corev1.Pod](t, st, "pods", right("", "pods", "list"), "Pod")
	apis := many[apiregistrationv1.APIService](t, st, "", right("apiregistration.k8s.io", "apiservices", "get"), "APIService")
	for _, h := range s.list.value {
		for _, c := range h.Status.Conditions {
			for _, name := range metricAPIs(c.Reason) {
				s.apis[name] = seen[*apiregistrationv1.APIService]{err: failure(t, "not-found", right("apiregistration.k8s.io", "apiservices", "get"))}
				for i, a := range apis.value {
					if a.Name == name {
						s.apis[name] = seen[*apiregistrationv1.APIService]{value: &apis.value[i]}
					}
				}
			}
		}
	}
	for id, v := range file.Ladder {
		s.ladder[id] = []verify.Finding{{Verdict: v}}
	}
	return s
}

// TestHPAStates judges every state under testdata/metrics-server.hpa.
func TestHPAStates(t *testing.T) {
	each(t, msHPA, func(t *testing.T, path string) (map[string][]verify.Finding, map[string]expectation) {
		var file hpaFile
		readYAML(t, path, &file)
		return map[string][]verify.Finding{msHPA: judgeHPAs(file.hpaState(t))}, file.Want
	})
}

// TestManyHPAs: those that are fine are told in one line.
func TestManyHPAs(t *testing.T) {
	s := &hpaState{}
	for i := range hpaNamed + 1 {
		h := autoscalingv2.HorizontalPodAutoscaler{}
		h.Namespace, h.Name = "shop", strings.Repeat("x", i+1)
		h.Status.Conditions = []autoscalingv2.HorizontalPodAutoscalerCondition{{Type: autoscalingv2.ScalingActive, Status: corev1.ConditionTrue}}
		s.list.value = append(s.list.value, h)
	}
	if got := judgeHPAs(s); len(got) != 1 || got[0].Verdict != verify.VerdictPass || !strings.Contains(got[0].Summary, "21 of 21") {
		t.Errorf("%+v", got)
	}
}

// TestHPAsUnseen: a missing right is unknown.
func TestHPAsUnseen(t *testing.T) {
	s := &hpaState{list: seen[[]autoscalingv2.HorizontalPodAutoscaler]{err: failure(t, "forbidden", right("autoscaling", "horizontalpodautoscalers", "list"))}}
	if got := judgeHPAs(s); got[0].Verdict != verify.VerdictUnknown || got[0].Cause != "rbac-denied" || cluster.KindOf(s.list.err) != cluster.KindForbidden {
		t.Errorf("%+v", got)
	}
}

// each runs every state of an id, and demands one that passes and one that does not.
func each(t *testing.T, id string, judge func(*testing.T, string) (map[string][]verify.Finding, map[string]expectation)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", id, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no states of ", id, err)
	}
	passes, troubles := false, false
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			got, want := judge(t, path)
			expect(t, got, want)
			for _, f := range got[id] {
				passes = passes || f.Verdict == verify.VerdictPass
				troubles = troubles || f.Verdict == verify.VerdictFail || f.Verdict == verify.VerdictWarn
			}
		})
	}
	if !passes || !troubles {
		t.Errorf("%s: passing state %v, state in trouble %v", id, passes, troubles)
	}
}
