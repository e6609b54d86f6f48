package checks

import (
	"context"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// The rungs of the ladder, from where people see the trouble down to where it may come
// from.
const (
	msAPIService = "metrics-server.apiservice"
	msService    = "metrics-server.service"
	msDeployment = "metrics-server.deployment"
	msPod        = "metrics-server.pod"
	msLog        = "metrics-server.log"
	msKubelet    = "metrics-server.kubelet"
	msCoverage   = "metrics-server.node-coverage"
)

const metricsServerAddon = "metrics-server"

// metricsServer is the ladder from "kubectl top and HPA get numbers" down to each
// kubelet. Its rungs are asked together: one state is collected for all of them, and
// judged as a whole, so that the root is named once.
func metricsServer(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	rung := func(id, title, help string, access ...verify.Access) verify.Check {
		return verify.Check{
			ID: id, Title: title, Area: metricsServerAddon, Together: metricsServerAddon, Help: help, Access: access,
			Needs: []string{apiHealth, apiIdentity},
			Run: func(ctx context.Context) []verify.Finding {
				s, err := shareMetrics(ctx, c, f, o)
				if err != nil {
					return []verify.Finding{unseen(err)}
				}
				return judgeMetrics(s)[id]
			},
		}
	}
	return []verify.Check{
		rung(msAPIService, "The metrics API is registered, available and answers",
			"Reads the APIService v1beta1.metrics.k8s.io and lists node metrics. https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/",
			right("apiregistration.k8s.io", "apiservices", "get"), right("metrics.k8s.io", "nodes", "list")),
		rung(msService, "The Service of metrics-server has endpoints",
			"Reads the Service and its EndpointSlices. https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/",
			right("", "services", "get"), right("discovery.k8s.io", "endpointslices", "list")),
		rung(msDeployment, "The Deployment of metrics-server is rolled out",
			"Reads the Deployment. https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status",
			right("apps", "deployments", "get")),
		rung(msPod, "The pods of metrics-server run and are ready",
			"Reads the pods, the ReplicaSets that they are of, and their events. https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
			right("", "pods", "list"), right("apps", "replicasets", "list"), right("", "events", "list")),
		rung(msLog, "The log of metrics-server tells of no trouble",
			"Reads the end of the log, of the container before the last restart too. https://github.com/kubernetes-sigs/metrics-server/blob/master/KNOWN_ISSUES.md",
			right("", "pods/log", "get")),
		rung(msKubelet, "metrics-server gets through to every kubelet",
			"Looks in the log for kubelets that could not be scraped. https://github.com/kubernetes-sigs/metrics-server#requirements",
			right("", "pods/log", "get"), right("", "nodes", "list")),
		rung(msCoverage, "There are fresh metrics of every Ready node",
			"Compares the nodes with what the metrics API lists, and looks at the age. https://github.com/kubernetes-sigs/metrics-server/blob/master/FAQ.md",
			right("", "nodes", "list"), right("metrics.k8s.io", "nodes", "list")),
	}
}

// shareMetrics collects the state once for all who judge by it in the same round.
func shareMetrics(ctx context.Context, c *cluster.Cluster, f Facts, o Options) (*metricsState, error) {
	return cluster.Share(ctx, c, "metrics-server state", func(ctx context.Context) (*metricsState, error) {
		return collectMetrics(ctx, c, f, o), nil
	})
}

func right(group, resource, verb string) verify.Access {
	return verify.Access{Group: group, Resource: resource, Verb: verb}
}

// judgeMetrics judges every rung. The first one in the order of what people see that is
// in trouble carries the cause; what else is in trouble is its consequence.
func judgeMetrics(s *metricsState) map[string][]verify.Finding {
	if s.nothingThere() && !yes(s.asked) {
		return s.notThere()
	}
	own := map[string][]verify.Finding{
		msAPIService: {judgeAPIService(s)},
		msCoverage:   judgeCoverage(s),
		msService:    {judgeService(s)},
		msDeployment: {judgeDeployment(s)},
		msPod:        {judgePods(s)},
		msLog:        {judgeLog(s)},
		msKubelet:    {judgeKubelets(s)},
	}
	top := ""
	for _, id := range rungs() {
		if trouble(own[id]) {
			top = id
			break
		}
	}
	if top != "" {
		for _, id := range rungs() {
			if id != top && (trouble(own[id]) || id == msCoverage && top == msAPIService && !blindOnly(own[id])) {
				own[id] = []verify.Finding{consequence(top, own[id])}
			}
		}
	}
	if s.asked != nil && !*s.asked {
		soften(own)
	}
	return own
}

// rungs is the order in which people meet the trouble.
func rungs() []string {
	return []string{msAPIService, msCoverage, msService, msDeployment, msPod, msLog, msKubelet}
}

func trouble(findings []verify.Finding) bool {
	for _, f := range findings {
		if f.Verdict == verify.VerdictFail {
			return true
		}
	}
	return false
}

func blindOnly(findings []verify.Finding) bool {
	for _, f := range findings {
		if f.Cause != "rbac-denied" {
			return false
		}
	}
	return true
}

// consequence keeps what a rung showed, and leaves the verdict to the one that names
// the root.
func consequence(top string, own []verify.Finding) verify.Finding {
	f := own[0]
	return verify.Because(top, "%s", f.Summary).Seen(f.Evidence[:min(len(f.Evidence), 2)]...)
}

// soften makes warnings of failures: the inventory does not ask for the addon, so that
// what is left of it may be broken.
func soften(own map[string][]verify.Finding) {
	for _, findings := range own {
		for i, f := range findings {
			if f.Verdict == verify.VerdictFail {
				findings[i].Verdict, findings[i].Retry = verify.VerdictWarn, false
				findings[i].Summary += " (the inventory does not ask for metrics-server)"
			}
		}
	}
}

// notThere is for an addon that nobody asked for and that is not there.
func (s *metricsState) notThere() map[string][]verify.Finding {
	out := map[string][]verify.Finding{}
	for _, id := range rungs() {
		out[id] = []verify.Finding{verify.Skip("metrics-server is not there, and not asked for")}
	}
	return out
}

func yes(b *bool) bool { return b != nil && *b }
