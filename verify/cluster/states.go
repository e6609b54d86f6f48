package cluster

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/surespray/surespray/verify"
)

// Ref names an object as a manifest does.
type Ref struct {
	APIVersion, Kind, Namespace, Name string
}

// Bounds of reading states.
const (
	readersAtOnce = 8
	listFrom      = 4 // from so many objects of one kind and namespace on they are listed
)

// States reads objects, in the order of the refs, with few requests: those of one kind
// and namespace are listed where more than a few are asked for. What cannot be looked at
// has an error of its own and spoils no other. An API that the server does not have has
// no objects.
func (c *Cluster) States(ctx context.Context, refs []Ref) []State {
	states := make([]State, len(refs))
	table, err := c.resources(ctx)
	groups := map[place][]int{}
	for i, ref := range refs {
		states[i] = State{Ref: ref, Err: err}
		if err != nil {
			continue
		}
		at, known, failed := table.find(ref)
		if states[i].Err = failed; failed != nil || !known {
			continue
		}
		states[i].Ref.Namespace = at.namespace
		groups[at] = append(groups[at], i)
	}
	gate := make(chan struct{}, readersAtOnce)
	var wg sync.WaitGroup
	for at, members := range groups {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.readGroup(ctx, at, members, states, gate)
		}()
	}
	wg.Wait()
	return states
}

// readGroup fills the states of one kind and namespace.
func (c *Cluster) readGroup(ctx context.Context, at place, members []int, states []State, gate chan struct{}) {
	if len(members) >= listFrom && at.cheapToList() {
		objects, err := c.listAll(ctx, at, gate)
		if KindOf(err) != KindForbidden {
			for _, i := range members {
				states[i].take(objects[states[i].Ref.Name], err)
			}
			return
		}
		// Whoever may not list may still get some by name.
	}
	var wg sync.WaitGroup
	for _, i := range members {
		wg.Add(1)
		go func() {
			defer wg.Done()
			gate <- struct{}{}
			defer func() { <-gate }()
			object, err := c.door(at).Get(ctx, states[i].Ref.Name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				object, err = nil, nil
			}
			states[i].take(object, c.wrap(err, at.access("get"), at.named(states[i].Ref.Name)))
		}()
	}
	wg.Wait()
}

func (c *Cluster) listAll(ctx context.Context, at place, gate chan struct{}) (map[string]*unstructured.Unstructured, error) {
	gate <- struct{}{}
	defer func() { <-gate }()
	items, err := readPages(ctx, metav1.ListOptions{Limit: pageSize}, func(ctx context.Context, o metav1.ListOptions) ([]unstructured.Unstructured, string, error) {
		l, err := c.door(at).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.GetContinue(), nil
	})
	if err != nil {
		return nil, c.wrap(err, at.access("list"), at.namespace)
	}
	byName := make(map[string]*unstructured.Unstructured, len(items))
	for i := range items {
		byName[items[i].GetName()] = &items[i]
	}
	return byName, nil
}

func (c *Cluster) door(at place) dynamic.ResourceInterface {
	if at.namespace == "" {
		return c.dynamic.Resource(at.resource)
	}
	return c.dynamic.Resource(at.resource).Namespace(at.namespace)
}

func (p place) access(verb string) verify.Access {
	return access(p.resource.Group, p.resource.Resource, verb)
}
