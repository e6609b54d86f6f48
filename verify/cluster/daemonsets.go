package cluster

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DaemonSets lists the DaemonSets of a namespace; "": of all.
func (c *Cluster) DaemonSets(ctx context.Context, namespace string) ([]appsv1.DaemonSet, error) {
	return pages(ctx, c, access("apps", "daemonsets", "list"), namespace, "", func(ctx context.Context, o metav1.ListOptions) ([]appsv1.DaemonSet, string, error) {
		l, err := c.client.AppsV1().DaemonSets(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// DaemonSet gets a DaemonSet.
func (c *Cluster) DaemonSet(ctx context.Context, namespace, name string) (*appsv1.DaemonSet, error) {
	return get(ctx, c, access("apps", "daemonsets", "get"), namespace, name, func(ctx context.Context) (*appsv1.DaemonSet, error) {
		return c.client.AppsV1().DaemonSets(namespace).Get(ctx, name, metav1.GetOptions{})
	})
}
