package main

import (
	"context"
	"slices"

	"github.com/faultline-dev/faultline/classify"
)

// consulted is what a command without a verdict of its own works on: the runs
// that its arguments name, or all, and what they are judged by.
type consulted struct {
	evidence
	named []string // the other runs of the input are of their threads
}

// consult opens the store for one question about stored runs.
func (a *app) consult(ctx context.Context, o judgingOptions, list []string, ask func(consulted) error) (err error) {
	s, err := a.openToRead()
	if err != nil {
		return err
	}
	defer closing(s, &err)
	sel, err := selectRuns(s, list)
	if err != nil {
		return err
	}
	in := consulted{named: sel.runs}
	if len(list) > 0 && sel.paths == nil {
		if sel.runs, err = wholeThreads(s, sel.runs); err != nil {
			return err
		}
	}
	configs, err := configsAbove(s, sel)
	if err != nil {
		return err
	}
	if in.evidence, err = a.evidence(ctx, o, s, configs); err != nil {
		return err
	}
	in.Runs, in.Paths = sel.runs, sel.paths
	if err := in.addRejected(o, s, sel.paths); err != nil {
		return err
	}
	return ask(in)
}

// eachView visits the views of the named runs.
func (in consulted) eachView(ctx context.Context, visit func(*classify.View) error) error {
	return classify.Each(ctx, in.Input, func(v *classify.View) error {
		if !slices.Contains(in.named, v.Run.ID) {
			return nil
		}
		return visit(v)
	})
}

// verdicts judges the runs, by run id.
func (in consulted) verdicts(ctx context.Context) (map[string]classify.Verdict, error) {
	out, err := judge(ctx, in.Input, in.evidence.paths)
	if err != nil {
		return nil, err
	}
	byRun := map[string]classify.Verdict{}
	for _, v := range out.Verdicts {
		byRun[v.Run] = v
	}
	return byRun, nil
}
