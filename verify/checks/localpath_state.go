package checks

import (
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// localPathState is everything that local-path is judged by, read in one round.
type localPathState struct {
	now, since  time.Time
	asked       *bool
	namespace   string
	class       string // the name that the inventory gives the class
	claimRoot   string // "": not known
	wantDefault string // is-default as the template would print it; "": not known

	classes      seen[[]storagev1.StorageClass]
	config       seen[*corev1.ConfigMap]
	deployment   seen[*appsv1.Deployment]
	pods         seen[[]corev1.Pod] // of the provisioner's namespace
	nodes        seen[[]corev1.Node]
	claims       seen[[]corev1.PersistentVolumeClaim]
	volumes      seen[[]corev1.PersistentVolume]
	statefulSets seen[[]appsv1.StatefulSet]

	// Of claims that are Pending, and of helper pods:
	consumers   seen[[]corev1.Pod]
	claimEvents seen[[]corev1.Event]
	podEvents   map[string][]corev1.Event // by pod of the provisioner's namespace
	helperLogs  map[string]seen[string]   // by helper pod
	log         seen[string]              // the provisioner's

	root      string // the rung that keeps the provisioner from working; "": none
	rootRetry bool
}

// localPathVariables are those that the role's templates are made of.
func localPathVariables() []string {
	return []string{
		"local_path_provisioner_namespace", "local_path_provisioner_storage_class", "local_path_provisioner_claim_root",
		"local_path_provisioner_is_default_storageclass", "kube_config_dir",
	}
}

func newLocalPathState(f Facts) *localPathState {
	s := &localPathState{
		asked: f.asked(localPathRole), namespace: "local-path-storage", class: "local-path",
		podEvents: map[string][]corev1.Event{}, helperLogs: map[string]seen[string]{},
	}
	if s.asked == nil {
		s.asked = f.asked(localPathArea)
	}
	known := func(name string) (string, bool) {
		v, ok := f.Values[name]
		if on, is := v.(bool); is {
			return map[bool]string{true: "True", false: "False"}[on], true // as a template prints it
		}
		text, is := v.(string)
		return strings.TrimSpace(text), ok && is && strings.TrimSpace(text) != ""
	}
	for name, field := range map[string]*string{
		"local_path_provisioner_namespace": &s.namespace, "local_path_provisioner_storage_class": &s.class,
		"local_path_provisioner_claim_root": &s.claimRoot, "local_path_provisioner_is_default_storageclass": &s.wantDefault,
	} {
		if v, ok := known(name); ok {
			*field = v
		}
	}
	return s
}
