package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/checks"
	"github.com/surespray/surespray/verify/cluster"
)

// bindSnapshot adds --snapshot.
func (v *verification) bindSnapshot(c *cobra.Command) {
	c.Flags().StringVar(&v.snapshot, "snapshot", "", "read the snapshot `DIR` (surespray snapshot DIR) in the place of a cluster")
}

// openSnapshot opens the folder in the place of the cluster.
func (v *verification) openSnapshot() (err error) {
	if v.kubeconfig != "" || v.context != "" {
		return usagef("leave one of them out", "--snapshot reads no cluster: it does not go with --kubeconfig and --context")
	}
	if v.cluster, err = cluster.OpenSnapshot(v.snapshot); err != nil {
		return exitError{code: exitPreflight, what: err.Error(), next: "give a directory that surespray snapshot DIR has written, or one that holds objects.yaml"}
	}
	return nil
}

// readFolder takes values, hosts and what is asked for from a snapshot. A checkout is of
// use for defaults and the names of addons, and not needed.
func (s *session) readFolder(snap *cluster.Snapshot) (err error) {
	if s.cwd, err = os.Getwd(); err != nil {
		return fmt.Errorf("reading the current directory: %w", err)
	}
	var none *kubespray.NoCheckoutError
	switch err := s.openTypes(nil); {
	case errors.As(err, &none):
	case err != nil:
		return err
	}
	if raw := snap.About.Facts; raw != nil {
		s.saved = &checks.Facts{}
		if err := json.Unmarshal(raw, s.saved); err != nil {
			return exitError{code: exitPreflight, what: fmt.Sprintf("%s/snapshot.yaml: facts: %v", snap.Dir, err), next: "take the snapshot again, or use the surespray that took it: " + snap.About.By}
		}
	}
	s.values = s.folderValues(snap)
	return nil
}

// engine is what asks the checks: of a snapshot once, or by the clock of its timeline.
func (v *verification) engine(s *session) verify.Engine {
	snap := v.cluster.Snapshot()
	switch {
	case snap == nil:
		return verify.Engine{Within: v.within, Progress: s.app.progress()}
	case snap.Clock() == nil:
		return verify.Engine{Within: -1}
	}
	return verify.Engine{Within: v.within, Clock: snap.Clock()}
}

// options are how the checks look. A snapshot knows more than the cluster: what was seen
// on the nodes and what probes have found.
func (v *verification) options() (checks.Options, error) {
	o := checks.Options{Since: v.since, Applied: v.applied}
	snap := v.cluster.Snapshot()
	v.allow(&o)
	if snap == nil {
		return o, nil
	}
	o.Probe = false
	for from, into := range map[any]any{&snap.Evidence: &o.NodeEvidence, &snap.Probes: &o.Traffic} {
		raw, err := json.Marshal(from)
		if err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			return o, exitError{code: exitPreflight, what: fmt.Sprintf("snapshot %s: what was seen on the nodes or by probes cannot be read: %v", snap.Dir, err), next: "mend node-evidence.yaml or probe-results.yaml"}
		}
	}
	return o, nil
}
