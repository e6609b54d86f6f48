package cmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/verify/checks"
)

// probing is whether objects may be made in the cluster, to prove that something works.
type probing struct {
	on, off bool   // --probe, --no-probe
	image   string // --probe-image
	hpas    []string
}

// bindProbes adds the flags of probes. After a run probes are made unless they are
// forbidden; plain verify only reads.
func (v *verification) bindProbes(c *cobra.Command) {
	c.Flags().BoolVar(&v.on, "probe", false, "make a volume and pods in a namespace of our own, to prove that it works, and remove them (default after a run)")
	c.Flags().BoolVar(&v.off, "no-probe", false, "make nothing in the cluster, only read")
	c.Flags().StringVar(&v.image, "probe-image", "", "the `IMAGE` of a probe's pod, with a shell (default: one that the nodes have)")
	c.MarkFlagsMutuallyExclusive("probe", "no-probe")
}

// allow says in the options what may be made and what is asked for.
func (p probing) allow(o *checks.Options) {
	o.Probe = !p.off && (p.on || !o.Since.IsZero())
	o.ProbeImage, o.HPAs = p.image, p.hpas
}

// endProbes removes what was made, after a signal too.
func (v *verification) endProbes(ctx context.Context, s *session) {
	if v.cluster == nil {
		return
	}
	if err := v.cluster.EndProbes(ctx); err != nil {
		s.app.output.warn("%v", err)
	}
}

// takeSubjects takes the NAMESPACE/NAME of HPAs out of the names: verify hpa NS/NAME….
func (v *verification) takeSubjects(names []string) ([]string, error) {
	var rest []string
	for _, name := range names {
		switch {
		case !strings.Contains(name, "/"):
			rest = append(rest, name)
		case len(rest) == 0 || rest[len(rest)-1] != "hpa" && rest[len(rest)-1] != "metrics-server.hpa":
			return nil, usagef("surespray verify hpa NAMESPACE/NAME", "%s: only hpa takes a NAMESPACE/NAME", name)
		default:
			v.hpas = append(v.hpas, name)
		}
	}
	return rest, nil
}
