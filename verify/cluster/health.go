package cluster

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/surespray/surespray/verify"
)

// Version is the API server's own.
func (c *Cluster) Version(ctx context.Context) (version.Info, error) {
	return get(ctx, c, verify.Access{}, "", "/version", func(ctx context.Context) (version.Info, error) {
		var info version.Info
		err := c.raw(ctx, "/version", &info)
		return info, err
	})
}

// Health is what the API server says about itself.
type Health struct {
	OK   bool
	Says []string // the lines of the checks that fail, or the answer
}

// Ready asks /readyz. An API server that answers "not ready" is no error.
func (c *Cluster) Ready(ctx context.Context) (Health, error) {
	const path = "/readyz"
	return get(ctx, c, verify.Access{}, "", path, func(ctx context.Context) (Health, error) {
		code := 0
		result := c.client.CoreV1().RESTClient().Get().AbsPath(path).Param("verbose", "true").MaxRetries(0).Do(ctx).StatusCode(&code)
		body, err := result.Raw()
		if said, ok := plainAnswer(err); ok && code == 0 {
			code, body = 500, []byte(said)
		}
		if err != nil && code != 500 {
			return Health{}, err
		}
		return readHealth(code, string(body)), nil
	})
}

// plainAnswer is the text of an answer 500 that is no JSON, as the API server gives it:
// client-go hands it over within the error.
func plainAnswer(err error) (string, bool) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Code != 500 || status.Status().Details == nil {
		return "", false
	}
	for _, c := range status.Status().Details.Causes {
		if c.Type == metav1.CauseTypeUnexpectedServerResponse {
			return c.Message, true
		}
	}
	return "", false
}

func readHealth(code int, body string) Health {
	h := Health{OK: code == 200}
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "[-]") || line != "" && !h.OK && !strings.HasPrefix(line, "[+]") {
			h.Says = append(h.Says, line)
		}
	}
	return h
}
