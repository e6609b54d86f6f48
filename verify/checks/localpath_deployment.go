package checks

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/surespray/surespray/verify"
)

// nothingThere reports whether neither the provisioner nor a class of it exists.
func (s *localPathState) nothingThere() bool {
	return s.deployment.absent() && s.classes.ok() && len(s.ourClasses()) == 0
}

// provisions reports whether a pod is one of the Deployment's.
func (s *localPathState) provisions(p corev1.Pod) bool {
	selector := labels.SelectorFromSet(labels.Set{"app": localPathRole})
	if s.deployment.ok() && s.deployment.value.Spec.Selector != nil {
		if own, err := metav1.LabelSelectorAsSelector(s.deployment.value.Spec.Selector); err == nil {
			selector = own
		}
	}
	return selector.Matches(labels.Set(p.Labels))
}

// livePods are the provisioner's pods that are neither finished nor being deleted.
func (s *localPathState) livePods() []corev1.Pod {
	var out []corev1.Pod
	for _, p := range s.pods.value {
		if s.provisions(p) && !finished(p) && p.DeletionTimestamp == nil {
			out = append(out, p)
		}
	}
	return out
}

// judgeDeployment judges the rollout; where it does not get on, its pods say why.
func (s *localPathState) judgeDeployment() verify.Finding {
	name := s.namespace + "/" + localPathRole
	switch {
	case s.deployment.blind():
		return unseen(s.deployment.err)
	case s.deployment.absent() && s.nothingThere():
		return verify.Fail("addon-absent", "local-path-provisioner is asked for, and not in the cluster").
			Seen("no Deployment " + name + ", no StorageClass of " + localPathProvisioner).Mend(applyLocalPath + " -e local_path_provisioner_enabled=true")
	case s.deployment.absent():
		return verify.Fail("deployment-missing", "there is no Deployment %s: nobody makes volumes", name).Mend(applyLocalPath)
	}
	f := rollout(s.deployment.value)
	switch f.Cause {
	case "":
		return s.obeyed(f)
	case "scaled-to-zero":
		return f.Mend(fmt.Sprintf("kubectl -n %s scale deployment %s --replicas=1", s.namespace, localPathRole), applyLocalPath)
	case "not-available", "rollout", "rollout-stuck":
	default:
		return f
	}
	for _, p := range s.livePods() {
		g := judgePod(p, s.podEvents[p.Name], s.now, s.nodesFine())
		if g.Verdict == verify.VerdictPass {
			continue
		}
		g, _ = onLostNode(p, g, s.nodes.value)
		return blamed(f, g)
	}
	return f
}

// obeyed looks in the log of a provisioner that runs for rights that it lacks. It is read
// only while claims wait.
func (s *localPathState) obeyed(f verify.Finding) verify.Finding {
	line := lastLine(s.log.value, "is forbidden: User")
	if line == "" {
		return f
	}
	return verify.NotYet("provisioner-rbac", "local-path-provisioner runs, and may not do its work: a right is missing").Seen(line).
		Mend(applyLocalPath, "kubectl get clusterrole local-path-provisioner-role -o yaml")
}

func (s *localPathState) nodesFine() bool {
	if !s.nodes.ok() || len(s.nodes.value) == 0 {
		return false
	}
	for _, n := range s.nodes.value {
		if !ready(n) {
			return false
		}
	}
	return true
}
