package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
)

const classifyLong = `Classify runs that the store holds: the given runs, those with a file under the
given paths, or all. Nothing is read in and nothing is written.

RUN is the start of a run id, or the session id that the agent itself gave. It is
judged with the other runs of its thread; a sub-agent's run with its parent.

With --shard i/n only one of n parts of the threads is judged; the output of all
n parts is put together by "faultline merge".`

func newClassifyCommand(a *app) *cobra.Command {
	o := judgingOptions{}
	c := &cobra.Command{
		Use:   "classify [RUN...|PATH...]",
		Short: "Say which layer let stored runs fail",
		Long:  withExit(classifyLong, exitOK, exitFound, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		RunE:  func(c *cobra.Command, list []string) error { return runClassify(c.Context(), a, o, list) },
	}
	a.addStore(c)
	a.addFormat(c, judgedFormats...)
	o.add(c)
	c.Flags().StringVar(&o.shard, "shard", "", "judge only part `i/n` of the threads and print it for merge")
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
	named, single := sel.runs, len(list) > 0 && sel.paths == nil
	if single {
		if sel.runs, err = wholeThreads(s, named); err != nil {
			return err
		}
	}
	out, ev, err := a.judgeStored(ctx, o, s, sel)
	if err != nil {
		return err
	}
	if single {
		out.Unlinked = nil // they are of the other runs of the store
	}
	if out.Verdicts, err = onlyOf(s, out.Verdicts, sel.runs, named); err != nil {
		return err
	}
	if o.shard != "" {
		err = a.printShard(ev.Shard, s, out)
	} else {
		err = a.printJudged(render.Report{Verdicts: out.Verdicts, Unlinked: out.Unlinked, NotRead: ev.notRead}, o)
	}
	if err == nil && o.fails(out.Verdicts) {
		return errFound
	}
	return err
}

// wholeThreads adds the runs that share a thread with one of the given, which
// are judged with them.
func wholeThreads(s ingest.Store, runs []string) (all []string, err error) {
	for _, id := range runs {
		if slices.Contains(all, id) {
			continue
		}
		thread, err := threadOf(s, id)
		if err != nil {
			return nil, err
		}
		all = append(all, thread...)
	}
	return all, nil
}

// onlyOf keeps the verdicts of the named runs; that of a sub-agent's run is its
// parent's.
func onlyOf(s ingest.Store, vs []classify.Verdict, consulted, named []string) ([]classify.Verdict, error) {
	printed := map[string]bool{}
	for _, id := range named {
		printed[id] = true
	}
	if err := printParents(s, consulted, printed); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(vs, func(v classify.Verdict) bool { return !printed[v.Run] }), nil
}
