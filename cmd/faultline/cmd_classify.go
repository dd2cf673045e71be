package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress"
)

const classifyLong = `Classify runs that the store holds: the given runs, those with a file under the
given paths, or all. Nothing is read in and nothing is written.

RUN is the start of a run id, or the session id that the agent itself gave.`

func newClassifyCommand(a *app) *cobra.Command {
	o := judgingOptions{}
	c := &cobra.Command{
		Use:   "classify [RUN...|PATH...]",
		Short: "Say which layer let stored runs fail",
		Long:  withExit(classifyLong, exitOK, exitFound, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		RunE:  func(c *cobra.Command, list []string) error { return runClassify(c.Context(), a, o, list) },
	}
	a.addStore(c)
	a.addFormat(c)
	o.add(c)
	return c
}

func runClassify(ctx context.Context, a *app, o judgingOptions, list []string) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	s, err := a.openToRead()
	if err != nil {
		return err
	}
	defer closing(s, &err)
	sel, err := selectRuns(s, list)
	if err != nil {
		return err
	}
	out, err := a.judgeStored(ctx, o, s, sel)
	if err != nil {
		return err
	}
	clusters := regress.Clusters(out.Verdicts)
	if a.json() {
		a.sayUnlinked(out.Unlinked)
		err = printVerdicts(render.NewJSON(a.stdout), out.Verdicts, clusters)
	} else {
		t := render.NewText(a.stdout, a.style())
		t.Report(render.Report{Verdicts: out.Verdicts, Clusters: clusters, Rules: allRules(), Unlinked: out.Unlinked})
		err = t.Flush()
	}
	if err == nil && o.fails(out.Verdicts) {
		return errFound
	}
	return err
}

// judgeStored classifies runs of a store that is open for reading.
func (a *app) judgeStored(ctx context.Context, o judgingOptions, s *badgerstore.Store, sel selection) (*judged, error) {
	configs, err := configsAbove(s, sel)
	if err != nil {
		return nil, err
	}
	in, more, err := a.input(ctx, o, s, redact.Key(s.Key()), configs)
	if err != nil {
		return nil, err
	}
	in.Runs, in.Paths = sel.runs, sel.paths
	return judge(ctx, in, more.configs)
}
