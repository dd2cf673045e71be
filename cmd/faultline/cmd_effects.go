package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/ledger"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
)

const effectsLong = `List the effect ledger: every write outside the workspace that stored runs
dispatched, what became of it, whether it was sent before, which look-up told
of it and what took it back.

A write counts by a contract (a record, or faultline.yaml), by the operation's
own record, or by its method and name (inferred). Writes to loopback, private
and container-local places and to files are not listed. Each run says at which
level it could see: the agent's calls, HTTP requests, or the service.`

func newEffectsCommand(a *app) *cobra.Command {
	o := judgingOptions{}
	c := &cobra.Command{
		Use:   "effects [RUN...|PATH...]",
		Short: "List the writes outside the workspace and what became of them",
		Long:  withExit(effectsLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		RunE:  func(c *cobra.Command, list []string) error { return runEffects(c.Context(), a, o, list) },
	}
	a.addStore(c)
	a.addFormat(c)
	o.addEvidence(c)
	return c
}

func runEffects(ctx context.Context, a *app, o judgingOptions, list []string) error {
	j, t := render.NewJSON(a.stdout), render.NewText(a.stdout, a.judgedStyle(o))
	err := a.consult(ctx, o, list, func(in consulted) error {
		return in.eachView(ctx, func(v *classify.View) error {
			entries := ledger.Entries(v)
			if !a.json() {
				t.Effects(v.Run, ledger.LevelOf(v.Thread), entries)
				return nil
			}
			for _, e := range entries {
				if err := j.Effect(e, ledger.LevelOf(v.Thread)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil || a.json() {
		return err
	}
	return t.Flush()
}
