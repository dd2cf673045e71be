package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress/check"
)

const regressCheckLong = `Grade runs against the approved cases of a suite: does one of them show again what
a case was made of?

A run is a trial of a case where the case says something of it: its rule or one
of its expectations has an occasion there. A case is regressed when a
trial breaks one of its expectations, and cannot be told when a trial does not
record what it needs; both fail the check. Candidates and retired cases are
listed as skipped. An invalid trial (unfinished, or its environment failed) stays
in the denominator.

A PATH is read into the store first, as triage does; without RUN or PATH all
stored runs are graded. With --baseline what was regressed there too is known
and does not fail again.`

// checkOptions are the flags of regress check.
type checkOptions struct {
	judging  judgingOptions
	suite    string
	repeats  int
	baseline string
	write    string
	redact   redactOptions
}

func newRegressCheckCommand(a *app) *cobra.Command {
	o := checkOptions{}
	c := &cobra.Command{
		Use:   "check --suite DIR [RUN...|PATH...]",
		Short: "Grade runs against approved cases",
		Long:  withExit(regressCheckLong, exitOK, exitFound, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		RunE:  func(c *cobra.Command, list []string) error { return runRegressCheck(c.Context(), a, o, list) },
	}
	a.addStore(c)
	a.addFormat(c, "junit", "sarif", "markdown", "github")
	o.judging.addEvidence(c)
	c.Flags().StringVar(&o.suite, "suite", "", "grade against the cases below `DIR`")
	c.Flags().IntVar(&o.repeats, "repeats", 1, "expect `K` trials of a case; tell pass@K and pass^K")
	c.Flags().StringVar(&o.baseline, "baseline", "", "let what is regressed in `FILE` too not fail again")
	c.Flags().StringVar(&o.write, "write-baseline", "", "write the results as a baseline into `FILE`")
	o.redact.add(c)
	return c
}

func (o *checkOptions) check() error {
	switch {
	case o.suite == "":
		return usagef("name the folder of cases: --suite DIR", "check runs: --suite is missing")
	case o.repeats < 1:
		return usagef("use --repeats 1 or more", "read the command line: --repeats %d: not a number of trials", o.repeats)
	}
	return missing("check runs", o.suite)
}

func runRegressCheck(ctx context.Context, a *app, o checkOptions, list []string) error {
	if err := o.check(); err != nil {
		return err
	}
	cases, err := check.Load(o.suite)
	if err != nil {
		return err
	}
	if len(cases) == 0 { // a mistyped folder must not stay green
		return usagef("name a folder with cases; make them with: faultline triage --cases DIR",
			"check runs: %s: no case (*.txtar) below this folder", o.suite)
	}
	opts := check.Options{Repeats: o.repeats}
	if opts.Baseline, err = readBaseline(o.baseline); err != nil {
		return err
	}
	if err := a.takeInPaths(ctx, o.redact, list); err != nil {
		return err
	}
	var report *check.Report
	err = a.consult(ctx, o.judging, list, func(in consulted) error {
		opts.Runs = in.named
		report, err = check.Run(ctx, in.Input, cases, opts)
		return err
	})
	if err != nil {
		return err
	}
	if err := writeBaseline(o.write, report); err != nil {
		return err
	}
	if err := a.printCheck(report); err != nil {
		return err
	}
	if !report.OK() {
		return errFound
	}
	return nil
}

// takeInPaths reads what of a list is on disk into the store.
func (a *app) takeInPaths(ctx context.Context, o redactOptions, list []string) (err error) {
	var paths []string
	for _, p := range list {
		if isThere(p) {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	s, err := a.openToWrite(o)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	_, err = a.takeIn(ctx, s, paths, scan.Options{}, func(r *ingest.Receipt) error {
		if render.Problem(r) {
			a.say("%s: %d of %d units quarantined", r.Source, r.Quarantined, r.Units)
		}
		return nil
	})
	return err
}

func readBaseline(file string) (*check.Baseline, error) {
	if file == "" {
		return nil, nil
	}
	data, err := readRegular(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("write one with: --write-baseline FILE", "read baseline: %s: no such file", file)
	} else if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	return check.ParseBaseline(file, data)
}

func writeBaseline(file string, r *check.Report) error {
	if file == "" {
		return nil
	}
	data, err := check.NewBaseline(r).Bytes()
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	return nil
}

func (a *app) printCheck(r *check.Report) error {
	switch a.format {
	case "json":
		return render.NewJSON(a.stdout).Check(r)
	case "junit":
		return render.JUnit(a.stdout, r)
	case "sarif":
		return render.CheckSARIF(a.stdout, r, moduleVersion())
	case "markdown":
		return render.CheckMarkdown(a.stdout, r)
	case "github":
		return render.Annotations(a.stdout, r)
	}
	t := render.NewText(a.stdout, a.style())
	t.Check(r)
	return t.Flush()
}
