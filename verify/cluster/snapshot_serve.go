package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// moment is the state of a snapshot at one time.
type moment struct {
	*Snapshot
	objects  store
	logs     map[string]string // by file name
	refusals refusals
}

// snapshotServer answers requests of client-go from a snapshot, in the place of the
// network.
type snapshotServer struct{ snapshot *Snapshot }

// RoundTrip answers as the API server did when the snapshot was taken. What the snapshot
// does not hold is a *NotCapturedError.
func (s *snapshotServer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	code, body, err := s.snapshot.at().answer(r.Method, r.URL)
	if err != nil {
		return nil, err
	}
	kind := "application/json"
	if !json.Valid(body) {
		kind = "text/plain"
	}
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {kind}}, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}, nil
}

// answer finds what was said to a request.
func (m moment) answer(method string, u *url.URL) (int, []byte, error) {
	if found, ok := m.refusals.exact(method, u); ok {
		return refuse(found, method, u)
	}
	if method != http.MethodGet || u.Query().Get("watch") == "true" {
		return refuse(refused{Status: http.StatusMethodNotAllowed, Message: "a snapshot can be read, and nothing else"}, method, u)
	}
	if a, ok := m.About.Answers[u.Path]; ok {
		return a.Status, []byte(a.Body), nil
	}
	q, ok := parsePath(u.Path)
	if !ok {
		return m.discovery(u)
	}
	switch {
	case q.resource == podsResource() && q.sub == "log":
		return m.log(q, u.Query())
	case q.sub != "":
		return 0, nil, &NotCapturedError{What: q.String() + "/" + q.sub}
	case q.name != "":
		return m.object(q, u)
	}
	return m.list(q, u)
}

func refuse(found refused, method string, u *url.URL) (int, []byte, error) {
	body, err := json.Marshal(found.status(method, u))
	return found.Status, body, err
}

// object answers a GET.
func (m moment) object(q request, u *url.URL) (int, []byte, error) {
	sh := m.objects[q.resource]
	if o := sh.get(q.namespace, q.name); o != nil {
		body, err := json.Marshal(o)
		return http.StatusOK, body, err
	}
	captured := m.About.captured(q.resource)
	if captured != nil && captured.has(q) || sh != nil && sh.complete {
		return refuse(refused{Status: http.StatusNotFound, Message: q.String() + " not found"}, http.MethodGet, u)
	}
	return 0, nil, &NotCapturedError{What: q.String()}
}

// list answers a LIST, by pages where it is asked to.
func (m moment) list(q request, u *url.URL) (int, []byte, error) {
	query := u.Query()
	asked := Listed{Namespace: q.namespace, Labels: query.Get("labelSelector"), Fields: query.Get("fieldSelector")}
	sel, err := newSelection(asked.Namespace, asked.Labels, asked.Fields)
	if err != nil {
		return refuse(refused{Status: http.StatusBadRequest, Message: err.Error()}, http.MethodGet, u)
	}
	sh, captured := m.objects[q.resource], m.About.captured(q.resource)
	told := captured != nil && captured.listed(asked) || sh != nil && sh.complete
	if found, ok := m.refusals.spread(q); ok && !told {
		return refuse(found, http.MethodGet, u)
	}
	items := sh.list(sel)
	if !told && (len(items) == 0 || !m.Partial) && !isEvents(q) {
		return 0, nil, &NotCapturedError{What: strings.Join(strings.Fields(q.String()+" "+asked.Labels+" "+asked.Fields), " ")}
	}
	return page(q, sh, captured, items, query)
}

// isEvents is true for what helps to explain, and proves nothing by being absent.
func isEvents(q request) bool {
	return q.resource.Resource == "events" && (q.resource.Group == "" || q.resource.Group == "events.k8s.io")
}

// page is one page of a list. A continuation is the number of objects told before.
func page(q request, sh *shelf, captured *Captured, items []map[string]any, query url.Values) (int, []byte, error) {
	from, err := strconv.Atoi(query.Get("continue"))
	if err != nil || from > len(items) || from < 0 {
		from = 0
	}
	meta := metav1.ListMeta{ResourceVersion: "1"}
	items = items[from:]
	if limit, err := strconv.Atoi(query.Get("limit")); err == nil && limit > 0 && limit < len(items) {
		items, meta.Continue = items[:limit], strconv.Itoa(from+limit)
	}
	kind := ""
	switch {
	case sh != nil:
		kind = sh.kind
	case captured != nil && captured.Kind != "":
		kind = captured.Kind
	default:
		kind = kindOf(q.resource)
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": q.resource.GroupVersion().String(), "kind": kind + "List", "metadata": meta, "items": items,
	})
	return http.StatusOK, body, err
}

// isNotCaptured finds the error of this package in what client-go made of it.
func isNotCaptured(err error) (*NotCapturedError, bool) {
	var e *NotCapturedError
	return e, errors.As(err, &e)
}
