package checks

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/cluster"
)

// bindNodes is on how many nodes a probe makes a volume.
const bindNodes = 8

// localPathBind proves with a claim and a pod of its own, on several nodes, that volumes
// are made, mounted, written to and removed. Without a probe it tells what helper pods
// that others have caused say.
func localPathBind(c *cluster.Cluster, f Facts, o Options) []verify.Check {
	b := &bindProbe{c: c, o: o}
	check := verify.Check{
		ID: lpBind, Title: "A volume is made, mounted, written to and removed", Area: localPathArea, Also: []string{localPathRole},
		Needs: []string{apiHealth, apiIdentity, lpDeployment, lpConfig, lpClass, lpClaims},
		Access: []verify.Access{
			right("", "pods", "list"), right("", "events", "list"), right("", "pods/log", "get"), right("", "nodes", "list"),
		},
		Help: "With --probe: makes a claim and a pod for up to 8 nodes in a namespace of its own, looks at the volume's path and node, writes a file and reads it back, and removes all again. " +
			"Without: reads the helper pods that are there. https://github.com/rancher/local-path-provisioner#usage",
		Run: func(ctx context.Context) []verify.Finding {
			s, err := sharedLocalPath(ctx, c, f, o)
			if err != nil {
				return []verify.Finding{unseen(err)}
			}
			own := judgeLocalPath(s)
			if !o.Probe || own[lpBind][0].Verdict == verify.VerdictSkip && s.nothingThere() {
				return own[lpBind]
			}
			for _, id := range []string{lpConfig, lpDeployment, lpClass} {
				if trouble(own[id]) {
					return []verify.Finding{verify.Because(id, "no volume was tried: the provisioner does not work")}
				}
			}
			return b.ask(ctx, s)
		},
	}
	if o.Probe {
		check.Access = append(check.Access,
			right("", "namespaces", "create"), right("", "namespaces", "get"), right("", "namespaces", "list"), right("", "namespaces", "delete"),
			right("", "pods", "create"), right("", "pods", "delete"), right("", "persistentvolumes", "get"), right("", "persistentvolumes", "patch"),
			right("", "persistentvolumeclaims", "create"), right("", "persistentvolumeclaims", "delete"), right("", "persistentvolumeclaims", "list"))
	}
	return []verify.Check{check}
}

// bindProbe is the probe under way. The engine asks again and again: each time it looks
// where every node is, and takes the next step.
type bindProbe struct {
	c *cluster.Cluster
	o Options

	mu    sync.Mutex
	probe *cluster.Probe
	tries []*bindTry
	over  bool
}

// bindTry is what is tried on one node.
type bindTry struct {
	node, name string
	image      probeImage
	began      time.Time
	made       bool            // claim and pod
	removed    bool            // they are deleted, and the volume should go
	volume     string          // once bound
	final      *verify.Finding // nothing more is to come
	proven     verify.Finding  // what passes once the volume is gone
}

func (b *bindProbe) ask(ctx context.Context, s *localPathState) []verify.Finding {
	b.mu.Lock()
	defer b.mu.Unlock()
	nodes, left := bindable(s.nodes.value)
	switch {
	case s.nodes.err != nil:
		return []verify.Finding{unseen(s.nodes.err)}
	case len(nodes) == 0 && b.tries == nil:
		return []verify.Finding{verify.Unknown("unschedulable", "no volume was tried: no node takes a pod without tolerations (not Ready, cordoned or tainted)").
			Mend("kubectl get nodes; kubectl describe nodes | grep -A3 Taints")}
	}
	if b.probe == nil {
		probe, err := b.c.StartProbe(ctx)
		if err != nil {
			return []verify.Finding{notAllowed(err, "")}
		}
		b.probe = probe
		for i, n := range nodes {
			b.tries = append(b.tries, &bindTry{node: n.Name, name: fmt.Sprintf("bind-%d", i), image: s.probeImage(n, b.o.ProbeImage), began: b.c.Now()})
		}
	}
	out := b.round(ctx, s)
	if left > 0 {
		out = append(out, verify.Skip("volumes were tried on %d of %d nodes", len(b.tries), len(s.nodes.value)))
	}
	if !b.over && !slices.ContainsFunc(b.tries, func(t *bindTry) bool { return t.final == nil }) {
		b.over = true
		_ = b.probe.End(ctx) // whoever opened the cluster waits for it, and tells if it fails
	}
	return out
}
