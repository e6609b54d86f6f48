package checks

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// bindFile is one file under testdata/local-path.bind: what is seen of a try on node w1.
type bindFile struct {
	Pod         *corev1.Pod
	Claim       *corev1.PersistentVolumeClaim
	Volume      *corev1.PersistentVolume
	Events      []corev1.Event
	HelperPod   *corev1.Pod `json:"helper_pod"`
	HelperLog   string      `json:"helper_log"`
	Pause       bool        // the pod runs the pause image
	Want        expectation
	Description string
}

// TestBindStates judges every state under testdata/local-path.bind.
func TestBindStates(t *testing.T) {
	each(t, lpBind, func(t *testing.T, path string) (map[string][]verify.Finding, map[string]expectation) {
		var file bindFile
		readYAML(t, path, &file)
		s := readLocalPath(t, "testdata/local-path/ok.yaml").localPathState(t)
		if file.HelperPod != nil {
			s.pods.value = append(s.pods.value, *file.HelperPod)
			s.helperLogs[file.HelperPod.Name] = seen[string]{value: file.HelperLog}
		}
		v := &bindView{
			state: s, try: &bindTry{node: "w1", name: "bind-0", image: probeImage{name: "x", shell: !file.Pause}, began: s.now},
			pod: file.Pod, claim: file.Claim, claimEvents: seen[[]corev1.Event]{value: file.Events}, podEvents: file.Events,
			volume: seen[*corev1.PersistentVolume]{value: file.Volume},
		}
		return map[string][]verify.Finding{lpBind: {v.judge()}}, map[string]expectation{lpBind: file.Want}
	})
}

// TestProbePodIsLedByTheLabel, as case E12 asks: nodeName would hang the claim, and the
// label may differ from the node's name.
func TestProbePodIsLedByTheLabel(t *testing.T) {
	n := corev1.Node{}
	n.Name, n.Labels = "w1", map[string]string{corev1.LabelHostname: "w1.lab.example"}
	spec := probePod(n, "bind-0", probeImage{name: "busybox", shell: true})
	if spec.NodeName != "" || spec.NodeSelector[corev1.LabelHostname] != "w1.lab.example" || !strings.Contains(strings.Join(spec.Containers[0].Command, " "), "/data/file") {
		t.Errorf("%+v", spec)
	}
	n.Labels = nil
	spec = probePod(n, "bind-0", probeImage{name: "pause"})
	if spec.NodeName != "" || spec.NodeSelector != nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0].Values[0] != "w1" || spec.Containers[0].Command != nil {
		t.Errorf("%+v", spec)
	}
}

func TestProbeImage(t *testing.T) {
	n := corev1.Node{Status: corev1.NodeStatus{Images: []corev1.ContainerImage{{Names: []string{"r.example/app:1"}}, {Names: []string{"registry.k8s.io/pause:3.10"}}}}}
	s := readLocalPath(t, "testdata/local-path/ok.yaml").localPathState(t)
	if got := s.probeImage(n, "mine"); got != (probeImage{"mine", true}) {
		t.Error(got)
	}
	if got := s.probeImage(n, ""); got != (probeImage{"registry.example/busybox:latest", true}) {
		t.Error(got)
	}
	s.config = seen[*corev1.ConfigMap]{err: fmt.Errorf("x")}
	if got := s.probeImage(n, ""); got != (probeImage{"registry.k8s.io/pause:3.10", false}) {
		t.Error(got)
	}
}

// TestBindable: nodes that take no pod without tolerations are left out.
func TestBindable(t *testing.T) {
	node := func(change func(*corev1.Node)) corev1.Node {
		n := corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}}
		change(&n)
		return n
	}
	nodes := []corev1.Node{
		node(func(n *corev1.Node) { n.Spec.Unschedulable = true }),
		node(func(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Effect: corev1.TaintEffectNoSchedule}} }),
		node(func(n *corev1.Node) { n.Status.Conditions = nil }),
	}
	for range bindNodes + 2 {
		nodes = append(nodes, node(func(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Effect: corev1.TaintEffectPreferNoSchedule}} }))
	}
	if out, left := bindable(nodes); len(out) != bindNodes || left != 2 {
		t.Error(len(out), left)
	}
}

// TestRefusals: a policy's refusal is unknown with its name, a missing right with that.
func TestRefusals(t *testing.T) {
	a := right("", "pods", "create")
	for said, want := range map[string][2]string{
		`pods "bind-0" is forbidden: violates PodSecurity "restricted:latest": seccompProfile`:                          {"admission-refused", `PodSecurity "restricted:latest"`},
		`admission webhook "policy.example" denied the request: no`:                                                     {"admission-refused", "webhook policy.example"},
		`Internal error occurred: failed calling webhook "gone.example": Post: connection refused`:                      {"admission-refused", "gone.example"},
		`pods "x" is forbidden: exceeded quota: small, requested: pods=1`:                                               {"admission-refused", "quota small"},
		`pods "x" is forbidden: ValidatingAdmissionPolicy 'no-probes' with binding 'b' denied request: failed`:          {"admission-refused", "no-probes"},
		`pods is forbidden: User "ci" cannot create resource "pods" in API group "" in the namespace "surespray-probe"`: {"rbac-denied", "create pods"},
	} {
		kind := cluster.KindForbidden
		f := notAllowed(&cluster.Error{Kind: kind, Access: a, Err: fmt.Errorf("%s", said)}, "w1")
		if f.Verdict != verify.VerdictUnknown || f.Cause != want[0] || !strings.Contains(f.Summary, want[1]) || f.Retry {
			t.Errorf("%s: %s", said, show(f))
		}
	}
}

// TestGone: what is made is removed again, or that is the trouble.
func TestGone(t *testing.T) {
	s := readLocalPath(t, "testdata/local-path/ok.yaml").localPathState(t)
	b := &bindProbe{}
	volume := &corev1.PersistentVolume{Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeReleased}}
	try := &bindTry{node: "w1", volume: "pvc-1", began: s.now, proven: verify.Pass("proven")}
	f := b.gone(try, &bindView{state: s, try: try, volume: seen[*corev1.PersistentVolume]{value: volume}})
	if f.Cause != "volume-not-removed" || !f.Retry || !strings.Contains(show(f), "Released") {
		t.Error(show(f))
	}
	f = b.gone(try, &bindView{state: s, try: try, volume: seen[*corev1.PersistentVolume]{err: failure(t, "not-found", right("", "persistentvolumes", "get"))}})
	if f.Summary != "proven" || try.final == nil {
		t.Error(show(f))
	}
}
