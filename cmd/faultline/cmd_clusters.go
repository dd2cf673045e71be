package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
)

const clustersLong = `Cluster the findings of all stored runs: findings with one fingerprint have one
structure (rule, tool, error class, check, boundary), whatever their text.`

func newClustersCommand(a *app) *cobra.Command {
	o := judgingOptions{}
	c := &cobra.Command{
		Use:   "clusters",
		Short: "List findings with one structure",
		Long:  withExit(clustersLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return runClusters(c.Context(), a, o) },
	}
	a.addStore(c)
	a.addFormat(c)
	o.addEvidence(c)
	return c
}

func runClusters(ctx context.Context, a *app, o judgingOptions) (err error) {
	s, err := a.openToRead()
	if err != nil {
		return err
	}
	defer closing(s, &err)
	sel, err := selectRuns(s, nil)
	if err != nil {
		return err
	}
	out, _, err := a.judgeStored(ctx, o, s, sel)
	if err != nil {
		return err
	}
	clusters := regress.Clusters(out.Verdicts)
	if a.json() {
		return printVerdicts(render.NewJSON(a.stdout), nil, clusters)
	}
	t := render.NewText(a.stdout, a.judgedStyle(o))
	t.Clusters(clusters)
	return t.Flush()
}
