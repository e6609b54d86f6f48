package cluster

import (
	"context"
	"strings"

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
		if err != nil && code != 500 {
			return Health{}, err
		}
		return readHealth(code, string(body)), nil
	})
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
