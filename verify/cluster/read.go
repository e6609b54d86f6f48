package cluster

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
)

// pageSize is how many objects one request of a list asks for.
const pageSize = 500

// get reads one object, shared within a round, its error classified.
func get[T any](ctx context.Context, c *Cluster, a verify.Access, namespace, name string, read func(context.Context) (T, error)) (T, error) {
	where := strings.TrimPrefix(namespace+"/"+name, "/")
	return Share(ctx, c, fmt.Sprint(a, where), func(ctx context.Context) (T, error) {
		v, err := read(ctx)
		return v, c.wrap(err, a, where)
	})
}

// pages reads a list page by page, shared within a round. A list that cannot be read to
// its end is an error.
func pages[T any](ctx context.Context, c *Cluster, a verify.Access, namespace, selector string, page func(context.Context, metav1.ListOptions) ([]T, string, error)) ([]T, error) {
	where := strings.TrimSpace(namespace + " " + selector)
	return Share(ctx, c, fmt.Sprint(a, where), func(ctx context.Context) ([]T, error) {
		all, err := readPages(ctx, metav1.ListOptions{LabelSelector: selector, Limit: pageSize}, page)
		return all, c.wrap(err, a, where)
	})
}

func readPages[T any](ctx context.Context, o metav1.ListOptions, page func(context.Context, metav1.ListOptions) ([]T, string, error)) ([]T, error) {
	all := []T{}
	for {
		items, next, err := page(ctx, o)
		if apierrors.IsResourceExpired(err) && o.Continue != "" {
			// The list grew too old between two pages: read it in one.
			all, o.Continue, o.Limit = all[:0], "", 0
			continue
		}
		if err != nil {
			return nil, err
		}
		if all = append(all, items...); next == "" {
			return all, nil
		}
		o.Continue = next
	}
}
