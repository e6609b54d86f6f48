package checks

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/surespray/surespray/verify"
)

// defaultClass is the annotation that makes a class the default one, by the text "true".
const defaultClass = "storageclass.kubernetes.io/is-default-class"

// ourClasses are the classes of the provisioner, and the one that the inventory names.
func (s *localPathState) ourClasses() []storagev1.StorageClass {
	var out []storagev1.StorageClass
	for _, c := range s.classes.value {
		if c.Provisioner == localPathProvisioner || c.Name == s.class {
			out = append(out, c)
		}
	}
	return out
}

// defaultText is what the annotations of a class say, the beta one only where the other
// is missing.
func defaultText(c storagev1.StorageClass) string {
	if v, ok := c.Annotations[defaultClass]; ok {
		return v
	}
	return c.Annotations["storageclass.beta.kubernetes.io/is-default-class"]
}

// judgeClass judges the class, and which one is default.
func (s *localPathState) judgeClass() verify.Finding {
	if s.classes.err != nil {
		return unseen(s.classes.err)
	}
	ours := s.ourClasses()
	i := slices.IndexFunc(ours, func(c storagev1.StorageClass) bool { return c.Name == s.class })
	if i < 0 && (len(ours) == 0 || yes(s.asked)) {
		return verify.Fail("class-missing", "there is no StorageClass %s", s.class).
			Seen("classes: " + some(classNames(s.classes.value), 8)).Mend(applyLocalPath)
	}
	class := ours[max(i, 0)]
	switch {
	case class.Provisioner != localPathProvisioner:
		return verify.Fail("class-foreign", "StorageClass %s is of %s, not of local-path-provisioner", class.Name, class.Provisioner).
			Mend("kubectl delete storageclass "+class.Name+" (volumes stay), then "+applyLocalPath, "or set local_path_provisioner_storage_class to another name")
	case class.VolumeBindingMode == nil || *class.VolumeBindingMode != storagev1.VolumeBindingWaitForFirstConsumer:
		return verify.Fail("binding-mode-immediate", "StorageClass %s binds at once, before a node is chosen: the provisioner refuses every claim", class.Name).
			Mend("kubectl delete storageclass " + class.Name + " (the mode cannot be changed; volumes stay), then " + applyLocalPath)
	}
	return s.judgeDefault(class)
}

// judgeDefault looks which classes are default.
func (s *localPathState) judgeDefault(class storagev1.StorageClass) verify.Finding {
	var defaults []string
	for _, c := range s.classes.value {
		if defaultText(c) == "true" {
			defaults = append(defaults, c.Name)
		}
	}
	stuck := s.classless()
	text := defaultText(class)
	reapply := `surespray addon apply local-path -e 'local_path_provisioner_is_default_storageclass="true"' (the text "true", quoted)`
	waits := func(f verify.Finding) verify.Finding {
		if len(stuck) > 0 {
			f = f.Seen("claims that name no class and wait for a default one: " + some(stuck, 8))
		}
		return f
	}
	switch {
	case len(defaults) > 1:
		return verify.Warn("two-default-classes", "%d StorageClasses are default (%s): a claim without a class gets the newest", len(defaults), some(defaults, 6)).
			Mend(fmt.Sprintf(`kubectl annotate storageclass %s %s=false --overwrite, for all but one`, otherThan(defaults, class.Name), defaultClass),
				"set local_path_provisioner_is_default_storageclass or the other addon's variable to \"false\"")
	case text != "" && text != "true" && text != "false":
		return waits(verify.Warn("default-annotation-not-true", "StorageClass %s is not default: its annotation says %q, and only the text \"true\" counts", class.Name, text)).
			Seen(fmt.Sprintf("StorageClass %s: %s=%q", class.Name, defaultClass, text)).Mend(reapply)
	case len(defaults) == 0 && s.wantDefault == "true":
		return waits(verify.Warn("no-default-class", "StorageClass %s should be default, and no class is", class.Name)).Mend(reapply)
	case len(defaults) == 0 && len(stuck) > 0:
		return waits(verify.Warn("no-default-class", "no StorageClass is default, and %d claims name none", len(stuck))).
			Mend("name a class in the claims (storageClassName: " + class.Name + "), or " + reapply)
	case s.wantDefault == "true" && defaults[0] != class.Name:
		return verify.Warn("other-default-class", "StorageClass %s should be default, and %s is", class.Name, defaults[0]).Mend(reapply)
	case len(defaults) == 0:
		return verify.Pass("StorageClass %s is there; no class is default", class.Name)
	}
	return verify.Pass("StorageClass %s is there; %s is the default class", class.Name, defaults[0])
}

func otherThan(names []string, not string) string {
	for _, n := range names {
		if n != not {
			return n
		}
	}
	return not
}

func classNames(classes []storagev1.StorageClass) []string {
	names := make([]string, len(classes))
	for i, c := range classes {
		names[i] = c.Name
	}
	return names
}

// claimClass is the class that a claim names; false: it names none.
func claimClass(c corev1.PersistentVolumeClaim) (string, bool) {
	if v, ok := c.Annotations[corev1.BetaStorageClassAnnotation]; ok {
		return v, true
	}
	if c.Spec.StorageClassName == nil {
		return "", false
	}
	return *c.Spec.StorageClassName, true
}

// classless are the Pending claims that wait for a default class.
func (s *localPathState) classless() []string {
	var out []string
	for _, c := range s.claims.value {
		if _, named := claimClass(c); !named && c.Status.Phase == corev1.ClaimPending && c.Spec.VolumeName == "" {
			out = append(out, c.Namespace+"/"+c.Name)
		}
	}
	return out
}
