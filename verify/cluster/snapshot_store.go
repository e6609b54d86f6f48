package cluster

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// objectKey names an object within its resource.
type objectKey struct{ namespace, name string }

// store holds objects by resource.
type store map[schema.GroupVersionResource]*shelf

// shelf holds the objects of one resource. An object is replaced, never changed: stores
// of later moments share it.
type shelf struct {
	kind     string
	objects  map[objectKey]map[string]any
	complete bool // it was told as a whole: what is not in it is not there
}

func (s store) shelf(r schema.GroupVersionResource, kind string) *shelf {
	sh := s[r]
	if sh == nil {
		sh = &shelf{kind: cmp.Or(kind, kindOf(r)), objects: map[objectKey]map[string]any{}}
		s[r] = sh
	}
	return sh
}

// put adds an object, or puts it in the place of its former state.
func (s store) put(object map[string]any) {
	o := unstructured.Unstructured{Object: object}
	k := o.GroupVersionKind()
	s.shelf(resourceOf(k), k.Kind).objects[objectKey{o.GetNamespace(), o.GetName()}] = object
}

// putList adds the objects of a typed list, which tells all of their kind.
func (s store) putList(apiVersion, kind string, items []map[string]any) {
	k := schema.FromAPIVersionAndKind(apiVersion, kind)
	sh := s.shelf(resourceOf(k), k.Kind)
	sh.complete, sh.objects = true, map[objectKey]map[string]any{}
	for _, item := range items {
		item["apiVersion"], item["kind"] = apiVersion, kind
		s.put(item)
	}
}

// clone is a store whose changes do not reach the first one.
func (s store) clone() store {
	out := store{}
	for r, sh := range s {
		out[r] = &shelf{kind: sh.kind, objects: maps.Clone(sh.objects), complete: sh.complete}
	}
	return out
}

// get finds an object. One without a namespace is also that of "default", as with kubectl.
func (sh *shelf) get(namespace, name string) map[string]any {
	if sh == nil {
		return nil
	}
	if o := sh.objects[objectKey{namespace, name}]; o != nil || namespace != "default" {
		return o
	}
	return sh.objects[objectKey{"", name}]
}

// list returns what a selection fits, in the order of the names.
func (sh *shelf) list(sel selection) []map[string]any {
	out := []map[string]any{}
	if sh == nil {
		return out
	}
	keys := slices.SortedFunc(maps.Keys(sh.objects), func(a, b objectKey) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	})
	for _, k := range keys {
		if sel.fits(k, sh.objects[k]) {
			out = append(out, sh.objects[k])
		}
	}
	return out
}

// selection is what a LIST asks for of a resource.
type selection struct {
	namespace string
	labels    labels.Selector
	fields    fields.Selector
}

func newSelection(namespace, byLabel, byField string) (selection, error) {
	l, err := labels.Parse(byLabel)
	if err != nil {
		return selection{}, err
	}
	f, err := fields.ParseSelector(byField)
	return selection{namespace: namespace, labels: l, fields: f}, err
}

func (sel selection) fits(k objectKey, object map[string]any) bool {
	if sel.namespace != "" && k.namespace != sel.namespace {
		return false
	}
	o := unstructured.Unstructured{Object: object}
	return sel.labels.Matches(labels.Set(o.GetLabels())) && (sel.fields.Empty() || sel.fields.Matches(fieldsOf(object, sel.fields)))
}

// fieldsOf are the fields that a selector asks about; what an object does not have is
// empty, as with the API server.
func fieldsOf(object map[string]any, sel fields.Selector) fields.Set {
	set := fields.Set{}
	for _, r := range sel.Requirements() {
		v, _, _ := unstructured.NestedString(object, strings.Split(r.Field, ".")...)
		set[r.Field] = v
	}
	return set
}
