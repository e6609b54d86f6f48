package cluster

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ProbeNamespace is a namespace that a probe of ours has made, of any process.
type ProbeNamespace struct {
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	State   string    `json:"state"`             // Active or Terminating
	Stuck   string    `json:"stuck,omitempty"`   // why it does not go
	Volumes []string  `json:"volumes,omitempty"` // that are bound to its claims
}

// Probes lists the namespaces that probes have made. Only what has our label, our name
// and an expiry counts: nobody else's namespace is touched.
func (c *Cluster) Probes(ctx context.Context) ([]ProbeNamespace, error) {
	all, err := readPages(ctx, metav1.ListOptions{LabelSelector: ManagedBy + "=" + Manager, Limit: pageSize}, func(ctx context.Context, o metav1.ListOptions) ([]corev1.Namespace, string, error) {
		l, err := c.client.CoreV1().Namespaces().List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
	if err != nil {
		return nil, c.wrap(err, access("", "namespaces", "list"), "")
	}
	out := []ProbeNamespace{}
	for _, ns := range all {
		expires, err := time.Parse(time.RFC3339, ns.Annotations[Expires])
		if !IsProbe(ns.Name) || err != nil {
			continue
		}
		out = append(out, ProbeNamespace{
			Name: ns.Name, Created: ns.CreationTimestamp.Time, Expires: expires, State: string(ns.Status.Phase),
			Stuck: strings.TrimPrefix(stuck(&ns), ": "),
		})
	}
	if len(out) > 0 {
		volumes, err := c.Volumes(ctx)
		for i := range out {
			for _, v := range volumes {
				if err == nil && v.Spec.ClaimRef != nil && v.Spec.ClaimRef.Namespace == out[i].Name {
					out[i].Volumes = append(out[i].Volumes, v.Name)
				}
			}
		}
	}
	return out, nil
}

// RemoveProbes removes the namespaces named, which Probes has listed, and waits until
// they are gone. An error says what is left.
func (c *Cluster) RemoveProbes(ctx context.Context, names []string) error {
	c.probes.mu.Lock()
	if c.probes.begun == nil {
		c.probes.begun = map[string]bool{}
	}
	for _, name := range names {
		if IsProbe(name) {
			c.probes.begun[name] = true
		}
	}
	c.probes.mu.Unlock()
	return c.EndProbes(ctx)
}

// sweepOnce begins to remove what has expired. It is on the way to something else, so
// that its failing fails nothing: the next start tries again.
func (c *Cluster) sweepOnce(ctx context.Context) {
	c.probes.mu.Lock()
	swept := c.probes.swept
	c.probes.swept = true
	c.probes.mu.Unlock()
	if swept {
		return
	}
	left, err := c.Probes(ctx)
	if err != nil {
		return
	}
	for _, p := range left {
		if p.Expires.Before(c.Now()) && p.State != string(corev1.NamespaceTerminating) {
			_ = c.deleteNamespace(ctx, p.Name)
		}
	}
}

func (p *probes) names() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.begun))
}

func (p *probes) forget(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.begun, name)
}

// stuck says why a namespace does not go, as its conditions tell.
func stuck(ns *corev1.Namespace) string {
	for _, c := range ns.Status.Conditions {
		if c.Status == corev1.ConditionTrue && c.Type != corev1.NamespaceContentRemaining && c.Type != corev1.NamespaceFinalizersRemaining {
			return ": " + c.Message
		}
	}
	for _, c := range ns.Status.Conditions {
		if c.Status == corev1.ConditionTrue {
			return ": " + c.Message
		}
	}
	return ""
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
