package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
)

func newRegressCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "regress",
		Short: "Run regression cases",
		Long:  "Run regression cases.",
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newRegressRunCommand(a), newRegressCheckCommand(a))
	return c
}

const regressRunLong = `Judge every case of a folder on its own trace: each must still show the finding
that it was made of. A retired case is skipped. A folder without a case is taken
for a mistake on the command line.`

func newRegressRunCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "run DIR",
		Short: "Check that every case still shows its finding",
		Long:  withExit(regressRunLong, exitOK, exitFound, exitUsage, exitFailed, exitInterrupted),
		Args:  args(cobra.ExactArgs(1)),
		RunE:  func(c *cobra.Command, dirs []string) error { return runRegressRun(c.Context(), a, dirs[0]) },
	}
	a.addFormat(c)
	return c
}

func runRegressRun(ctx context.Context, a *app, dir string) error {
	if err := missing("run cases", dir); err != nil {
		return err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usagef("name a folder; one case is shown by: faultline case show FILE", "run cases: %s: not a folder", dir)
	}
	report, err := regress.RunDir(ctx, dir, allRules())
	if err != nil {
		return err
	}
	if len(report.Cases) == 0 { // a mistyped folder must not stay green
		return usagef("name a folder with cases; make them with: faultline triage --cases DIR",
			"run cases: %s: no case (*.txtar) in this folder", dir)
	}
	if a.json() {
		j := render.NewJSON(a.stdout)
		for _, c := range report.Cases {
			if err := j.CaseResult(c); err != nil {
				return err
			}
		}
	} else {
		t := render.NewText(a.stdout, a.style())
		t.Suite(report)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if !report.OK() {
		return errFound
	}
	return nil
}
