package main

import (
	"context"
	"slices"

	"github.com/faultline-dev/faultline/classify"
)

// eachView visits the stored runs that the arguments name, or all, with what
// the classifier knows of each.
func (a *app) eachView(ctx context.Context, o judgingOptions, list []string, visit func(*classify.View) error) (err error) {
	s, err := a.openToRead()
	if err != nil {
		return err
	}
	defer closing(s, &err)
	sel, err := selectRuns(s, list)
	if err != nil {
		return err
	}
	named := sel.runs
	if len(list) > 0 && sel.paths == nil {
		if sel.runs, err = wholeThreads(s, named); err != nil {
			return err
		}
	}
	configs, err := configsAbove(s, sel)
	if err != nil {
		return err
	}
	ev, err := a.evidence(ctx, o, s, configs)
	if err != nil {
		return err
	}
	ev.Runs, ev.Paths = sel.runs, sel.paths
	return classify.Each(ctx, ev.Input, func(v *classify.View) error {
		if !slices.Contains(named, v.Run.ID) {
			return nil
		}
		return visit(v)
	})
}
