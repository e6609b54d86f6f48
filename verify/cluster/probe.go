package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What marks the objects of a probe, so that they can be found and removed by anybody.
const (
	ManagedBy   = "app.kubernetes.io/managed-by"
	Manager     = "surespray"
	Expires     = "surespray.io/expires" // an RFC 3339 time, after which every start removes it
	probePrefix = "surespray-probe-"
	probeLife   = 15 * time.Minute
	goodbye     = 20 * time.Second // how long the removal may take at the end
)

// Probe is a namespace of our own, in which something is tried.
type Probe struct {
	Namespace string

	c       *Cluster
	expires string
}

// probes are those that this process has begun and not seen gone.
type probes struct {
	mu    sync.Mutex
	begun map[string]bool
	swept bool
}

// StartProbe makes a namespace for a probe. What earlier processes left and has expired
// is removed first. EndProbes removes it, whatever became of the probe.
func (c *Cluster) StartProbe(ctx context.Context) (*Probe, error) {
	c.sweepOnce(ctx)
	random := make([]byte, 4)
	_, _ = rand.Read(random) // never fails
	p := &Probe{c: c, Namespace: probePrefix + hex.EncodeToString(random), expires: c.Now().Add(probeLife).UTC().Format(time.RFC3339)}
	c.probes.mu.Lock()
	if c.probes.begun == nil {
		c.probes.begun = map[string]bool{}
	}
	c.probes.begun[p.Namespace] = true // before it is there: an answer may get lost
	c.probes.mu.Unlock()
	_, err := c.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: p.meta(p.Namespace)}, metav1.CreateOptions{})
	if apierrors.IsForbidden(err) {
		c.probes.forget(p.Namespace) // it was refused, so that nothing is there
	}
	if err != nil {
		return nil, c.wrap(err, access("", "namespaces", "create"), p.Namespace)
	}
	return p, nil
}

// meta names an object of the probe and marks it.
func (p *Probe) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Labels: map[string]string{ManagedBy: Manager}, Annotations: map[string]string{Expires: p.expires}}
}

// CreatePod makes a pod in the probe's namespace.
func (p *Probe) CreatePod(ctx context.Context, name string, spec corev1.PodSpec) error {
	_, err := p.c.client.CoreV1().Pods(p.Namespace).Create(ctx, &corev1.Pod{ObjectMeta: p.meta(name), Spec: spec}, metav1.CreateOptions{})
	return p.c.wrap(err, access("", "pods", "create"), p.Namespace+"/"+name)
}

// CreateClaim makes a claim in the probe's namespace.
func (p *Probe) CreateClaim(ctx context.Context, name string, spec corev1.PersistentVolumeClaimSpec) error {
	_, err := p.c.client.CoreV1().PersistentVolumeClaims(p.Namespace).Create(ctx, &corev1.PersistentVolumeClaim{ObjectMeta: p.meta(name), Spec: spec}, metav1.CreateOptions{})
	return p.c.wrap(err, access("", "persistentvolumeclaims", "create"), p.Namespace+"/"+name)
}

// Remove deletes a pod and a claim of the probe. What is gone already is no error.
func (p *Probe) Remove(ctx context.Context, pod, claim string) error {
	at := int64(0)
	err := p.c.client.CoreV1().Pods(p.Namespace).Delete(ctx, pod, metav1.DeleteOptions{GracePeriodSeconds: &at})
	if err != nil && !apierrors.IsNotFound(err) {
		return p.c.wrap(err, access("", "pods", "delete"), p.Namespace+"/"+pod)
	}
	err = p.c.client.CoreV1().PersistentVolumeClaims(p.Namespace).Delete(ctx, claim, metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return p.c.wrap(err, access("", "persistentvolumeclaims", "delete"), p.Namespace+"/"+claim)
	}
	return nil
}

// DropWithClaim has a volume removed with its claim, where its class would keep it.
func (p *Probe) DropWithClaim(ctx context.Context, volume string) error {
	patch := []byte(`{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}`)
	_, err := p.c.client.CoreV1().PersistentVolumes().Patch(ctx, volume, types.MergePatchType, patch, metav1.PatchOptions{})
	return p.c.wrap(err, access("", "persistentvolumes", "patch"), volume)
}

// End begins to remove the probe with all that is in it; it does not wait.
func (p *Probe) End(ctx context.Context) error { return p.c.deleteNamespace(ctx, p.Namespace) }

// EndProbes removes what this process has begun, and waits until it is gone. It works
// after ctx was cancelled too, within a deadline of its own. An error says what is left.
func (c *Cluster) EndProbes(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	return c.endProbes(ctx)
}

func (c *Cluster) endProbes(ctx context.Context) error {
	var failed []error
	for _, name := range c.probes.names() {
		err := c.deleteNamespace(ctx, name)
		for err == nil {
			var ns *corev1.Namespace
			if ns, err = c.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
				c.probes.forget(name)
				err = nil
				break
			}
			if err == nil && !pause(ctx, 200*time.Millisecond) {
				err = errors.New("it is being removed, and not gone yet" + stuck(ns))
			}
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("the probe's namespace %s is left (surespray probes clean): %w", name, err))
		}
	}
	return errors.Join(failed...)
}

// IsProbe reports whether a namespace is one of our probes, by its name.
func IsProbe(namespace string) bool { return strings.HasPrefix(namespace, probePrefix) }

func (c *Cluster) deleteNamespace(ctx context.Context, name string) error {
	err := c.client.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // gone, or on its way
	}
	return c.wrap(err, access("", "namespaces", "delete"), name)
}
