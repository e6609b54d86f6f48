package cluster

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
)

// HPAs lists the HorizontalPodAutoscalers of a namespace; "": of all.
func (c *Cluster) HPAs(ctx context.Context, namespace string) ([]autoscalingv2.HorizontalPodAutoscaler, error) {
	a := access("autoscaling", "horizontalpodautoscalers", "list")
	return pages(ctx, c, a, namespace, "", func(ctx context.Context, o metav1.ListOptions) ([]autoscalingv2.HorizontalPodAutoscaler, string, error) {
		l, err := c.client.AutoscalingV2().HorizontalPodAutoscalers(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// Deployments lists the Deployments of a namespace; "": of all.
func (c *Cluster) Deployments(ctx context.Context, namespace string) ([]appsv1.Deployment, error) {
	return pages(ctx, c, access("apps", "deployments", "list"), namespace, "", func(ctx context.Context, o metav1.ListOptions) ([]appsv1.Deployment, string, error) {
		l, err := c.client.AppsV1().Deployments(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// StatefulSets lists the StatefulSets of a namespace; "": of all.
func (c *Cluster) StatefulSets(ctx context.Context, namespace string) ([]appsv1.StatefulSet, error) {
	return pages(ctx, c, access("apps", "statefulsets", "list"), namespace, "", func(ctx context.Context, o metav1.ListOptions) ([]appsv1.StatefulSet, string, error) {
		l, err := c.client.AppsV1().StatefulSets(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// ConfigMap gets a ConfigMap.
func (c *Cluster) ConfigMap(ctx context.Context, namespace, name string) (*corev1.ConfigMap, error) {
	return get(ctx, c, access("", "configmaps", "get"), namespace, name, func(ctx context.Context) (*corev1.ConfigMap, error) {
		return c.client.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	})
}

// EventsOfKind lists the events about all objects of a kind in a namespace, "": in all.
// Where several objects are in question, one list does for them.
func (c *Cluster) EventsOfKind(ctx context.Context, namespace, kind string) ([]corev1.Event, error) {
	selector := fields.Set{"involvedObject.kind": kind}.String()
	return pages(ctx, c, access("", "events", "list"), namespace, selector, func(ctx context.Context, o metav1.ListOptions) ([]corev1.Event, string, error) {
		o.LabelSelector, o.FieldSelector = "", selector
		l, err := c.client.CoreV1().Events(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}
