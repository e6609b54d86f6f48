package cluster

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// State is what was seen of an object. Its content stays in this package: reports tell
// which fields differ, never what stands in them.
type State struct {
	Ref     Ref // its namespace as the API server has it
	Present bool
	Err     error // it could not be looked at; Present says nothing then
	UID     string
	Images  []string // of a workload: its containers', then those of its init containers

	version string // the API server's, the same for the same content
	content map[string]any
}

func (s *State) take(o *unstructured.Unstructured, err error) {
	s.Err = err
	if err != nil || o == nil {
		return
	}
	s.Present, s.UID, s.version = true, string(o.GetUID()), o.GetResourceVersion()
	s.Images = images(o.Object)
	s.content = content(o.Object)
}

// images are those of a pod template.
func images(object map[string]any) []string {
	var out []string
	for _, field := range []string{"containers", "initContainers"} {
		list, _, _ := unstructured.NestedSlice(object, "spec", "template", "spec", field)
		for _, item := range list {
			if c, ok := item.(map[string]any); ok {
				if image, ok := c["image"].(string); ok {
					out = append(out, image)
				}
			}
		}
	}
	return out
}

// content is what people and Kubespray decide about an object: without its status, the
// server's book-keeping and what controllers note on it. A Secret keeps a keyed hash of
// its data, by which two can be compared and nothing be found out.
func content(object map[string]any) map[string]any {
	c := maps.Clone(object)
	delete(c, "status")
	if c["kind"] == "Secret" {
		for _, field := range []string{"data", "stringData"} {
			if v, ok := c[field]; ok {
				c[field] = hidden(v)
			}
		}
	}
	meta, _ := c["metadata"].(map[string]any)
	meta = maps.Clone(meta)
	for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "managedFields", "selfLink"} {
		delete(meta, field)
	}
	if notes, ok := meta["annotations"].(map[string]any); ok {
		notes = maps.Clone(notes)
		for _, name := range []string{"kubectl.kubernetes.io/last-applied-configuration", "deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation"} {
			delete(notes, name)
		}
		if meta["annotations"] = notes; len(notes) == 0 {
			delete(meta, "annotations")
		}
	}
	c["metadata"] = meta
	return c
}

func hidden(v any) string {
	plain, err := json.Marshal(v)
	if err != nil {
		return "" // cannot be: it came as JSON
	}
	sum := hmac.New(sha256.New, hashKey())
	sum.Write(plain)
	return hex.EncodeToString(sum.Sum(nil))
}

// hashKey is one for this process and nobody else's.
var hashKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return key
})
