package cluster

import (
	"context"
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/surespray/surespray/verify"
)

// place is where objects of a kind are read.
type place struct {
	resource  schema.GroupVersionResource
	namespace string // "" for what belongs to the whole cluster
}

// cheapToList is false for what should not be read but by name: Secrets that are none
// of our business, and definitions that are large.
func (p place) cheapToList() bool {
	return p.resource.Resource != "secrets" && p.resource.Resource != "customresourcedefinitions"
}

func (p place) named(name string) string { return strings.TrimPrefix(p.namespace+"/"+name, "/") }

// resourceTable is what the API server says that it has.
type resourceTable struct {
	kinds  map[schema.GroupKind][]served
	failed map[string]error // groups that it has and cannot tell about
	wrap   func(error) error
}

type served struct {
	resource   schema.GroupVersionResource
	namespaced bool
}

// resources asks the API server which kinds it serves. A group whose own server does not
// answer is known by name only.
func (c *Cluster) resources(ctx context.Context) (*resourceTable, error) {
	_, lists, err := discovery.ServerGroupsAndResourcesWithContext(ctx, discovery.ToDiscoveryInterfaceWithContext(c.client.Discovery()))
	t := &resourceTable{kinds: map[schema.GroupKind][]served{}, failed: map[string]error{}}
	var some *discovery.ErrGroupDiscoveryFailed
	switch {
	case errors.As(err, &some):
		for gv, why := range some.Groups {
			t.failed[gv.Group] = why
		}
	case err != nil:
		return nil, c.wrap(err, verify.Access{}, "")
	}
	t.wrap = func(err error) error { return c.wrap(err, verify.Access{}, "") }
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // no version that anything could be asked by
		}
		for _, r := range list.APIResources {
			if !strings.Contains(r.Name, "/") {
				kind := gv.WithKind(r.Kind).GroupKind()
				t.kinds[kind] = append(t.kinds[kind], served{resource: gv.WithResource(r.Name), namespaced: r.Namespaced})
			}
		}
	}
	return t, nil
}

// find says where an object is read: in the version of its manifest, else in another
// that is served. A manifest without a namespace means "default", as with kubectl.
func (t *resourceTable) find(ref Ref) (at place, known bool, err error) {
	gv, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return place{}, false, t.wrap(err)
	}
	choices := t.kinds[gv.WithKind(ref.Kind).GroupKind()]
	if len(choices) == 0 {
		if why := t.failed[gv.Group]; why != nil {
			return place{}, false, t.wrap(why)
		}
		return place{}, false, nil
	}
	s := choices[0]
	for _, choice := range choices {
		if choice.resource.Version == gv.Version {
			s = choice
		}
	}
	at = place{resource: s.resource}
	if s.namespaced {
		if at.namespace = ref.Namespace; at.namespace == "" {
			at.namespace = metav1.NamespaceDefault
		}
	}
	return at, true, nil
}
