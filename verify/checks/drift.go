package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
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

// differences lists what is not as asked for; what is not known is left out.
func differences(d *appsv1.Deployment, c corev1.Container, f Facts) []string {
	var out []string
	add := func(what, live, name string, same func(a, b string) bool) {
		if want := f.text(name); want != "" && !same(live, want) {
			if live == "" {
				live = "none"
			}
			out = append(out, fmt.Sprintf("%s: %s live, %s wanted (%s)", what, live, want, name))
		}
	}
	for _, r := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		add("limits."+string(r), amount(c.Resources.Limits, r), "metrics_server_limits_"+string(r), sameQuantity)
		add("requests."+string(r), amount(c.Resources.Requests, r), "metrics_server_requests_"+string(r), sameQuantity)
	}
	args := append(slices.Clone(c.Command), c.Args...)
	equal := func(a, b string) bool { return a == b }
	add("--secure-port", argument(args, "secure-port"), "metrics_server_container_port", equal)
	add("--kubelet-preferred-address-types", argument(args, "kubelet-preferred-address-types"), "metrics_server_kubelet_preferred_address_types", equal)
	add("--metric-resolution", argument(args, "metric-resolution"), "metrics_server_metric_resolution", sameDuration)
	boolean := func(what string, live bool, name string) {
		if want := f.flag(name); want != nil && *want != live {
			out = append(out, fmt.Sprintf("%s: %t live, %t wanted (%s)", what, live, *want, name))
		}
	}
	boolean("--kubelet-insecure-tls", argument(args, "kubelet-insecure-tls") == "true", "metrics_server_kubelet_insecure_tls")
	boolean("hostNetwork", d.Spec.Template.Spec.HostNetwork, "metrics_server_host_network")
	replicas := int32(1)
	if d.Spec.Replicas != nil {
		replicas = *d.Spec.Replicas
	}
	add("replicas", fmt.Sprint(replicas), "metrics_server_replicas", equal)
	return out
}

func amount(list corev1.ResourceList, name corev1.ResourceName) string {
	q, ok := list[name]
	if !ok {
		return ""
	}
	return q.String()
}

func sameQuantity(a, b string) bool {
	x, err1 := resource.ParseQuantity(a)
	y, err2 := resource.ParseQuantity(b)
	return err1 == nil && err2 == nil && x.Cmp(y) == 0
}

func sameDuration(a, b string) bool {
	x, err1 := time.ParseDuration(a)
	y, err2 := time.ParseDuration(b)
	return err1 == nil && err2 == nil && x == y
}

// argument is the value of a flag; "true" for one without, "" where it is not there. The
// last one counts.
func argument(args []string, name string) string {
	value := ""
	for i, a := range args {
		a = strings.TrimLeft(a, "-")
		switch v, ok := strings.CutPrefix(a, name+"="); {
		case ok:
			value = v
		case a == name && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			value = args[i+1]
		case a == name:
			value = "true"
		}
	}
	return value
}
