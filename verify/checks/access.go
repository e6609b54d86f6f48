package checks

import (
	"errors"
	"fmt"
	"strings"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// unseen says why something could not be looked at: never a fail, never a pass. A way
// that is lost may come back, so it is tried again; a missing right is not.
func unseen(err error) verify.Finding {
	var e *cluster.Error
	if !errors.As(err, &e) {
		return verify.Unknown("internal", "%v", err)
	}
	cause := "api-" + string(e.Kind)
	switch e.Kind {
	case cluster.KindForbidden:
		return denied(e)
	case cluster.KindNotCaptured:
		return verify.Skip("%v", e) // nobody looked: nothing follows from it
	case cluster.KindUnauthorized:
		cause = "api-unauthorized"
	case cluster.KindRefused, cluster.KindTimeout, cluster.KindNoRoute:
		cause = "api-unreachable"
	case cluster.KindOther:
		cause = "api-error"
	}
	f := verify.Unknown(cause, "%v", e)
	f.Retry = e.Lost() && e.Kind != cluster.KindTLS
	return f
}

func denied(e *cluster.Error) verify.Finding {
	a := e.Access
	what := strings.TrimSpace(a.Verb + " " + qualified(a) + " " + e.Name)
	return verify.Unknown("rbac-denied", "the kubeconfig's user may not %s", what).Seen(e.Error()).
		Mend(fmt.Sprintf("allow verb %q on resource %q (a ClusterRole with apiGroups: [%q], resources: [%q], verbs: [%q]), or use another --kubeconfig",
			a.Verb, qualified(a), a.Group, a.Resource, a.Verb))
}

func qualified(a verify.Access) string {
	if a.Group == "" {
		return a.Resource
	}
	return a.Resource + "." + a.Group
}

// sparse reports whether a folder written by hand stands for the cluster: what is not in
// its lists was not looked at.
func sparse(c *cluster.Cluster) bool {
	s := c.Snapshot()
	return s != nil && s.Partial
}

// notCaptured is for what may be there, and is not in such a folder.
func notCaptured(what string) verify.Finding {
	return verify.Skip("the snapshot does not hold %s", what)
}

// seen is something that was looked for: its value, or why it could not be had.
type seen[T any] struct {
	value T
	err   error
}

func look[T any](v T, err error) seen[T] { return seen[T]{value: v, err: err} }

// ok reports whether it was seen.
func (s seen[T]) ok() bool { return s.err == nil }

// absent reports whether it is known not to be there.
func (s seen[T]) absent() bool { return cluster.NotFound(s.err) }

// blind reports whether it could not be looked at.
func (s seen[T]) blind() bool { return s.err != nil && !s.absent() }
