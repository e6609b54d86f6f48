package checks

import (
	"context"
	"errors"
	"fmt"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
	corev1 "k8s.io/api/core/v1"
)

// Ids of the ground that everything stands on.
const (
	apiHealth   = "api-server.health"
	apiVersion  = "api-server.version"
	apiIdentity = "api-server.identity"
)

func apiServer(c *cluster.Cluster, f Facts) []verify.Check {
	return []verify.Check{{
		ID: apiHealth, Title: "The API server answers and is ready", Area: "api-server",
		Help: "Asks /readyz. Everything else needs it. https://kubernetes.io/docs/reference/using-api/health-checks/",
		Run: func(ctx context.Context) []verify.Finding {
			return []verify.Finding{judgeHealth(c.Server(), look(c.Ready(ctx)))}
		},
	}, {
		ID: apiVersion, Title: "The API server's version is the one that the inventory asks for", Area: "api-server", Needs: []string{apiHealth},
		Help: "Asks /version, and compares it with kube_version and with the versions that the release of Kubespray knows. " +
			"Fix: surespray run upgrade-cluster.yml, or the checkout that installed the cluster. https://kubernetes.io/releases/version-skew-policy/",
		Run: func(ctx context.Context) []verify.Finding {
			return []verify.Finding{judgeVersion(look(c.Version(ctx)), f)}
		},
	}, {
		ID: apiIdentity, Title: "The cluster is this inventory's", Area: "api-server", Needs: []string{apiHealth},
		Access: []verify.Access{{Resource: "nodes", Verb: "list"}},
		Help:   "Compares the names and addresses of the nodes with the hosts of the inventory, so that nothing is said about another cluster. Fix: --kubeconfig or -i of the same cluster. https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/",
		Run: func(ctx context.Context) []verify.Finding {
			if f.Hosts == nil {
				return []verify.Finding{verify.Skip("no inventory was given to compare the cluster with")}
			}
			return []verify.Finding{judgeIdentity(c.Server(), f, look(c.Nodes(ctx)))}
		},
	}}
}

// judgeHealth stops everything behind it unless the API server answered: nothing could
// be seen.
func judgeHealth(server string, h seen[cluster.Health]) verify.Finding {
	if h.ok() {
		if h.value.OK {
			return verify.Pass("%s is ready", server)
		}
		return verify.NotYet("api-not-ready", "%s answers, and says that it is not ready", server).Seen(h.value.Says...).
			Mend("kubectl get --raw '/readyz?verbose'; on the control plane: crictl logs of kube-apiserver and etcd")
	}
	if cluster.KindOf(h.err) == cluster.KindForbidden {
		return verify.Pass("%s answers; the kubeconfig's user may not ask whether it is ready", server).Seen(h.err.Error())
	}
	if cluster.NotCaptured(h.err) {
		return unseen(h.err)
	}
	f := unseen(h.err)
	f.Summary = fmt.Sprintf("the API server %s cannot be asked: %s", server, kindPhrase(h.err))
	f.Stops = true
	return f.Seen(h.err.Error()).Mend(healthFix(server, h.err))
}

func kindPhrase(err error) string {
	switch cluster.KindOf(err) {
	case cluster.KindRefused:
		return "connection refused"
	case cluster.KindTimeout:
		return "no answer in time"
	case cluster.KindNoRoute:
		return "no route to it"
	case cluster.KindDNS:
		return "its name cannot be resolved"
	case cluster.KindTLS:
		return "its certificate is not what the kubeconfig trusts"
	case cluster.KindUnauthorized:
		return "it does not accept the kubeconfig's user (expired or foreign credentials)"
	case cluster.KindUnavailable:
		return "service unavailable"
	case cluster.KindCancelled:
		return "cancelled"
	}
	var e *cluster.Error
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

func healthFix(server string, err error) string {
	switch cluster.KindOf(err) {
	case cluster.KindRefused, cluster.KindUnavailable:
		return "on a control plane: systemctl status kubelet; crictl ps -a --name kube-apiserver"
	case cluster.KindTLS, cluster.KindUnauthorized:
		return "use the kubeconfig of this cluster (--kubeconfig); a fresh one is /etc/kubernetes/admin.conf on a control plane"
	}
	return "check the way to " + server + " (VPN, firewall, proxy variables), or give another --kubeconfig"
}

// judgeIdentity stops everything behind it when no host of the inventory is a node:
// answers about another cluster would mislead.
func judgeIdentity(server string, f Facts, nodes seen[[]corev1.Node]) verify.Finding {
	if !nodes.ok() {
		g := unseen(nodes.err)
		g.Summary = "cannot tell whether this is the inventory's cluster: " + g.Summary
		return g
	}
	if len(nodes.value) == 0 {
		return verify.NotYet("no-nodes", "%s has no nodes yet", server).
			Mend("surespray run cluster.yml (the nodes join during the run)")
	}
	m := cluster.MatchInventory(nodes.value, f.Hosts)
	both := []string{
		"hosts of the inventory " + f.Inventory + ": " + some(hostNames(f.Hosts), 12),
		"nodes of " + server + ": " + some(nodeNames(nodes.value), 12),
	}
	switch {
	case m.None():
		g := verify.Unknown("wrong-cluster", "no host of the inventory is a node of %s: it looks like another cluster", server)
		g.Stops = true
		return g.Seen(both...).Mend("give the kubeconfig of this inventory's cluster with --kubeconfig, or the inventory of this cluster with -i")
	case len(m.HostsOnly) > 0 || len(m.NodesOnly) > 0:
		g := verify.Warn("partial-match", "%d of %d hosts of the inventory are nodes", len(m.Hosts), len(f.Hosts)).Seen(both...)
		if len(m.HostsOnly) > 0 {
			g = g.Seen("hosts that are no node: " + some(m.HostsOnly, 12))
		}
		if len(m.NodesOnly) > 0 {
			g = g.Seen("nodes that are no host: " + some(m.NodesOnly, 12))
		}
		return g.Mend("new hosts: surespray run scale.yml; left-over nodes: surespray run remove-node.yml -e node=NAME")
	}
	return verify.Pass("all %d hosts of the inventory are nodes of %s", len(f.Hosts), server)
}
