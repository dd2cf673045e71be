package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/rules"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
)

const handoffDiffLong = `Compare at each boundary of a run (a compaction, a resume, the start of a later
session) what was true before it by the events, what the summary or the Handoff
record said, and what came first after it, with what the rules found: repeated,
dropped, stale, contradicted, lost or destroyed.

The number of duplicate actions after a boundary is the measure of a handoff.`

func newHandoffCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "handoff",
		Short: "Compare what was handed over with what was true",
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	o := judgingOptions{}
	diff := &cobra.Command{
		Use:   "diff RUN...",
		Short: "Compare the state before each boundary with what came after it",
		Long:  withExit(handoffDiffLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.MinimumNArgs(1)),
		RunE:  func(c *cobra.Command, list []string) error { return runHandoffDiff(c.Context(), a, o, list) },
	}
	a.addStore(diff)
	a.addFormat(diff)
	o.addEvidence(diff)
	c.AddCommand(diff)
	return c
}

func runHandoffDiff(ctx context.Context, a *app, o judgingOptions, list []string) error {
	var diffs []handover.Diff
	err := a.consult(ctx, o, list, func(in consulted) error {
		verdicts, err := in.verdicts(ctx)
		if err != nil {
			return err
		}
		return in.eachView(ctx, func(v *classify.View) error {
			diffs = append(diffs, handover.Diffs(v, rules.Repeats(v), verdicts[v.Run.ID].Findings)...)
			return nil
		})
	})
	if err != nil {
		return err
	}
	if !a.json() {
		t := render.NewText(a.stdout, a.judgedStyle(o))
		t.Handovers(diffs)
		return t.Flush()
	}
	j := render.NewJSON(a.stdout)
	for _, d := range diffs {
		if err := j.Handover(d); err != nil {
			return err
		}
	}
	return nil
}
