package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/suite"
)

func newSuiteCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "suite",
		Short: "Look after a folder of cases",
		Long:  "Look after a folder of cases: what is in it, what is wrong with it, and what it holds.",
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newSuiteListCommand(a), newSuiteLintCommand(a), newSuiteCoverageCommand(a))
	return c
}

// loadSuite reads the cases below a folder. A mistyped folder must not pass for
// an empty suite.
func loadSuite(doing, dir string) ([]check.Named, error) {
	if err := missing(doing, dir); err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, usagef("name a folder; one case is shown by: faultline case show FILE", "%s: %s: not a folder", doing, dir)
	}
	cases, err := check.Load(dir)
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, usagef("name a folder with cases; make them with: faultline triage --cases DIR",
			"%s: %s: no case (*.txtar) below this folder", doing, dir)
	}
	return cases, nil
}

func newSuiteListCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "list DIR",
		Short: "List the cases of a folder",
		Long:  withExit("List the cases below a folder: status, rule, what they expect, and who decided.", exitOK, exitUsage, exitFailed),
		Args:  args(cobra.ExactArgs(1)),
		RunE:  func(_ *cobra.Command, dirs []string) error { return runSuiteList(a, dirs[0]) },
	}
	a.addFormat(c)
	return c
}

func runSuiteList(a *app, dir string) error {
	cases, err := loadSuite("list suite", dir)
	if err != nil {
		return err
	}
	if a.json() {
		j := render.NewJSON(a.stdout)
		for _, c := range cases {
			if err := j.Listed(c); err != nil {
				return err
			}
		}
		return nil
	}
	t := render.NewText(a.stdout, a.style())
	t.Listed(cases)
	return t.Flush()
}

const suiteLintLong = `Say what is wrong with the cases below a folder. Errors, for which it exits with
1: a file that is no case, two files with one id, a case that does not show its
finding any more, an approved case of which an expectation is not broken on its
own trace or not held on the mended one. Warnings: a candidate, an approved case
that expects nothing but that a rule is silent or that a harness passes that does
nothing, two cases of one fingerprint, an approved case without a component, a
component (--component) without an approved case.`

// suiteLintOptions are the flags of suite lint.
type suiteLintOptions struct {
	components []string
	strict     bool
}

func newSuiteLintCommand(a *app) *cobra.Command {
	o := suiteLintOptions{}
	c := &cobra.Command{
		Use:   "lint DIR",
		Short: "Say what is wrong with the cases of a folder",
		Long:  withExit(suiteLintLong, exitOK, exitFound, exitUsage, exitFailed, exitInterrupted),
		Args:  args(cobra.ExactArgs(1)),
		RunE:  func(c *cobra.Command, dirs []string) error { return runSuiteLint(c.Context(), a, o, dirs[0]) },
	}
	a.addFormat(c)
	c.Flags().StringArrayVar(&o.components, "component", nil, "the harness component `NAME` ought to have a case (may be repeated)")
	c.Flags().BoolVar(&o.strict, "strict", false, "exit 1 for warnings too")
	return c
}

func runSuiteLint(ctx context.Context, a *app, o suiteLintOptions, dir string) error {
	cases, err := loadSuite("lint suite", dir)
	if err != nil {
		return err
	}
	problems, err := suite.Lint(ctx, cases, o.components, allRules())
	if err != nil {
		return err
	}
	if err := a.printProblems(problems, len(cases)); err != nil {
		return err
	}
	if o.strict && len(problems) > 0 || slices.ContainsFunc(problems, suite.Problem.Error) {
		return errFound
	}
	return nil
}

func (a *app) printProblems(problems []suite.Problem, cases int) error {
	if a.json() {
		j := render.NewJSON(a.stdout)
		for _, p := range problems {
			if err := j.Problem(p); err != nil {
				return err
			}
		}
		return nil
	}
	t := render.NewText(a.stdout, a.style())
	t.Linted(problems, cases)
	return t.Flush()
}

const suiteCoverageLong = `Say which clusters of the stored runs, and which components of the harness, the
approved cases below a folder hold, and their share. Components are those that
cases name, those of the stored trial/v1 records, and those of --component.`

// suiteCoverageOptions are the flags of suite coverage.
type suiteCoverageOptions struct {
	judging    judgingOptions
	components []string
}

func newSuiteCoverageCommand(a *app) *cobra.Command {
	o := suiteCoverageOptions{}
	c := &cobra.Command{
		Use:   "coverage DIR",
		Short: "Say which failures and components the cases of a folder hold",
		Long:  withExit(suiteCoverageLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.ExactArgs(1)),
		RunE:  func(c *cobra.Command, dirs []string) error { return runSuiteCoverage(c.Context(), a, o, dirs[0]) },
	}
	a.addStore(c)
	a.addFormat(c)
	o.judging.addEvidence(c)
	c.Flags().StringArrayVar(&o.components, "component", nil, "count the harness component `NAME` too (may be repeated)")
	return c
}

func runSuiteCoverage(ctx context.Context, a *app, o suiteCoverageOptions, dir string) error {
	cases, err := loadSuite("cover suite", dir)
	if err != nil {
		return err
	}
	a.sayMalformed(cases)
	var cover suite.Coverage
	err = a.consult(ctx, o.judging, nil, func(in consulted) error {
		out, err := judge(ctx, in.Input, in.evidence.paths)
		if err != nil {
			return err
		}
		tried, err := triedComponents(in.Store)
		if err != nil {
			return err
		}
		held := suite.Hold(regress.Clusters(out.Verdicts), out.Verdicts, cases)
		cover = suite.Cover(held, cases, append(tried, o.components...))
		return nil
	})
	if err != nil {
		return err
	}
	if a.json() {
		return render.NewJSON(a.stdout).Coverage(cover)
	}
	t := render.NewText(a.stdout, a.judgedStyle(o.judging))
	t.Coverage(cover)
	return t.Flush()
}

// triedComponents are the components that stored trial records name.
func triedComponents(s ingest.Store) ([]string, error) {
	r, err := ingest.Load(s, ingest.RecordsRun, nil)
	if errors.Is(err, ingest.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for i := range r.Events {
		rec, err := record.Decode(r.Detail(&r.Events[i]))
		var tried map[string]jsontext.Value
		if err != nil || rec.Trial == nil || json.Unmarshal(rec.Trial.Components, &tried) != nil {
			continue
		}
		for name := range tried {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}
