package cluster

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// metricsGroup is where resources are not called after their kinds: "nodes" are
// NodeMetrics.
const metricsGroup = "metrics.k8s.io"

// resourceOf is the resource under which objects of a kind are asked for.
func resourceOf(k schema.GroupVersionKind) schema.GroupVersionResource {
	if k.Group == metricsGroup {
		return k.GroupVersion().WithResource(strings.ToLower(strings.TrimSuffix(k.Kind, "Metrics")) + "s")
	}
	plural, _ := meta.UnsafeGuessKindToResource(k)
	return plural
}

// kindOf is the kind of the objects of a resource: as the API has it where it is known,
// else a name that can be read as one.
func kindOf(r schema.GroupVersionResource) string {
	if r.Group == metricsGroup {
		return title(strings.TrimSuffix(r.Resource, "s")) + "Metrics"
	}
	for kind := range scheme.Scheme.KnownTypes(r.GroupVersion()) {
		if !strings.HasSuffix(kind, "List") && resourceOf(r.GroupVersion().WithKind(kind)) == r {
			return kind
		}
	}
	return title(strings.TrimSuffix(r.Resource, "s"))
}

func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// request is what a path of the API asks for.
type request struct {
	resource        schema.GroupVersionResource
	namespace, name string
	sub             string // such as log
}

// parsePath reads a path below /api/v1 or /apis. False: it asks for no object.
func parsePath(path string) (request, bool) {
	words := strings.Split(strings.Trim(path, "/"), "/")
	var q request
	switch {
	case len(words) > 2 && words[0] == "api":
		q.resource.Version, words = words[1], words[2:]
	case len(words) > 3 && words[0] == "apis":
		q.resource.Group, q.resource.Version, words = words[1], words[2], words[3:]
	default:
		return request{}, false
	}
	if words[0] == "namespaces" && len(words) > 2 {
		q.namespace, words = words[1], words[2:]
	}
	words = append(words, "", "")
	q.resource.Resource, q.name, q.sub = words[0], words[1], words[2]
	return q, true
}

// String is the request as people write it: deployments.apps kube-system/metrics-server.
func (q request) String() string {
	return strings.TrimSpace(q.resource.GroupResource().String() + " " + q.key())
}

// key is NAMESPACE/NAME, as far as they are given.
func (q request) key() string { return strings.Trim(q.namespace+"/"+q.name, "/") }
