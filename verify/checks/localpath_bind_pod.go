package checks

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// probeImage is what a probe's pod runs.
type probeImage struct {
	name  string
	shell bool // it has /bin/sh, so that a file can be written
}

// probeImage chooses an image that the node has, so that nothing is pulled: the one that
// the user names; the helper's, which has run on the node by the time that the volume is
// there, and whose scripts are of a shell; else the pause image, which every node has.
func (s *localPathState) probeImage(n corev1.Node, given string) probeImage {
	if given != "" {
		return probeImage{name: given, shell: true}
	}
	if helper := s.helperImage(); helper != "" {
		return probeImage{name: helper, shell: true}
	}
	for _, image := range n.Status.Images {
		for _, name := range image.Names {
			if strings.Contains(name, "/pause:") || strings.HasPrefix(name, "pause:") {
				return probeImage{name: name}
			}
		}
	}
	return probeImage{}
}

// bindable are the nodes to try, and how many more there would be.
func bindable(nodes []corev1.Node) (out []corev1.Node, left int) {
	for _, n := range nodes {
		if !ready(n) || n.Spec.Unschedulable || slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule }) {
			continue
		}
		out = append(out, n)
	}
	return out[:min(len(out), bindNodes)], max(0, len(out)-bindNodes)
}

// make creates the claim and the pod. False: it cannot be done, and the finding says why.
func (b *bindProbe) make(ctx context.Context, t *bindTry, s *localPathState) (verify.Finding, bool) {
	if t.image.name == "" {
		return verify.Unknown("no-probe-image", "no volume was tried on %s: there is no image that the node has for sure", t.node).Mend("name one: --probe-image NAME"), false
	}
	class := s.class
	if ours := s.ourClasses(); !slices.Contains(classNames(ours), class) && len(ours) > 0 {
		class = ours[0].Name
	}
	err := b.probe.CreateClaim(ctx, t.name, corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: &class,
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Mi")}},
	})
	if err == nil {
		i := slices.IndexFunc(s.nodes.value, func(n corev1.Node) bool { return n.Name == t.node })
		if i < 0 {
			return verify.Unknown("node-gone", "node %s is no more", t.node), false
		}
		err = b.probe.CreatePod(ctx, t.name, probePod(s.nodes.value[i], t.name, t.image))
	}
	if err != nil {
		return notAllowed(err, t.node), false
	}
	return verify.Finding{}, true
}

// probePod is a pod that writes its own name to a file of the claim of the same name and
// reads it back. It is led to the node by the label, never by spec.nodeName: that would
// pass by the scheduler, and the claim would wait for ever. It asks for nothing that the
// strictest PodSecurity refuses.
func probePod(n corev1.Node, name string, image probeImage) corev1.PodSpec {
	off, on, nobody, at := false, true, int64(65534), int64(0)
	container := corev1.Container{
		Name: "probe", Image: image.name, ImagePullPolicy: corev1.PullIfNotPresent,
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1m"), corev1.ResourceMemory: resource.MustParse("8Mi")},
			Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("32Mi")},
		},
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: &off, ReadOnlyRootFilesystem: &on, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
		VolumeMounts:             []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
	}
	if image.shell {
		container.Command = []string{"/bin/sh", "-c", "set -e; echo " + name + " > /data/file; cat /data/file > /dev/termination-log; rm /data/file"}
	}
	spec := corev1.PodSpec{
		Containers: []corev1.Container{container}, RestartPolicy: corev1.RestartPolicyNever,
		AutomountServiceAccountToken: &off, EnableServiceLinks: &off, TerminationGracePeriodSeconds: &at,
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot: &on, RunAsUser: &nobody, RunAsGroup: &nobody,
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Volumes: []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}}},
	}
	if host := n.Labels[corev1.LabelHostname]; host != "" {
		spec.NodeSelector = map[string]string{corev1.LabelHostname: host}
		return spec
	}
	field := corev1.NodeSelectorRequirement{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{n.Name}}
	spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{field}}},
	}}}
	return spec
}

// notAllowed is for a probe that could not be made: a policy's refusal says nothing about
// the addon.
func notAllowed(err error, node string) verify.Finding {
	where := ""
	if node != "" {
		where = " on " + node
	}
	if who, ok := cluster.RefusedBy(err); ok {
		return verify.Unknown("admission-refused", "no volume was tried%s: %s refuses the probe", where, who).Seen(err.Error()).
			Mend("allow namespaces that begin with surespray-probe- (label app.kubernetes.io/managed-by=surespray) in the policy, or try by hand")
	}
	f := unseen(err)
	f.Summary = "no volume was tried" + where + ": " + f.Summary
	f.Retry = false
	return f
}
