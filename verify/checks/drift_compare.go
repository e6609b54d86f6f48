package checks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

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
