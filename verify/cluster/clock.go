package cluster

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/tools/clientcmd/api"
)

// clock follows the API server's time, as its Date headers tell it in whole seconds.
type clock struct {
	mu   sync.Mutex
	skew time.Duration
	told func() time.Time // of a snapshot; nil: there is a server that tells
}

func (c *clock) now() time.Time {
	if c.told != nil {
		return c.told()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.skew)
}

// see takes a Date header. Differences of a few seconds are the header's own coarseness
// and the way through the network.
func (c *clock) see(date string) {
	t, err := http.ParseTime(date)
	if err != nil {
		return
	}
	skew := time.Until(t)
	if skew.Abs() < 5*time.Second {
		skew = 0
	}
	c.mu.Lock()
	c.skew = skew
	c.mu.Unlock()
}

// dated is a transport that shows the clock every response.
type dated struct {
	next  http.RoundTripper
	clock *clock
}

// RoundTrip sends the request on, unchanged.
func (d *dated) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := d.next.RoundTrip(r)
	if err == nil {
		d.clock.see(response.Header.Get("Date"))
	}
	return response, err
}

func contexts(c *api.Config) []string { return slices.Sorted(maps.Keys(c.Contexts)) }

func list(words []string) string {
	if len(words) == 0 {
		return "(none)"
	}
	return strings.Join(words, ", ")
}
