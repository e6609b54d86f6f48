package cluster

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// StorageClasses lists the classes.
func (c *Cluster) StorageClasses(ctx context.Context) ([]storagev1.StorageClass, error) {
	return pages(ctx, c, access("storage.k8s.io", "storageclasses", "list"), "", "", func(ctx context.Context, o metav1.ListOptions) ([]storagev1.StorageClass, string, error) {
		l, err := c.client.StorageV1().StorageClasses().List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// Claims lists the PersistentVolumeClaims of a namespace; "": of all.
func (c *Cluster) Claims(ctx context.Context, namespace string) ([]corev1.PersistentVolumeClaim, error) {
	a := access("", "persistentvolumeclaims", "list")
	return pages(ctx, c, a, namespace, "", func(ctx context.Context, o metav1.ListOptions) ([]corev1.PersistentVolumeClaim, string, error) {
		l, err := c.client.CoreV1().PersistentVolumeClaims(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// Volumes lists the PersistentVolumes.
func (c *Cluster) Volumes(ctx context.Context) ([]corev1.PersistentVolume, error) {
	return pages(ctx, c, access("", "persistentvolumes", "list"), "", "", func(ctx context.Context, o metav1.ListOptions) ([]corev1.PersistentVolume, string, error) {
		l, err := c.client.CoreV1().PersistentVolumes().List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// Volume gets a PersistentVolume.
func (c *Cluster) Volume(ctx context.Context, name string) (*corev1.PersistentVolume, error) {
	return get(ctx, c, access("", "persistentvolumes", "get"), "", name, func(ctx context.Context) (*corev1.PersistentVolume, error) {
		return c.client.CoreV1().PersistentVolumes().Get(ctx, name, metav1.GetOptions{})
	})
}
