package explain

const (
	linkCNI      = "https://github.com/kubernetes-sigs/kubespray/blob/master/docs/CNI/cni.md"
	linkPools    = "https://docs.tigera.io/calico/latest/reference/resources/ippool"
	linkMigrate  = "https://docs.tigera.io/calico/latest/networking/ipam/migrate-pools"
	linkUpgrades = "https://github.com/kubernetes-sigs/kubespray/blob/master/docs/operations/upgrades.md"
	linkCSR      = "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/#certificate-rotation"
	linkRenew    = "https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/"
	linkHelm     = "https://helm.sh/docs/topics/advanced/#storage-backends"
)

// groundCauses are those of what everything stands on: nodes, their network, versions,
// certificates, Helm.
func groundCauses() []Entry {
	return []Entry{
		{"version-drift", "Another version runs than the one that this checkout installs.", "The checkout or the inventory was updated and not applied, or somebody changed the image by hand.", "Apply it: surespray addon apply NAME; for Kubernetes itself surespray run upgrade-cluster.yml.", linkUpgrades},
		{"version-outside-release", "The API server has a version that this release of Kubespray does not know.", "The cluster was installed by another release. An older one would take the control plane back.", "Use the checkout that fits; upgrade by one minor version at a time.", linkUpgrades},
		{"cni-not-installed", "The nodes wait for a network plugin that is yours to install.", "With kube_network_plugin cni or none Kubespray installs none, and no DaemonSet in the cluster brings one. Waiting changes nothing.", "Install your plugin for the pod network of the inventory, then verify again.", linkCNI},
		{"node-pressure", "A node is Ready and lacks memory, disk or process ids.", "The kubelet evicts pods there and takes no new ones.", "Look at the node with kubectl describe node, and make room.", "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/"},
		{"node-uninitialized", "A node waits for the cloud controller manager.", "Its kubelet runs with an external cloud provider, and nobody has removed the taint.", "Install or mend the cloud controller manager.", "https://kubernetes.io/docs/tasks/administer-cluster/running-cloud-controller/"},
		{"network-plugin-absent", "The network plugin that the inventory asks for is not in the cluster.", "The run stopped before it, or somebody removed it.", "surespray run cluster.yml --tags network,download.", linkCNI},
		{"other-network-plugin", "The cluster runs another network plugin than the inventory asks for.", "kube_network_plugin was changed after the installation, or it is another cluster. Pod ranges and routes hang on the plugin, so a run cannot exchange it; it would install a second one.", "Put the plugin that runs into the inventory; for another one build a new cluster.", "https://github.com/kubernetes-sigs/kubespray/issues/2493"},
		{"two-network-plugins", "Two network plugins run in the cluster.", "A plugin was changed and the old one not removed. Each node uses the first file of /etc/cni/net.d by name.", "Remove the objects and the files of the one that is not asked for.", "https://github.com/kubernetes-sigs/kubespray/issues/2493"},
		{"plugin-not-everywhere", "The network plugin is not meant for every node.", "A node selector or a missing toleration leaves nodes out, and the DaemonSet counts as complete.", "Mend the selector or the labels of the nodes.", linkCNI},
		{"pool-missing", "Calico's address pool of Kubespray is not there.", "It was deleted or renamed, or calico_pool_name was changed.", "surespray run cluster.yml --tags network,download makes it again.", linkPools},
		{"pool-invalid", "An address pool has a value that calico does not know.", "The API server accepts anything there; calicoctl checks it.", "Mend it with calicoctl.sh on a control plane.", linkPools},
		{"pool-disabled", "Calico's address pool of Kubespray is disabled.", "A migration to another pool was begun, or somebody disabled it.", "Enable it, or name the new pool in calico_pool_name.", linkMigrate},
		{"second-pool", "There is an address pool that is not Kubespray's.", "calico-node makes one where it finds none, and people make their own; pods get addresses of any.", "Delete it when no pod uses it, or accept it.", linkPools},
		{"encapsulation-drift", "The tunnel between the nodes is another than the inventory asks for.", "Kubespray's default changed with a release, or the inventory was changed. Kubespray stops at it in the middle of its next full run.", "Put what the cluster has into the inventory, or migrate to a new pool.", linkMigrate},
		{"pool-range-drift", "The address pool has another range than the inventory asks for.", "kube_pods_subnet or calico_pool_cidr was changed after the installation.", "Put what the cluster has into the inventory, or migrate to a new pool.", linkMigrate},
		{"pool-blocksize-drift", "The address pool has another block size than the inventory asks for.", "Kubespray's default changed with a release; a pool keeps its own.", "Set calico_pool_blocksize to what the cluster has.", linkMigrate},
		{"coredns-absent", "CoreDNS is asked for and not in the cluster.", "The run stopped before it, or somebody removed it.", "surespray run cluster.yml --tags coredns.", "https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/"},
		{"dns-silent", "A query from a pod to CoreDNS got no answer.", "CoreDNS runs; the way to it is closed, or it cannot reach the API server or its own upstream.", "Look at its log, then at the network between the nodes.", "https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/"},
		{"certificate-expired", "A certificate is no longer valid.", "kubeadm's live for a year and are renewed by an upgrade, Kubespray's renewal timer or by hand.", "Renew it: kubeadm certs renew all on each control plane; a kubelet's by restarting the kubelet.", linkRenew},
		{"certificate-expiring", "A certificate ends within 30 days, or within the last third of a short life.", "kubeadm's live for a year and are renewed by an upgrade, Kubespray's renewal timer or by hand.", "Renew it before its end: kubeadm certs renew all on each control plane.", linkRenew},
		{"kubelet-csr-pending", "A kubelet waits for its serving certificate to be approved.", "Kubernetes never approves such requests by itself: the CSR approver does, or somebody. Without the certificate logs, exec and metrics of the node fail.", "kubectl certificate approve NAME, or mend the approver.", linkCSR},
		{"kubelet-csr-denied", "The serving certificate of a kubelet was denied.", "The CSR approver denies names that DNS does not know, and addresses that do not fit.", "Set kubelet_csr_approver_values: {bypassDnsResolution: true} or mend DNS, then restart the kubelet.", linkCSR},
		{"kubelet-csr-failed", "The serving certificate of a kubelet could not be signed.", "The controller manager refuses what the request asks for.", "Read the controller manager's log, then restart the kubelet.", linkCSR},
		{"kubelet-csr-unsigned", "The serving certificate of a kubelet is approved and not signed.", "The controller manager signs; it is down, or has no key of the CA.", "Look at the controller manager.", linkCSR},
		{"certificate-unreadable", "An issued certificate cannot be read.", "What the request holds is no certificate.", "Look at it: kubectl get csr NAME -o yaml.", linkCSR},
		{"live-differs-from-inventory", "What is in the cluster is not what the inventory asks for.", "A change was not applied, somebody changed the object by hand, or something else writes it.", "Apply the addon again; remove the other writer.", ""},
		{"leftover-resizer", "A container of an older release is still beside metrics-server.", "The addon-resizer sets the resources by the number of nodes, whatever the inventory says; applying a manifest does not remove a container that is not in it.", "Delete the Deployment and apply the addon again.", "https://github.com/kubernetes-sigs/kubespray/issues/8010"},
		{"oomkilled", "A container was killed because it needed more memory than its limit.", "The limit is too low for the size of the cluster, or not the one that the inventory has.", "Raise the limit in the inventory and apply the addon; look whether the live limit agrees.", "https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/"},
		{"helm-pending", "A release of Helm is in the middle of a change.", "Helm was stopped while it worked. Until it is settled, every upgrade says that another operation is in progress.", "helm rollback, or helm uninstall for one that was never installed.", linkHelm},
		{"helm-failed", "The last change of a release of Helm failed.", "What it installed did not become ready in time, or was refused.", "helm status RELEASE --show-desc says why; helm rollback goes back.", linkHelm},
		{"helm-missing", "Helm is not on a control plane.", "The addon was not applied there; Kubespray installs it on every control plane.", "surespray addon apply helm.", ""},
		{"helm-broken", "Helm on a control plane does not run.", "The file is damaged, or of another architecture.", "surespray addon apply helm.", ""},
		{"helm-archive-checksum", "The archive that Helm was unpacked from is not the one that is pinned.", "A mirror has another file, or the checksum was not updated with the version.", "Delete the archive and apply the addon; with an own mirror set helm_archive_checksum.", ""},
		{"helm-binaries-differ", "Control planes have different files as the same version of Helm.", "One of them was not installed by Kubespray.", "surespray addon apply helm.", ""},
	}
}
