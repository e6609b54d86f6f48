package cluster

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/pem"
	"maps"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/surespray/surespray/verify"
)

// note changes what is said to be captured of a resource.
func (r *Recorder) note(q request, change func(*Captured)) {
	c := r.about.captured(q.resource)
	if c == nil {
		gvr := q.resource
		r.about.Resources = append(r.about.Resources, Captured{
			Group: gvr.Group, Version: gvr.Version, Resource: gvr.Resource, Kind: r.objects.shelf(gvr, "").kind,
		})
		c = &r.about.Resources[len(r.about.Resources)-1]
	}
	c.Namespaced = c.Namespaced || q.namespace != ""
	change(c)
}

func with[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// gone keeps that an object is not there.
func (r *Recorder) gone(q request) {
	delete(r.objects.shelf(q.resource, "").objects, objectKey{q.namespace, q.name})
	r.note(q, func(c *Captured) { c.Names = with(c.Names, q.key()) })
}

// replace puts a list in the place of what it was before: what it does not have any more
// is not there any more.
func (r *Recorder) replace(q request, l Listed, items []map[string]any) {
	sh := r.objects.shelf(q.resource, "")
	if sel, err := newSelection(l.Namespace, l.Labels, l.Fields); err == nil {
		maps.DeleteFunc(sh.objects, sel.fits)
	}
	for _, item := range items {
		o := unstructured.Unstructured{Object: item}
		sh.objects[objectKey{o.GetNamespace(), o.GetName()}] = item
		q.namespace = cmp.Or(q.namespace, o.GetNamespace())
	}
	r.note(q, func(c *Captured) {
		switch {
		case l.Labels != "" || l.Fields != "":
			c.Lists = with(c.Lists, l)
		case l.Namespace == "":
			c.Namespaces = Scope{All: true}
		case !c.Namespaces.All:
			c.Namespaces.Names = with(c.Namespaces.Names, l.Namespace)
		}
	})
}

// Walk lists what the rights allow to list, so that the snapshot serves more than the
// questions of today. Secrets and events are left to whoever asks for some of them: there
// are many, and most are nobody's business; and so is what is read by name. What may not
// be listed is passed over.
func (r *Recorder) Walk(ctx context.Context, rights []verify.Access) error {
	table, err := r.cluster.resources(ctx)
	if err != nil {
		return err
	}
	r.setQuiet(true)
	defer r.setQuiet(false)
	done := map[schema.GroupResource]bool{}
	for _, a := range rights {
		gr := schema.GroupResource{Group: a.Group, Resource: a.Resource}
		if done[gr] || a.Verb != "list" || strings.Contains(a.Resource, "/") || gr.Group == "" && (a.Resource == "secrets" || a.Resource == "events") {
			continue
		}
		done[gr] = true
		if gvr, ok := table.resource(gr); ok {
			r.listAll(ctx, gvr)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// listAll reads a resource to its end. The recorder sees it pass.
func (r *Recorder) listAll(ctx context.Context, gvr schema.GroupVersionResource) {
	_, _ = readPages(ctx, metav1.ListOptions{Limit: pageSize}, func(ctx context.Context, o metav1.ListOptions) ([]struct{}, string, error) {
		l, err := r.cluster.dynamic.Resource(gvr).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return nil, l.GetContinue(), nil
	})
}

func (r *Recorder) setQuiet(quiet bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.quiet = quiet
}

// resource finds the version under which the API server prefers to be asked.
func (t *resourceTable) resource(gr schema.GroupResource) (schema.GroupVersionResource, bool) {
	for _, choices := range t.kinds {
		for _, s := range choices {
			if s.resource.GroupResource() == gr {
				return s.resource, true
			}
		}
	}
	return schema.GroupVersionResource{}, false
}

// finish completes what the folder says of itself.
func (r *Recorder) finish() {
	r.about.Server, r.about.Context = r.cluster.Server(), r.cluster.Context()
	certs := r.cluster.Certificates()
	for name, cert := range map[string]*x509.Certificate{"server": certs.Server, "client": certs.Client} {
		if cert != nil {
			r.about.Certificates[name] = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}))
		}
	}
	slices.SortFunc(r.about.Resources, func(a, b Captured) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Version, b.Version))
	})
}

var _ http.RoundTripper = (*recording)(nil)
