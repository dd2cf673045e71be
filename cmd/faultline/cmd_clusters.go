package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/suite"
)

// clustersOptions are the flags of clusters.
type clustersOptions struct {
	judging  judgingOptions
	minRuns  int
	repeated bool
	since    string
	suite    string
}

const clustersLong = `Cluster the findings of all stored runs: findings with one fingerprint have one
structure (rule, tool, error class, check, boundary), whatever their text. Each
is listed with when it was seen, by the runs' own times, with the versions of the
harness and the models that it was seen with. One that was seen in two runs or
more is marked as repeated.

With --suite the cases below DIR say which clusters they are of. A cluster is
reopened where a case says that it was fixed (--fixed-in or --fixed-on of "case
approve" and "case retire"), or was retired, and a later run shows it again.`

func newClustersCommand(a *app) *cobra.Command {
	o := clustersOptions{}
	c := &cobra.Command{
		Use:   "clusters",
		Short: "List findings with one structure",
		Long:  withExit(clustersLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return runClusters(c.Context(), a, o) },
	}
	a.addStore(c)
	a.addFormat(c)
	o.judging.addEvidence(c)
	c.Flags().IntVar(&o.minRuns, "min-runs", 1, "only clusters of at least `N` runs")
	c.Flags().BoolVar(&o.repeated, "repeated", false, "only clusters of two runs or more")
	c.Flags().StringVar(&o.since, "new-since", "", "only clusters first seen on `DATE` (2026-03-31, or with a time) or later")
	c.Flags().StringVar(&o.suite, "suite", "", "tell which cases below `DIR` are of each cluster")
	return c
}

// since reads the date of --new-since; zero where none is given.
func (o *clustersOptions) newSince() (time.Time, error) {
	if o.since == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, o.since); err == nil {
			return at, nil
		}
	}
	return time.Time{}, usagef("use --new-since 2026-03-31, say", "read the command line: --new-since %s: not a date", o.since)
}

func (o *clustersOptions) check() error {
	if o.minRuns < 1 {
		return usagef("use --min-runs 1 or more", "read the command line: --min-runs %d: not a number of runs", o.minRuns)
	}
	if o.repeated {
		o.minRuns = max(o.minRuns, 2)
	}
	if o.suite == "" {
		return nil
	}
	return missing("read suite", o.suite)
}

func runClusters(ctx context.Context, a *app, o clustersOptions) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	since, err := o.newSince()
	if err != nil {
		return err
	}
	held, err := a.held(ctx, o.judging, o.suite)
	if err != nil {
		return err
	}
	undated := 0
	held = slices.DeleteFunc(held, func(h suite.Held) bool {
		if !since.IsZero() && h.First.IsZero() {
			undated++
			return true
		}
		return len(h.Runs) < o.minRuns || h.First.Before(since)
	})
	if undated > 0 {
		a.say("%d clusters are left out: no run of theirs states a time", undated)
	}
	if a.json() {
		return printHeld(render.NewJSON(a.stdout), held, o.suite != "")
	}
	t := render.NewText(a.stdout, a.judgedStyle(o.judging))
	t.Seen(held, o.suite != "")
	return t.Flush()
}

// held clusters the findings of all stored runs, with the cases below dir that
// are of them.
func (a *app) held(ctx context.Context, o judgingOptions, dir string) (_ []suite.Held, err error) {
	var cases []check.Named
	if dir != "" {
		if cases, err = check.Load(dir); err != nil {
			return nil, err
		}
		a.sayMalformed(cases)
	}
	s, err := a.openToRead()
	if err != nil {
		return nil, err
	}
	defer closing(s, &err)
	sel, err := selectRuns(s, nil)
	if err != nil {
		return nil, err
	}
	out, _, err := a.judgeStored(ctx, o, s, sel)
	if err != nil {
		return nil, err
	}
	return suite.Hold(regress.Clusters(out.Verdicts), out.Verdicts, cases), nil
}

// sayMalformed tells of the files that are no case.
func (a *app) sayMalformed(cases []check.Named) {
	for _, c := range cases {
		if c.Case == nil {
			a.say("read suite: %v", c.Err)
		}
	}
}

func printHeld(j *render.JSON, held []suite.Held, asked bool) error {
	for _, h := range held {
		print := j.Held
		if !asked {
			print = func(h suite.Held) error { return j.Cluster(h.Cluster) }
		}
		if err := print(h); err != nil {
			return err
		}
	}
	return nil
}
