package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const msDrift = "metrics-server.drift"

// driftVariables are those that metrics-server's Deployment is made of.
func driftVariables() []string {
	return []string{
		"metrics_server_limits_cpu", "metrics_server_limits_memory", "metrics_server_requests_cpu", "metrics_server_requests_memory",
		"metrics_server_container_port", "metrics_server_kubelet_insecure_tls", "metrics_server_kubelet_preferred_address_types",
		"metrics_server_metric_resolution", "metrics_server_host_network", "metrics_server_replicas",
	}
}

func metricsDrift(c *cluster.Cluster, f Facts) verify.Check {
	return verify.Check{
		ID: msDrift, Title: "The Deployment of metrics-server is what the inventory asks for", Area: metricsServerAddon,
		Needs:  []string{apiHealth, apiIdentity, msAPIService},
		Access: []verify.Access{right("apps", "deployments", "get")},
		Help: "Compares resources, arguments, replicas and network of the live Deployment with the variables metrics_server_…. " +
			"A re-run that changes nothing in the cluster, a change by hand and a leftover addon-resizer show here. " +
			"Fix: surespray addon apply metrics-server. https://github.com/kubernetes-sigs/kubespray/blob/master/roles/kubernetes-apps/metrics_server/defaults/main.yml",
		Run: func(ctx context.Context) []verify.Finding {
			return []verify.Finding{judgeDrift(look(c.Deployment(ctx, metav1.NamespaceSystem, metricsServerAddon)), f)}
		},
	}
}

// judgeDrift compares by meaning: 0.1 and 100m, 60s and 1m are the same.
func judgeDrift(d seen[*appsv1.Deployment], f Facts) verify.Finding {
	known := slices.ContainsFunc(driftVariables(), func(name string) bool { return f.text(name) != "" })
	switch {
	case d.absent() && yes(f.asked(metricsServerAddon)):
		return verify.Because(msAPIService, "there is no Deployment to compare")
	case d.absent():
		return verify.Skip("metrics-server is not there, and not asked for")
	case d.blind():
		return unseen(d.err)
	case no(f.asked(metricsServerAddon)):
		return verify.Skip("the inventory does not ask for metrics-server: there is nothing that it should be")
	case !known:
		return verify.Skip("what the inventory asks for is not known: give it with -i")
	}
	c, others := ownContainer(d.value)
	lines := differences(d.value, c, f)
	writer := resizer(others)
	switch {
	case len(lines) == 0 && writer == "":
		return verify.Pass("resources, arguments and network are what the inventory asks for")
	case len(lines) == 0:
		return verify.Warn("leftover-resizer", "a container of an older release is still in the Deployment, and may change its resources at any time").
			Seen("container " + writer).Mend(resizerFix)
	}
	g := verify.Fail("live-differs-from-inventory", "the live Deployment differs from the inventory: %s", lines[0]).Seen(lines...)
	if len(lines) > 1 {
		g.Summary += fmt.Sprintf(", and %d more", len(lines)-1)
	}
	if writer != "" {
		return g.Seen("another writer: container " + writer + " in the same pods rewrites the resources").Mend(resizerFix)
	}
	return g.Mend(applyFix, "kubectl -n kube-system get deployment metrics-server -o yaml --show-managed-fields (who changed it), where applying it again does not help")
}

const resizerFix = "remove the leftover resizer with the old Deployment, and apply the addon again: kubectl -n kube-system delete deployment metrics-server && " + applyFix

// ownContainer is metrics-server's own, and the names of those beside it.
func ownContainer(d *appsv1.Deployment) (own corev1.Container, others []corev1.Container) {
	list := d.Spec.Template.Spec.Containers
	i := max(0, slices.IndexFunc(list, func(c corev1.Container) bool { return c.Name == metricsServerAddon }))
	for j, c := range list {
		if j == i {
			own = c
		} else {
			others = append(others, c)
		}
	}
	return own, others
}

// resizer is a container that older releases put beside metrics-server: it sets the
// resources by the number of nodes, whatever the inventory says.
func resizer(others []corev1.Container) string {
	for _, c := range others {
		if strings.Contains(c.Name, "nanny") || strings.Contains(c.Image, "addon-resizer") {
			return fmt.Sprintf("%s (%s)", c.Name, c.Image)
		}
	}
	return ""
}
