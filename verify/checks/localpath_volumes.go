package checks

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/surespray/surespray/verify"
)

// volume finds a volume by name.
func (s *localPathState) volume(name string) *corev1.PersistentVolume {
	i := slices.IndexFunc(s.volumes.value, func(v corev1.PersistentVolume) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &s.volumes.value[i]
}

// nodesOf are the hostname labels of the nodes that a volume is bound to.
func (s *localPathState) nodesOf(volume string) []string {
	v := s.volume(volume)
	if v == nil {
		return nil
	}
	return volumeNodes(*v)
}

func volumeNodes(v corev1.PersistentVolume) []string {
	if v.Spec.NodeAffinity == nil || v.Spec.NodeAffinity.Required == nil {
		return nil
	}
	var out []string
	for _, term := range v.Spec.NodeAffinity.Required.NodeSelectorTerms {
		for _, m := range term.MatchExpressions {
			if m.Key == corev1.LabelHostname && m.Operator == corev1.NodeSelectorOpIn {
				out = append(out, m.Values...)
			}
		}
	}
	return out
}

// orphaned reports whether a bound claim's volume is known to be on a node that is no more.
func (s *localPathState) orphaned(c corev1.PersistentVolumeClaim) bool {
	on := s.nodesOf(c.Spec.VolumeName)
	if !s.nodes.ok() || len(s.nodes.value) == 0 || len(on) == 0 {
		return false
	}
	return !slices.ContainsFunc(s.nodes.value, func(n corev1.Node) bool { return slices.Contains(on, s.hostname(n.Name)) })
}

// judgeData warns of StatefulSets whose data is on one node's disk.
func (s *localPathState) judgeData() []verify.Finding {
	switch {
	case s.statefulSets.err != nil:
		return []verify.Finding{unseen(s.statefulSets.err)}
	case s.nodes.err != nil:
		return []verify.Finding{unseen(s.nodes.err)}
	case len(s.nodes.value) < 2:
		return []verify.Finding{verify.Skip("the cluster has one node")}
	}
	var out []verify.Finding
	for _, set := range s.statefulSets.value {
		if !s.keepsLocally(set) || set.Spec.Replicas != nil && *set.Spec.Replicas == 0 {
			continue
		}
		name := set.Namespace + "/" + set.Name
		f := verify.Warn("data-on-node", "the data of StatefulSet %s lives and dies with the node that each of its pods runs on", name).
			Mend("fine where the application copies its data itself (a database cluster): then accept it, --accept data-on-node="+name,
				"else a class of a storage system that outlives a node, and backups")
		f.Subject, f.Of = name, len(s.statefulSets.value)
		out = append(out, f)
	}
	if len(out) == 0 {
		return []verify.Finding{verify.Pass("no StatefulSet keeps data on local-path")}
	}
	if len(out) > claimsNamed {
		names := make([]string, len(out))
		for i, f := range out {
			names[i] = f.Subject
		}
		f := verify.Warn("data-on-node", "the data of %d StatefulSets lives and dies with the nodes that their pods run on", len(out)).Mend(out[0].Fix...)
		f.On, f.Of = names, len(s.statefulSets.value)
		return []verify.Finding{f}
	}
	return out
}

func (s *localPathState) keepsLocally(set appsv1.StatefulSet) bool {
	for _, claim := range set.Spec.VolumeClaimTemplates {
		class, named := claimClass(claim)
		for _, ours := range s.ourClasses() {
			if named && class == ours.Name || !named && defaultText(ours) == "true" {
				return true
			}
		}
	}
	return false
}
