package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
)

func newCaseCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "case",
		Short: "Make, show and decide on regression cases",
		Long:  "Make, show and decide on regression cases: findings as files that keep showing them.",
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCaseNewCommand(a), newCaseShowCommand(a), newCaseApproveCommand(a), newCaseEmitCommand(a), newCaseRetireCommand(a))
	return c
}

// caseNewOptions are the flags of case new.
type caseNewOptions struct {
	judging judgingOptions
	from    string
	out     string
	whole   bool
	budget  int
}

const caseNewLong = `Make a regression case of a cluster of the stored runs, or of one finding, and
print where it lies.

The case holds the clearest source of the cluster, made small: what the finding
does not need is left out as long as the classifier still says the same rule,
fingerprint and severity at the same event. --budget limits how many candidates
are judged; all of them together hold at most 40 times the events of what shows
the finding. The case says whether the search came to its end.

It is proved: it is written only if it shows the finding by itself. It is a
candidate that proposes what it expects of other runs, until a reviewer approves
it. A case that is there already is left alone.`

func newCaseNewCommand(a *app) *cobra.Command {
	o := caseNewOptions{}
	c := &cobra.Command{
		Use:   "new --from FINGERPRINT|FINDING",
		Short: "Make a regression case of a cluster or a finding",
		Long:  withExit(caseNewLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return runCaseNew(c.Context(), a, o) },
	}
	a.addStore(c)
	o.judging.addEvidence(c)
	c.Flags().StringVar(&o.from, "from", "", "make it of the cluster `FINGERPRINT` as clusters prints it, or of the finding with this id")
	c.Flags().StringVar(&o.out, "out", ".", "write it into `DIR`")
	c.Flags().BoolVar(&o.whole, "no-reduce", false, "keep the whole episode, run or thread that shows the finding")
	c.Flags().IntVar(&o.budget, "budget", regress.DefaultBudget, "judge at most `N` candidates to make it small")
	return c
}

func (o caseNewOptions) check(a *app) error {
	switch {
	case o.from == "":
		return usagef("list the clusters with: "+a.next("clusters", o.judging), "make case: --from FINGERPRINT is missing")
	case o.budget < 1:
		return usagef("use --budget 1 or more, or --no-reduce", "read the command line: --budget %d: not a number of candidates", o.budget)
	}
	return nil
}

func runCaseNew(ctx context.Context, a *app, o caseNewOptions) (err error) {
	if err := o.check(a); err != nil {
		return err
	}
	s, err := a.openToRead()
	if err != nil {
		return err
	}
	defer closing(s, &err)
	sel, err := selectRuns(s, nil)
	if err != nil {
		return err
	}
	out, ev, err := a.judgeStored(ctx, o.judging, s, sel)
	if err != nil {
		return err
	}
	progress := a.newProgress()
	c, err := makeCase(ctx, ev.Input, out.Verdicts, o.from, regress.Options{Whole: o.whole, Budget: o.budget, Told: progress.reducing})
	progress.done()
	if errors.Is(err, ingest.ErrNotFound) {
		return usagef("list the clusters with: "+a.next("clusters", o.judging), "make case: %s: no such cluster, and no such finding", o.from)
	} else if err != nil {
		return err
	}
	file, err := writeCase(c, o.out)
	if err != nil {
		return err
	}
	if file.Known {
		a.sayCase(file)
	}
	_, err = fmt.Fprintln(a.stdout, render.Clean(file.Path))
	return err
}

const caseShowLong = `Show a case file: what failed, in words, and what the case must keep showing.`

func newCaseShowCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "Show a regression case",
		Long:  withExit(caseShowLong, exitOK, exitUsage, exitFailed),
		Args:  args(cobra.ExactArgs(1)),
		RunE:  func(_ *cobra.Command, files []string) error { return runCaseShow(a, files[0]) },
	}
	a.addFormat(c)
	return c
}

func runCaseShow(a *app, file string) error {
	if err := missing("show case", file); err != nil {
		return err
	}
	c, err := regress.ReadCase(file)
	if err != nil {
		return fmt.Errorf("show case: %w", err)
	}
	if a.json() {
		return render.NewJSON(a.stdout).Case(c)
	}
	t := render.NewText(a.stdout, a.style())
	t.Case(c)
	return t.Flush()
}
