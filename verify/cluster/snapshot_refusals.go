package cluster

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// refused is an error that the API server answered with.
type refused struct {
	Status  int    `json:"status"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// refusals is api-errors.yaml: "METHOD PATH" and the error. A path may have a query; then
// the error holds only for requests that have it, too.
type refusals map[string]refused

// exact finds the error of just this request.
func (r refusals) exact(method string, u *url.URL) (refused, bool) {
	for _, key := range []string{method + " " + u.Path, "LIST " + u.Path} {
		if found, ok := r[key]; ok {
			return found, true
		}
	}
	for key, found := range r {
		verb, where, _ := strings.Cut(key, " ")
		path, query, asks := strings.Cut(where, "?")
		if asks && verb == method && path == u.Path && holds(u.Query(), query) {
			return found, true
		}
	}
	return refused{}, false
}

func holds(have url.Values, query string) bool {
	want, err := url.ParseQuery(query)
	if err != nil {
		return false
	}
	for name, values := range want {
		if !slices.Equal(have[name], values) {
			return false
		}
	}
	return true
}

// spread finds the error of one object, or of one namespace, where a LIST would meet it:
// who may not read the part may not read the whole. That an object is not there says
// nothing about the others.
func (r refusals) spread(list request) (refused, bool) {
	for key, found := range r {
		verb, where, _ := strings.Cut(key, " ")
		path, _, _ := strings.Cut(where, "?")
		q, ok := parsePath(path)
		if !ok || verb != http.MethodGet && verb != "LIST" || found.Status == http.StatusNotFound {
			continue
		}
		if q.resource == list.resource && q.sub == "" && (list.namespace == "" || q.namespace == list.namespace) {
			return found, true
		}
	}
	return refused{}, false
}

// status is the error as the API server says it.
func (r refused) status(method string, u *url.URL) metav1.Status {
	s := metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: int32(r.Status), Reason: metav1.StatusReason(r.Reason), Message: r.Message,
	}
	if s.Reason == "" {
		s.Reason = reasonOf(r.Status)
	}
	if q, ok := parsePath(u.Path); ok && s.Message == "" {
		s.Message = fmt.Sprintf("%s is refused: %s %s", q, method, u.Path)
	}
	if s.Message == "" {
		s.Message = http.StatusText(r.Status)
	}
	return s
}

func reasonOf(status int) metav1.StatusReason {
	switch status {
	case http.StatusUnauthorized:
		return metav1.StatusReasonUnauthorized
	case http.StatusForbidden:
		return metav1.StatusReasonForbidden
	case http.StatusNotFound:
		return metav1.StatusReasonNotFound
	case http.StatusBadRequest:
		return metav1.StatusReasonBadRequest
	case http.StatusTooManyRequests:
		return metav1.StatusReasonTooManyRequests
	case http.StatusInternalServerError:
		return metav1.StatusReasonInternalError
	case http.StatusServiceUnavailable:
		return metav1.StatusReasonServiceUnavailable
	case http.StatusGatewayTimeout:
		return metav1.StatusReasonTimeout
	case http.StatusMethodNotAllowed:
		return metav1.StatusReasonMethodNotAllowed
	}
	return metav1.StatusReasonUnknown
}
