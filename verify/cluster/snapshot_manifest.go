package cluster

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SnapshotSchema is the version of the folder's form.
const SnapshotSchema = 1

// Manifest is snapshot.yaml: what was captured, when, and where.
type Manifest struct {
	Schema  int       `json:"schema"`
	TakenAt time.Time `json:"taken_at"`
	By      string    `json:"by,omitempty"` // the program that took it
	Server  string    `json:"server,omitempty"`
	Context string    `json:"context,omitempty"`
	// Resources are what was looked at: what is in it and not among the objects is not
	// in the cluster.
	Resources []Captured `json:"resources"`
	// Answers are those to paths that ask for no object, such as /version.
	Answers map[string]Answer `json:"answers,omitempty"`
	// Certificates are those of the connection, as PEM; they hold no key.
	Certificates map[string]string `json:"certificates,omitempty"`
	// Facts are what the checks were told of the inventory and the checkout.
	Facts json.RawMessage `json:"facts,omitempty"`
}

// Captured is what was looked at of one resource.
type Captured struct {
	Group      string   `json:"group"`
	Version    string   `json:"version,omitempty"` // "": any
	Resource   string   `json:"resource"`
	Kind       string   `json:"kind,omitempty"`
	Namespaced bool     `json:"namespaced,omitempty"`
	Namespaces Scope    `json:"namespaces,omitzero"`
	Lists      []Listed `json:"lists,omitempty"` // read by a selector
	Names      []string `json:"names,omitempty"` // [NAMESPACE/]NAME that were asked for one by one
}

// Listed is one LIST that was answered.
type Listed struct {
	Namespace string `json:"namespace,omitempty"`
	Labels    string `json:"labels,omitempty"`
	Fields    string `json:"fields,omitempty"`
}

// Answer is what the API server said to a path.
type Answer struct {
	Status int    `json:"status"`
	Body   string `json:"body,omitempty"`
}

// Scope is "all" or a list of namespaces.
type Scope struct {
	All   bool
	Names []string
}

// IsZero reports whether nothing is said.
func (s Scope) IsZero() bool { return !s.All && len(s.Names) == 0 }

// MarshalJSON writes "all" or the list.
func (s Scope) MarshalJSON() ([]byte, error) {
	if s.All {
		return []byte(`"all"`), nil
	}
	return json.Marshal(s.Names)
}

// UnmarshalJSON reads "all", one name or a list.
func (s *Scope) UnmarshalJSON(raw []byte) error {
	var word string
	if json.Unmarshal(raw, &word) == nil {
		*s = Scope{All: word == "all", Names: []string{word}}
		return nil
	}
	return json.Unmarshal(raw, &s.Names)
}

// UnmarshalJSON also reads the short form RESOURCE.GROUP, which means all of it. So does
// an entry that says nothing about how much.
func (c *Captured) UnmarshalJSON(raw []byte) error {
	var word string
	if json.Unmarshal(raw, &word) == nil {
		gr := schema.ParseGroupResource(word)
		*c = Captured{Group: gr.Group, Resource: gr.Resource, Namespaces: Scope{All: true}}
		return nil
	}
	type plain Captured
	if err := json.Unmarshal(raw, (*plain)(c)); err != nil {
		return err
	}
	if c.Resource == "" {
		return fmt.Errorf("an entry of resources names no resource: %s", raw)
	}
	if c.Namespaces.IsZero() && c.Lists == nil && c.Names == nil {
		c.Namespaces.All = true
	}
	return nil
}

func (c *Captured) is(r schema.GroupVersionResource) bool {
	return c.Group == r.Group && c.Resource == r.Resource && (c.Version == "" || c.Version == r.Version)
}

// has reports whether an object would be in the folder if it were in the cluster.
func (c *Captured) has(q request) bool {
	return c.whole(q.namespace) || slices.Contains(c.Names, q.key())
}

// listed reports whether a LIST would find here all that it would in the cluster.
func (c *Captured) listed(l Listed) bool {
	everywhere := Listed{Labels: l.Labels, Fields: l.Fields}
	return c.whole(l.Namespace) || slices.Contains(c.Lists, l) || slices.Contains(c.Lists, everywhere)
}

func (c *Captured) whole(namespace string) bool {
	return c.Namespaces.All || namespace != "" && slices.Contains(c.Namespaces.Names, namespace)
}

// captured is the entry of a resource; nil: it was not looked at.
func (m *Manifest) captured(r schema.GroupVersionResource) *Captured {
	i := slices.IndexFunc(m.Resources, func(c Captured) bool { return c.is(r) })
	if i < 0 {
		return nil
	}
	return &m.Resources[i]
}

// NotCapturedError says that a snapshot does not hold what was asked for: nobody looked,
// so nothing follows from its absence.
type NotCapturedError struct {
	What string // such as deployments.apps kube-system/metrics-server
}

func (e *NotCapturedError) Error() string {
	return "the snapshot does not hold " + strings.TrimSpace(e.What)
}
