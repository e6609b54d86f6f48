package cmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/checks"
	"github.com/surespray/surespray/verify/cluster"
)

func (a *app) snapshot() *cobra.Command {
	s := &session{app: a, looks: true, versions: true}
	v := &verification{}
	c := &cobra.Command{
		Use:   "snapshot DIR",
		Short: "Save what verify reads, to look at it elsewhere",
		Long: `Saves into DIR what surespray verify reads of the cluster: objects, the ends of logs,
and the errors that it met. surespray verify --snapshot DIR then gives the same verdicts
without the cluster. Nothing is changed in the cluster.
Left out are the data of Secrets, tokens, private keys, passwords in addresses, and the
values of variables and settings whose names say that they are secret; the names stay.
DIR is written as a whole, or not at all; a former snapshot there is replaced.` + exitHelp(
			"0 the snapshot is there; what could not be read is in it as an error",
			"64 arguments",
			"69 DIR holds something else or cannot be written, or the inventory cannot be read",
			"70 error of surespray",
			"74 the API server cannot be asked: nothing was saved",
			"130, 143 cancelled: nothing was saved"),
		Example: `  surespray snapshot /tmp/mycluster -i inventory/mycluster/inventory.ini
  surespray verify --snapshot /tmp/mycluster`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef(c.CommandPath()+" --help", "snapshot takes one argument, the directory to write")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.saveSnapshot(c.Context(), s, v, args[0]) },
	}
	s.bind(c, func(f runner.Flag) bool {
		return f.Lookup && f.Name != "module-path" || f.Name == runner.ExtraVarsFlag
	})
	v.bindCluster(c)
	return c
}

func (a *app) saveSnapshot(ctx context.Context, s *session, v *verification, dir string) error {
	if err := cannotWrite(dir, cluster.CheckSnapshotDir(dir)); err != nil {
		return err
	}
	a.output.closing = true
	if err := v.prepare(ctx, s, nil); err != nil {
		return err
	}
	v.recording = true
	if err := v.open(s); err != nil {
		_, next := noWay(err)
		return exitError{code: exitInconclusive, what: err.Error(), next: next}
	}
	told, err := v.record(ctx, s)
	if err != nil {
		return err
	}
	contents, err := v.recorder.Write(dir, told)
	if err := cannotWrite(dir, err); err != nil {
		return err
	}
	a.output.doc.Exit = exitOf(nil)
	a.output.doc.Exit.Message = fmt.Sprintf("snapshot %s: %d objects, %d logs, %d requests that were answered with an error", dir, contents.Objects, contents.Logs, contents.Errors)
	a.output.note("read it with: surespray verify --snapshot %s", dir)
	return nil
}

// record asks what verify asks, while the recorder looks on.
func (v *verification) record(ctx context.Context, s *session) (cluster.Told, error) {
	defer runner.Guard()()
	if _, err := v.cluster.Ready(ctx); err != nil && cluster.KindOf(err) != cluster.KindForbidden {
		if ctx.Err() != nil {
			return cluster.Told{}, context.Cause(ctx)
		}
		return cluster.Told{}, exitError{code: exitInconclusive, what: fmt.Sprintf("%s cannot be asked: %v", v.cluster.Server(), err), next: "surespray verify api-server"}
	}
	options, err := v.options()
	if err != nil {
		return cluster.Told{}, err
	}
	facts := s.facts()
	list := checks.For(v.cluster, facts, options)
	if err := v.recorder.Walk(ctx, rights(list)); err != nil && ctx.Err() == nil {
		s.app.output.warn("only what the checks ask for is saved: %v", err)
	}
	engine := verify.Engine{Within: -1, Progress: s.app.progress()}
	engine.Run(ctx, list)
	told := cluster.Told{By: "surespray " + buildVersion, TakenAt: v.cluster.Now(), Facts: facts}
	if s.values != nil {
		told.Values = s.values.Vars
	}
	v.describe(ctx, s) // who the cluster is, is read like all else
	if ctx.Err() != nil {
		return told, context.Cause(ctx)
	}
	return told, nil
}

// rights are what the checks need, each once.
func rights(list []verify.Check) []verify.Access {
	var out []verify.Access
	for _, c := range list {
		for _, a := range c.Access {
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// cannotWrite says what to do about a directory that cannot be written.
func cannotWrite(dir string, err error) error {
	var foreign *cluster.ForeignDirError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &foreign):
		return exitError{code: exitPreflight, what: err.Error(), next: "give another directory, such as " + filepath.Join(dir, "snapshot")}
	}
	return exitError{code: exitPreflight, what: fmt.Sprintf("the snapshot cannot be written: %v", err), next: "give a directory that you may write to"}
}
