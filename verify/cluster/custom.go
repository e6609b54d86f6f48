package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// IPPools lists calico's address pools, as they are stored: the definition of the
// resource accepts anything, so nothing about their fields is certain. Not found: the
// cluster does not have the resource.
func (c *Cluster) IPPools(ctx context.Context) ([]unstructured.Unstructured, error) {
	return c.custom(ctx, schema.GroupVersionResource{Group: "crd.projectcalico.org", Version: "v1", Resource: "ippools"})
}

// custom lists the objects of a resource that belongs to the whole cluster.
func (c *Cluster) custom(ctx context.Context, r schema.GroupVersionResource) ([]unstructured.Unstructured, error) {
	return pages(ctx, c, access(r.Group, r.Resource, "list"), "", "", func(ctx context.Context, o metav1.ListOptions) ([]unstructured.Unstructured, string, error) {
		l, err := c.dynamic.Resource(r).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.GetContinue(), nil
	})
}
