package cluster

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Recorder keeps what is read of a live cluster, without secrets, so that it can be
// written into a snapshot folder.
type Recorder struct {
	cluster *Cluster

	mu       sync.Mutex
	quiet    bool // errors are not kept
	objects  store
	about    Manifest
	logs     map[string]string
	refusals refusals
	pages    map[string][]map[string]any // of lists that go on
}

// Record opens a cluster as Open does; what is read of it is kept.
func Record(o Options) (*Recorder, error) {
	r := &Recorder{
		objects: store{}, logs: map[string]string{}, refusals: refusals{}, pages: map[string][]map[string]any{},
		about: Manifest{Schema: SnapshotSchema, Answers: map[string]Answer{}, Certificates: map[string]string{}},
	}
	o.wrap = func(next http.RoundTripper) http.RoundTripper { return &recording{next: next, recorder: r} }
	var err error
	r.cluster, err = Open(o)
	return r, err
}

// Cluster is the cluster that is recorded.
func (r *Recorder) Cluster() *Cluster { return r.cluster }

// recording is a transport that shows the recorder every request and its response.
type recording struct {
	next     http.RoundTripper
	recorder *Recorder
}

// RoundTrip sends the request on. It asks for JSON, which can be kept as it is.
func (t *recording) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.Header.Get("Accept"), "protobuf") {
		r = r.Clone(r.Context())
		r.Header.Set("Accept", "application/json")
	}
	response, err := t.next.RoundTrip(r)
	if err != nil {
		t.recorder.lost(r, err)
		return nil, err
	}
	limit := int64(math.MaxInt64)
	if strings.HasSuffix(r.URL.Path, "/log") {
		limit = 16 * logBytes
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, limit))
	_ = response.Body.Close()
	if err != nil {
		t.recorder.lost(r, err)
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if r.Method == http.MethodGet {
		t.recorder.keep(r.URL, response.StatusCode, body)
	}
	return response, nil
}

// lost keeps that a request had no answer. One that we ended ourselves says nothing.
func (r *Recorder) lost(q *http.Request, err error) {
	var network net.Error
	switch {
	case errors.Is(err, context.Canceled):
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		r.refuse(q.URL, refused{Status: http.StatusGatewayTimeout, Message: scrubText(err.Error())})
	default:
		r.refuse(q.URL, refused{Status: http.StatusServiceUnavailable, Message: scrubText(err.Error())})
	}
}

func (r *Recorder) refuse(u *url.URL, found refused) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.quiet {
		r.refusals[refusalKey(u)] = found
	}
}

// refusalKey names a request in api-errors.yaml. What a query says matters where it asks
// for something else: another log, or a part of a list.
func refusalKey(u *url.URL) string {
	kept := url.Values{}
	for _, name := range []string{"container", "previous", "labelSelector", "fieldSelector"} {
		if v := u.Query().Get(name); v != "" {
			kept.Set(name, v)
		}
	}
	if len(kept) == 0 {
		return "GET " + u.Path
	}
	return "GET " + u.Path + "?" + kept.Encode()
}

// keep keeps an answer.
func (r *Recorder) keep(u *url.URL, code int, body []byte) {
	if code < http.StatusBadRequest {
		r.mu.Lock()
		delete(r.refusals, refusalKey(u)) // it was tried again
		r.mu.Unlock()
	}
	q, isObject := parsePath(u.Path)
	switch {
	case !isObject && (u.Path == "/version" || strings.HasPrefix(u.Path, "/readyz")):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.about.Answers[u.Path] = Answer{Status: code, Body: scrubText(string(body))}
	case !isObject:
	case code == http.StatusNotFound && q.name != "" && q.sub == "" && isStatus(body):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.gone(q)
	case code >= http.StatusBadRequest:
		r.refuse(u, refusalOf(code, body))
	case q.sub == "log":
		r.keepLog(q, u.Query(), string(body))
	case q.sub == "":
		r.keepJSON(q, u.Query(), body)
	}
}

// isStatus tells an object that is not there from an API that is not there.
func isStatus(body []byte) bool {
	var s metav1.Status
	return utiljson.Unmarshal(body, &s) == nil && s.Details != nil && s.Details.Name != ""
}

func refusalOf(code int, body []byte) refused {
	var s metav1.Status
	if utiljson.Unmarshal(body, &s) != nil || s.Kind != "Status" {
		s = metav1.Status{Message: string(body[:min(len(body), 1000)])}
	}
	return refused{Status: code, Reason: string(s.Reason), Message: scrubText(s.Message)}
}

func (r *Recorder) keepLog(q request, query url.Values, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(text) > logBytes {
		text = text[len(text)-logBytes:]
	}
	container := query.Get("container")
	if container == firstContainer(r.objects[podsResource()].get(q.namespace, q.name)) {
		container = ""
	}
	r.logs[logName(q.namespace, q.name, container, query.Get("previous") == "true")] = scrubText(text)
}

// keepJSON keeps an object, or one page of a list.
func (r *Recorder) keepJSON(q request, query url.Values, body []byte) {
	var answer map[string]any
	if utiljson.Unmarshal(body, &answer) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.name != "" {
		r.objects.put(scrubObject(answer))
		r.note(q, func(c *Captured) { c.Names = with(c.Names, q.key()) })
		return
	}
	l := Listed{Namespace: q.namespace, Labels: query.Get("labelSelector"), Fields: query.Get("fieldSelector")}
	items, err := itemsOf(answer)
	if err != nil {
		return
	}
	for i, item := range items {
		items[i] = scrubObject(r.completed(q, item, l))
	}
	key := q.String() + "\n" + l.Labels + "\n" + l.Fields
	if query.Get("continue") == "" {
		delete(r.pages, key)
	}
	r.pages[key] = append(r.pages[key], items...)
	if list := (unstructured.UnstructuredList{Object: answer}); list.GetContinue() != "" {
		return
	}
	r.replace(q, l, r.pages[key])
	delete(r.pages, key)
}

// completed gives an item of a list the kind that it has alone, and one of which only the
// metadata was asked for the fields that it was selected by.
func (r *Recorder) completed(q request, item map[string]any, l Listed) map[string]any {
	onlyMetadata := item["kind"] == "PartialObjectMetadata"
	item["apiVersion"], item["kind"] = q.resource.GroupVersion().String(), r.objects.shelf(q.resource, "").kind
	if sel, err := fields.ParseSelector(l.Fields); err == nil && onlyMetadata {
		for _, want := range sel.Requirements() {
			_ = unstructured.SetNestedField(item, want.Value, strings.Split(want.Field, ".")...)
		}
	}
	return item
}
