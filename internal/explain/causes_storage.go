package explain

const (
	linkLocalPath = "https://github.com/rancher/local-path-provisioner#configuration"
	linkClasses   = "https://kubernetes.io/docs/concepts/storage/storage-classes/"
	linkVolumes   = "https://kubernetes.io/docs/concepts/storage/persistent-volumes/"
	linkAdmission = "https://kubernetes.io/docs/concepts/security/pod-security-admission/"
)

// storageCauses are those of local-path-provisioner, and of our own probes.
func storageCauses() []Entry {
	return []Entry{
		{"node-path-denied", "A helper pod may not write below the provisioner's path on a node.", "SELinux or another security policy, or the rights of the path.", "Label the path for containers, or set local_path_provisioner_claim_root to another.", "https://github.com/rancher/local-path-provisioner/issues/282"},
		{"node-path-read-only", "The provisioner's path on a node is on a read-only file system.", "An immutable system, or a disk with errors.", "Set local_path_provisioner_claim_root to a path that can be written.", "https://github.com/rancher/local-path-provisioner/issues/418"},
		{"node-disk-full", "The disk below the provisioner's path is full.", "Volumes have no limit of their own: each may fill the disk.", "Make room on the node.", linkLocalPath},
		{"node-disk-error", "The disk below the provisioner's path has errors.", "The file system reports input or output errors.", "Look: dmesg on the node.", linkLocalPath},
		{"node-path-not-directory", "The provisioner's path is no directory.", "A file is in the way.", "Move it, or set local_path_provisioner_claim_root.", linkLocalPath},
		{"node-not-in-map", "The provisioner's map has no path for a node.", "nodePathMap names neither the node nor DEFAULT_PATH_FOR_NON_LISTED_NODES.", "Apply it again: surespray addon apply local-path, or mend the ConfigMap local-path-config.", linkLocalPath},
		{"helper-image-pull", "The image of the pod that makes directories cannot be pulled.", "A registry that the nodes do not reach, or a name that is not there; busybox:latest by default.", "Set local_path_provisioner_helper_image_repo and _tag to one that they reach.", linkLocalPath},
		{"helper-failed", "The pod that makes a volume's directory fails.", "Its scripts, setup and teardown, come from the ConfigMap.", "Its log, and the provisioner's.", linkLocalPath},
		{"helper-timeout", "The pod that makes a volume's directory does not end in time.", "cmdTimeoutSeconds in config.json, 120 by default.", "Look at the pods of the provisioner's namespace.", linkLocalPath},
		{"config-missing", "The ConfigMap of the provisioner is not there.", "It was deleted, or the namespace was changed.", "Apply it again: surespray addon apply local-path.", linkLocalPath},
		{"config-invalid", "The provisioner cannot use its ConfigMap.", "JSON that is none, a path that is not absolute, a node that stands twice, a script that is missing.", "Apply it again: surespray addon apply local-path.", linkLocalPath},
		{"claim-root-drift", "Volumes go to another path than the inventory says.", "The variable was changed and not applied, or somebody edited the ConfigMap.", "Apply it again: surespray addon apply local-path; volumes that exist stay.", linkLocalPath},
		{"provisioner-rbac", "The provisioner runs and may not do its work.", "Its ClusterRole or binding was removed or changed.", "Apply it again: surespray addon apply local-path.", linkLocalPath},
		{"provisioner-silent", "A claim waits, and the provisioner does not act on it.", "It hangs, or watches other classes.", "Its log.", linkLocalPath},
		{"provisioning", "A volume is being made.", "That takes some seconds.", "Wait.", linkVolumes},
		{"provisioning-failed", "The provisioner cannot serve a claim, for a reason that we do not know.", "Its events have the provisioner's own words.", "The claim's events and the provisioner's log.", linkLocalPath},
		{"class-missing", "The StorageClass of local-path is not there.", "It was deleted, or local_path_provisioner_storage_class was changed.", "Apply it again: surespray addon apply local-path.", linkClasses},
		{"class-foreign", "The StorageClass of that name is of another provisioner.", "Two addons use one name.", "Delete it or choose another name.", linkClasses},
		{"binding-mode-immediate", "The StorageClass binds before a node is chosen.", "local-path needs WaitForFirstConsumer; the mode of a class cannot be changed.", "Delete the class and apply the addon.", linkClasses},
		{"default-annotation-not-true", "A class is not default although its annotation seems to say so.", "Only the text \"true\" counts; Ansible writes a boolean as \"True\".", "local_path_provisioner_is_default_storageclass must be the text \"true\".", "https://github.com/kubernetes-sigs/kubespray/pull/13526"},
		{"no-default-class", "No class is default.", "Claims that name none stay Pending.", "Name a class in the claims, or make one default.", linkClasses},
		{"other-default-class", "Another class is default than the inventory asks for.", "Another addon or somebody made its class default.", "Apply it again: surespray addon apply local-path.", linkClasses},
		{"two-default-classes", "More than one class is default.", "Several addons make their class default; a claim without a class gets the newest.", "Set the annotation of all but one to \"false\".", linkClasses},
		{"access-mode", "A claim asks for an access mode that a node's disk does not have.", "local-path knows ReadWriteOnce and ReadWriteOncePod.", "Change the claim, or use a shared file system.", linkVolumes},
		{"claim-selector", "A claim has a selector.", "local-path does not know selectors.", "Leave it out.", linkVolumes},
		{"pod-pinned-by-node-name", "A pod names its node in spec.nodeName, and its claim waits for ever.", "That passes by the scheduler, which should choose the volume's node.", "nodeSelector in the place of nodeName.", "https://github.com/rancher/local-path-provisioner/issues/383"},
		{"consumer-unschedulable", "A claim waits for a pod that no node takes.", "With WaitForFirstConsumer the volume is made where the pod goes.", "kubectl describe pod says why.", linkVolumes},
		{"claim-lost", "The volume of a claim is gone.", "Somebody deleted it.", "Restore from a backup.", linkVolumes},
		{"node-gone", "A claim has its data on a node that is no more.", "A volume of local-path is bound to its node, so that the claim's pods can run nowhere else. Of a probe it says only that the node was removed meanwhile.", "Bring the node back under its name, or give the data up by deleting the claim.", "https://github.com/rancher/local-path-provisioner#cons"},
		{"data-on-node", "A StatefulSet keeps its data on the disks of nodes.", "A volume of local-path lives and dies with its node.", "Accept it where the application copies its data itself; else another class.", "https://github.com/rancher/local-path-provisioner#cons"},
		{"path-not-under-root", "A volume is not below the path that the configuration has for its node.", "The provisioner has not read a change yet.", "Restart the provisioner.", linkLocalPath},
		{"volume-other-node", "A volume is bound to another node than the pod's.", "The provisioner was led by another pod, or the label kubernetes.io/hostname has changed.", "Look: kubectl describe pv.", linkVolumes},
		{"volume-not-usable", "A pod gets its volume and cannot write to it.", "The directory is there, and its rights or a security policy keep the pod out.", "Look: ls -ldZ on the node.", linkLocalPath},
		{"volume-not-removed", "A volume is not removed with its claim.", "The helper pod that removes the directory fails, or the provisioner is down.", "The provisioner's log.", linkLocalPath},
		{"admission-refused", "A policy refuses our probe.", "PodSecurity, a quota, a webhook or an admission policy. That says nothing about the addon.", "Allow namespaces that begin with surespray-probe-, or try by hand.", linkAdmission},
		{"no-probe-image", "There is no image for a probe that the node has for sure.", "The helper image is not known, and no pause image is listed by the node.", "Give one: --probe-image NAME.", linkVolumes},
		{"probe-image", "The image of a probe cannot be pulled.", "The node does not have it, or its registry is not reached.", "Give one: --probe-image NAME.", linkVolumes},
		{"probe-removed", "A probe was removed while it was under way.", "surespray probes clean somewhere else, or a policy.", "Try again.", linkVolumes},
		{"removing", "A volume of a probe is being removed.", "That takes some seconds.", "Wait.", linkVolumes},
	}
}
