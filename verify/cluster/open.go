// Package cluster is the only door to the API server.
//
// It opens the cluster that a kubeconfig names, reads objects (paged, and shared between
// the checks of one round), reads logs within bounds, and says once, for all checks, what
// an error means: a right that is missing, an address that does not answer. An error is
// never an empty list.
package cluster

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"
)

// requestLimit is the longest that one request may take.
const requestLimit = 10 * time.Second

// Options say which cluster to open.
type Options struct {
	Kubeconfig []string      // files; several are merged, as with KUBECONFIG
	Content    []byte        // the kubeconfig itself; then Kubeconfig only names where it came from
	Context    string        // "": the current context
	Timeout    time.Duration // of one request; 0: 10 s

	wrap func(http.RoundTripper) http.RoundTripper // sees every request; nil: nobody
}

// Cluster is an open way to one API server. Its methods may be used by several
// goroutines. Objects they return are shared: do not change them.
type Cluster struct {
	server  string
	context string
	client  kubernetes.Interface
	dynamic dynamic.Interface
	clock   *clock
	shared  *shared

	handshake *handshake
	snapshot  *Snapshot // nil: live
	probes    probes
}

// Open reads the kubeconfig and prepares the clients. It sends no request.
func Open(o Options) (*Cluster, error) {
	config, err := o.load()
	if err != nil {
		return nil, &KubeconfigError{From: o.Kubeconfig, Err: err}
	}
	client := clientcmd.NewNonInteractiveClientConfig(*config, o.Context, &clientcmd.ConfigOverrides{}, nil)
	settings, err := client.ClientConfig()
	if err != nil {
		return nil, &KubeconfigError{From: o.Kubeconfig, Context: o.Context, Have: contexts(config), Err: err}
	}
	c := &Cluster{server: settings.Host, context: o.Context, clock: &clock{}, shared: &shared{}, handshake: &handshake{client: clientCertificate(settings)}}
	if c.context == "" {
		c.context = config.CurrentContext
	}
	o.apply(settings, c)
	if c.client, err = kubernetes.NewForConfig(settings); err != nil {
		return nil, &KubeconfigError{From: o.Kubeconfig, Context: o.Context, Err: err}
	}
	if c.dynamic, err = dynamic.NewForConfig(settings); err != nil {
		return nil, &KubeconfigError{From: o.Kubeconfig, Context: o.Context, Err: err}
	}
	return c, nil
}

func (o Options) load() (*api.Config, error) {
	if o.Content != nil {
		return clientcmd.Load(o.Content)
	}
	rules := &clientcmd.ClientConfigLoadingRules{Precedence: o.Kubeconfig}
	if len(o.Kubeconfig) == 1 {
		rules = &clientcmd.ClientConfigLoadingRules{ExplicitPath: o.Kubeconfig[0]}
	}
	return rules.Load()
}

// apply sets bounds and keeps client-go quiet: what it would print on stderr, we report.
func (o Options) apply(settings *rest.Config, c *Cluster) {
	settings.Timeout = o.Timeout
	if settings.Timeout == 0 {
		settings.Timeout = requestLimit
	}
	settings.UserAgent = "surespray"
	settings.QPS, settings.Burst = 50, 100
	settings.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	settings.WarningHandler = rest.NoWarnings{}
	settings.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &noting{next: &dated{next: next, clock: c.clock}, seen: c.handshake}
	})
	if o.wrap != nil {
		settings.Wrap(o.wrap)
	}
	quiet()
}

// quiet silences client-go's own log, which is one for the whole process.
var quiet = sync.OnceFunc(func() { klog.SetLogger(logr.Discard()) })

// Server is the address of the API server, as the kubeconfig has it.
func (c *Cluster) Server() string { return c.server }

// Context is the name of the kubeconfig's context in use.
func (c *Cluster) Context() string { return c.context }

// Now is the API server's time, as far as it is known: ages of objects are counted from
// it, so that a wrong clock on this machine makes nothing old or young.
func (c *Cluster) Now() time.Time { return c.clock.now() }

// KubeconfigError says that a kubeconfig cannot be used.
type KubeconfigError struct {
	From    []string
	Context string   // the context that was asked for
	Have    []string // the contexts that there are
	Err     error
}

func (e *KubeconfigError) Error() string {
	s := fmt.Sprintf("kubeconfig %s", list(e.From))
	if e.Context != "" {
		s += fmt.Sprintf(", context %q (it has: %s)", e.Context, list(e.Have))
	}
	return fmt.Sprintf("%s: %v", s, e.Err)
}

// Unwrap returns what is wrong with it.
func (e *KubeconfigError) Unwrap() error { return e.Err }
