package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/audit"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
)

const auditLong = `Audit the closing claims of stored runs: for each accepted episode, and each thing
that its closing text says was done, what stands behind it: verified, stale,
masked, contradicted, self-authored, not run, absent, or cannot tell.

Without RUN or PATH all stored runs are audited. The sum is by harness, by model
and by week.`

// auditOptions are the flags of audit.
type auditOptions struct {
	judging judgingOptions
	only    string
}

func newAuditCommand(a *app) *cobra.Command {
	o := auditOptions{}
	c := &cobra.Command{
		Use:   "audit [RUN...|PATH...]",
		Short: "Say what stands behind each closing claim",
		Long:  withExit(auditLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		RunE:  func(c *cobra.Command, list []string) error { return runAudit(c.Context(), a, o, list) },
	}
	a.addStore(c)
	a.addFormat(c)
	o.judging.addEvidence(c)
	c.Flags().StringVar(&o.only, "only", "", "list only claims that are `STANDING`, such as contradicted")
	return c
}

func runAudit(ctx context.Context, a *app, o auditOptions, list []string) error {
	if o.only != "" && !slices.Contains(audit.Standings(), audit.Standing(o.only)) {
		return usagef("use --only contradicted, say; see: faultline audit --help", "read the command line: --only %s: no such standing", o.only)
	}
	var claims []audit.Claim
	err := a.consult(ctx, o.judging, list, func(in consulted) error {
		verdicts, err := in.verdicts(ctx)
		if err != nil {
			return err
		}
		return in.eachView(ctx, func(v *classify.View) error {
			claims = append(claims, audit.Run(v, verdicts[v.Run.ID].Findings)...)
			return nil
		})
	})
	if err != nil {
		return err
	}
	sums := audit.Sum(claims)
	if o.only != "" {
		claims = slices.DeleteFunc(claims, func(c audit.Claim) bool { return c.Standing != audit.Standing(o.only) })
	}
	if !a.json() {
		t := render.NewText(a.stdout, a.judgedStyle(o.judging))
		t.Audit(claims, sums)
		return t.Flush()
	}
	j := render.NewJSON(a.stdout)
	for _, c := range claims {
		if err := j.Claim(c); err != nil {
			return err
		}
	}
	for _, s := range sums {
		if err := j.AuditSum(s); err != nil {
			return err
		}
	}
	return nil
}
