package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/surespray/surespray/verify"
)

// Kind says in one word why a request to the API server gave no answer.
type Kind string

// The kinds of errors.
const (
	KindForbidden    Kind = "forbidden"    // a right is missing
	KindUnauthorized Kind = "unauthorized" // the kubeconfig's user is not known
	KindNotFound     Kind = "not-found"
	KindUnavailable  Kind = "unavailable" // 503: the API server, or the server behind an aggregated API
	KindTimeout      Kind = "timeout"
	KindRefused      Kind = "refused"
	KindNoRoute      Kind = "no-route"
	KindDNS          Kind = "dns"
	KindTLS          Kind = "tls"
	KindCancelled    Kind = "cancelled"
	KindNotCaptured  Kind = "not-captured" // the snapshot in the place of the cluster does not hold it
	KindOther        Kind = "other"
)

// Error is a request that failed, classified once.
type Error struct {
	Kind   Kind
	Server string        // address of the API server
	Access verify.Access // the right that the request needs; empty for health and version
	Name   string        // NAMESPACE/NAME where there is one
	Err    error
}

func (e *Error) Error() string {
	if e.Kind == KindNotCaptured {
		return e.Err.Error()
	}
	what := "asking " + e.Server
	if e.Access.Resource != "" {
		what = strings.TrimSpace(e.Access.Verb + " " + resource(e.Access) + " " + e.Name)
	}
	return fmt.Sprintf("%s: %s", what, strings.TrimSpace(firstLine(e.Err.Error())))
}

// Unwrap returns the client's error.
func (e *Error) Unwrap() error { return e.Err }

// Lost reports whether the API server itself could not be asked: the way to it, not the
// question, is the trouble. Such an error may go away.
func (e *Error) Lost() bool {
	switch e.Kind {
	case KindTimeout, KindRefused, KindNoRoute, KindDNS, KindTLS, KindCancelled, KindOther:
		return true
	}
	return false
}

// KindOf returns the kind of an error of this package, "" for nil.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Kind
	}
	return classify(err)
}

// NotCaptured reports whether a snapshot does not hold what was asked for.
func NotCaptured(err error) bool { return KindOf(err) == KindNotCaptured }

// NotFound reports whether the object asked for is not there.
func NotFound(err error) bool { return KindOf(err) == KindNotFound }

func (c *Cluster) wrap(err error, a verify.Access, name string) error {
	if err == nil {
		return nil
	}
	if none, ok := isNotCaptured(err); ok {
		err = none // without what client-go says about its way to it
	}
	return &Error{Kind: classify(err), Server: c.server, Access: a, Name: name, Err: err}
}

func resource(a verify.Access) string {
	if a.Group == "" {
		return a.Resource
	}
	return a.Resource + "." + a.Group
}

// classify looks at the API's own status first, then at what the network said.
func classify(err error) Kind {
	var (
		dns     *net.DNSError
		network net.Error
	)
	if _, none := isNotCaptured(err); none {
		return KindNotCaptured
	}
	switch {
	case apierrors.IsForbidden(err):
		return KindForbidden
	case apierrors.IsUnauthorized(err):
		return KindUnauthorized
	case apierrors.IsNotFound(err):
		return KindNotFound
	case apierrors.IsServiceUnavailable(err):
		return KindUnavailable
	case errors.Is(err, context.Canceled):
		return KindCancelled
	case isTLS(err):
		return KindTLS
	case errors.As(err, &dns):
		return KindDNS
	case errors.Is(err, syscall.ECONNREFUSED):
		return KindRefused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return KindNoRoute
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &network) && network.Timeout():
		return KindTimeout
	}
	return KindOther
}

func isTLS(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
		host         x509.HostnameError
		invalid      x509.CertificateInvalidError
		record       tls.RecordHeaderError
		alert        tls.AlertError
	)
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host) ||
		errors.As(err, &invalid) || errors.As(err, &record) || errors.As(err, &alert)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
