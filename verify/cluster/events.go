package cluster

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
)

// Events lists the events about one object, the latest last.
func (c *Cluster) Events(ctx context.Context, namespace, kind, name string) ([]corev1.Event, error) {
	o := metav1.ListOptions{
		FieldSelector: fields.Set{"involvedObject.kind": kind, "involvedObject.name": name}.String(), Limit: pageSize,
	}
	a := access("", "events", "list")
	return get(ctx, c, a, namespace, kind+" "+name, func(ctx context.Context) ([]corev1.Event, error) {
		l, err := c.client.CoreV1().Events(namespace).List(ctx, o)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(l.Items, func(x, y corev1.Event) int { return EventTime(x).Compare(EventTime(y)) })
		return l.Items, nil
	})
}

// EventTime is when an event last happened; its three fields are filled by different
// versions of the components.
func EventTime(e corev1.Event) time.Time {
	switch {
	case e.Series != nil && !e.Series.LastObservedTime.IsZero():
		return e.Series.LastObservedTime.Time
	case !e.LastTimestamp.IsZero():
		return e.LastTimestamp.Time
	case !e.EventTime.IsZero():
		return e.EventTime.Time
	}
	return e.CreationTimestamp.Time
}
