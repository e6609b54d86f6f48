package checks

import (
	"cmp"
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

const corednsAnswers = "coredns.answers"

func coredns(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	return []verify.Check{{
		ID: corednsAnswers, Title: "CoreDNS answers", Area: "coredns", Needs: []string{apiHealth, apiIdentity, nodesReady},
		Access: []verify.Access{
			right("apps", "deployments", "get"), right("discovery.k8s.io", "endpointslices", "list"),
			right("", "pods", "list"), right("", "events", "list"), right("", "nodes", "list"),
		},
		Help: "Looks at the Deployment of CoreDNS and at the endpoints of its Service; only a probe asks it for a name. " +
			"Fix: the pod named, and surespray run cluster.yml --tags coredns. https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/",
		Run: func(ctx context.Context) []verify.Finding {
			service := cmp.Or(f.text("coredns_svc_name"), "coredns")
			s := &dnsState{facts: f, service: service, nodes: look(c.Nodes(ctx)), deployment: look(c.Deployment(ctx, metav1.NamespaceSystem, "coredns"))}
			if s.deployment.ok() {
				s.slices = look(c.EndpointSlices(ctx, metav1.NamespaceSystem, service))
				s.pods = collectSystemPods(ctx, c)
			}
			g := judgeDNS(s)
			if g.Verdict == verify.VerdictPass {
				g = judgeAnswer(ctx, g, o.AskDNS)
			}
			return []verify.Finding{g}
		},
	}}
}

// dnsState is what CoreDNS is judged by without asking it.
type dnsState struct {
	facts      Facts
	service    string
	nodes      seen[[]corev1.Node]
	deployment seen[*appsv1.Deployment]
	slices     seen[[]discoveryv1.EndpointSlice]
	pods       podsState
}

// judgeDNS passes where nothing speaks against an answer: the proof is the answer.
func judgeDNS(s *dnsState) verify.Finding {
	mode := s.facts.text("dns_mode")
	const apply = "surespray run cluster.yml --tags coredns"
	switch {
	case mode == "none" || mode == "manual":
		return verify.Skip("dns_mode is %s: Kubespray installs no CoreDNS", mode)
	case s.deployment.absent() && mode != "":
		return verify.Fail("coredns-absent", "CoreDNS is asked for (dns_mode is %s), and there is no Deployment kube-system/coredns: no pod finds a name", mode).Mend(apply)
	case s.deployment.absent():
		return verify.Skip("there is no Deployment kube-system/coredns, and it is not known whether it is asked for")
	case s.deployment.blind():
		return unseen(s.deployment.err)
	}
	d := s.deployment.value
	if d.Spec.Replicas != nil && *d.Spec.Replicas == 0 {
		return verify.Fail("scaled-to-zero", "CoreDNS is scaled to 0: no pod finds a name").Mend("kubectl -n kube-system scale deployment coredns --replicas=2", apply)
	}
	f := s.pods.deployment(d, s.nodes)
	f.Subject = ""
	if f.Verdict != verify.VerdictPass {
		if up := endpoints(s.slices.value); s.slices.ok() && len(up) > 0 && f.Verdict == verify.VerdictFail {
			f = f.Seen("it still has the endpoints " + some(up, 4))
		}
		return f
	}
	if s.slices.err != nil {
		return unseen(s.slices.err)
	}
	up := endpoints(s.slices.value)
	if len(up) == 0 {
		return verify.NotYet("endpoints-missing", "the Service kube-system/%s has no ready endpoint, while CoreDNS runs: no pod finds a name", s.service).
			Mend("kubectl -n kube-system describe service "+s.service+"; kubectl -n kube-system get pods --show-labels", apply)
	}
	return verify.Pass("CoreDNS is rolled out, and its Service leads to %s", some(up, 4))
}

// judgeAnswer asks, where it is allowed to.
func judgeAnswer(ctx context.Context, ground verify.Finding, ask func(context.Context) (string, error)) verify.Finding {
	if ask == nil {
		return verify.Skip("%s; whether it answers only a query tells: --probe", ground.Summary)
	}
	said, err := ask(ctx)
	if err != nil {
		return verify.NotYet("dns-silent", "CoreDNS runs, and a query from a pod got no answer").Seen(err.Error(), ground.Summary).
			Mend("kubectl -n kube-system logs deployment/coredns", "check the way between the nodes: surespray verify network")
	}
	return verify.Pass("CoreDNS answers: %s", said).Seen(ground.Summary)
}
