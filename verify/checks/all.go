// Package checks holds the checks of a cluster: one file for each addon or area, and
// here the list of all of them.
//
// A check collects objects through verify/cluster and hands them to a pure function
// judge… that returns findings. What is known about how components fail lives in the
// judges, so that it can be tested with objects from files.
package checks

import (
	"context"
	"time"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// Facts are what the inventory and the checkout say, as far as checks need it. The zero
// value stands for "no inventory".
type Facts struct {
	Hosts     []cluster.Host   // the inventory's hosts that are to be nodes; nil: no inventory
	Inventory string           // its name, for messages
	Wanted    map[string]*bool // addon -> asked for; absent or nil: not known
	ByDefault map[string]bool  // addons that are off because nobody has set their switch
	// FirstControlPlane is the host where Kubespray puts the addons' manifests; "": not known.
	FirstControlPlane string
	// KubeletInsecureTLS is metrics_server_kubelet_insecure_tls; nil: not known.
	KubeletInsecureTLS *bool
	// PodsSubnet and ServicesSubnet are kube_pods_subnet and kube_service_addresses; "":
	// not known.
	PodsSubnet, ServicesSubnet string
	Values                     map[string]any    // effective values of the Variables, as far as they are known
	Pinned                     map[string]Pinned // addon -> what this checkout installs; only those that run pods
	KubeVersions               []string          // the versions of Kubernetes that this release knows
	HelmChecksums              []string          // of the archives of the Helm that is pinned, one for each architecture
}

// asked reports whether an addon was asked for: yes, no, or nil for not known.
func (f Facts) asked(addon string) *bool { return f.Wanted[addon] }

// Options are how to look.
type Options struct {
	// Since is when the run ended that is verified: what a log said before it proves
	// nothing. Zero: there was no run.
	Since time.Time
	HPAs  []string // NAMESPACE/NAME of the HPAs to look at; none: all
	// Probe allows to make objects, in a namespace of our own, and to remove them again;
	// ProbeImage is what their pods run, "": an image that the nodes have.
	Probe      bool
	ProbeImage string
	Applied    []string // addons that the run has applied: what they are now, they should be

	NodeEvidence map[string]NodeEvidence // what is seen on the hosts themselves; nil: no route was given
	Traffic      []Traffic               // what a probe between nodes has found; nil: none was made
	// HelmBinaries looks on every control plane for Helm; nil: no route was given.
	HelmBinaries func(context.Context) ([]HelmBinary, error)
	// AskDNS asks CoreDNS for a name from within the cluster, and says what it did; nil:
	// no probe is allowed.
	AskDNS func(context.Context) (string, error)
}

// For returns all checks, in the order of a report. c is asked only when they run.
func For(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	var all []verify.Check
	all = append(all, apiServer(c, f)...)
	all = append(all, nodes(c, f, o)...)
	all = append(all, network(c, f, o)...)
	all = append(all, kubeSystem(c)...)
	all = append(all, coredns(c, f, o)...)
	all = append(all, certificates(c)...)
	all = append(all, metricsServer(c, f, o)...)
	all = append(all, metricsDrift(c, f))
	all = append(all, kubeletCert(c, f, o)...)
	all = append(all, hpas(c, f, o)...)
	all = append(all, localPath(c, f, o)...)
	all = append(all, localPathBind(c, f, o)...)
	all = append(all, helm(c, f, o)...)
	all = append(all, versions(c, f, o)...)
	all = append(all, leftovers(c, f)...)
	return all
}
