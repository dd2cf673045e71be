package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/review"
)

// reviewOptions are the flags of case approve and case retire.
type reviewOptions struct {
	decision   review.Decision
	dir        string
	fixed      string
	components []string
}

func (o *reviewOptions) add(c *cobra.Command, why, of string) {
	c.Flags().StringVar(&o.decision.By, "by", "", "`NAME` of the person who decides")
	c.Flags().StringVar(&o.decision.Why, why, "", of)
	c.Flags().StringVar(&o.dir, "dir", ".", "look for the case ID below `DIR`")
	c.Flags().StringVar(&o.decision.FixedIn, "fixed-in", "", "the failure is fixed in `VERSION` of the harness")
	c.Flags().StringVar(&o.decision.FixedOn, "fixed-on", "", "the failure is fixed since `DAY`, 2026-03-31")
}

func (o *reviewOptions) check(doing, why string) error {
	switch {
	case o.decision.By == "":
		return usagef("add --by NAME", "%s: --by is missing: a person decides, by name", doing)
	case o.decision.Why == "":
		return usagef("add --"+why+" TEXT", "%s: --%s is missing: others must see what was thought", doing, why)
	}
	return nil
}

const caseApproveLong = `Approve a case: it gates, and "faultline regress check" grades runs by what it
expects.

A case is approved by a person, and only if it can fail: it shows its finding,
and each expectation in its case.json is broken on its own trace. Edit them
before; a candidate only proposes them. With --fixed the trace with the failure
mended by hand goes into the case, and each expectation must be held on it.
Record documents in that file take the place of the case's own. A refusal exits
with 1 and changes nothing.`

func newCaseApproveCommand(a *app) *cobra.Command {
	o := reviewOptions{}
	c := &cobra.Command{
		Use:   "approve FILE|ID --by NAME --note TEXT",
		Short: "Make a case a gate",
		Long:  withExit(caseApproveLong, exitOK, exitFound, exitUsage, exitFailed),
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, list []string) error {
			if err := o.check("approve case", "note"); err != nil {
				return err
			}
			return runCaseReview(a, "approve case", list[0], o, func(k *regress.Case) (*regress.Case, error) {
				return approve(c.Context(), k, o)
			})
		},
	}
	o.add(c, "note", "why the case is right: `TEXT`")
	c.Flags().StringVar(&o.fixed, "fixed", "", "put the mended trace of `FILE` (event/v1) into the case")
	c.Flags().StringArrayVar(&o.components, "component", nil, "the case guards the harness component `NAME` (may be repeated)")
	return c
}

func approve(ctx context.Context, c *regress.Case, o reviewOptions) (*regress.Case, error) {
	d := o.decision
	if o.fixed != "" {
		if err := missing("approve case", o.fixed); err != nil {
			return nil, err
		}
		data, err := readRegular(o.fixed)
		if err != nil {
			return nil, fmt.Errorf("approve case: %w", err)
		}
		d.Fixed = data
	}
	if len(o.components) > 0 {
		with := *c
		with.Components = o.components
		c = &with
	}
	return review.Approve(ctx, c, allRules(), d)
}

const caseRetireLong = `Retire a case: it gates nothing any more, and stays to be read. Where its failure
is seen in a later run, "faultline clusters --suite DIR" says that it is reopened.`

func newCaseRetireCommand(a *app) *cobra.Command {
	o := reviewOptions{}
	c := &cobra.Command{
		Use:   "retire FILE|ID --by NAME --why TEXT",
		Short: "Take a case out of the gates",
		Long:  withExit(caseRetireLong, exitOK, exitFound, exitUsage, exitFailed),
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, list []string) error {
			if err := o.check("retire case", "why"); err != nil {
				return err
			}
			return runCaseReview(a, "retire case", list[0], o, func(c *regress.Case) (*regress.Case, error) {
				return review.Retire(c, o.decision)
			})
		},
	}
	o.add(c, "why", "why it is not needed any more: `TEXT`")
	return c
}

// runCaseReview lets a decision change the file of a case. A decision that the
// case does not bear is a refusal, and changes nothing.
func runCaseReview(a *app, doing, name string, o reviewOptions, decide func(*regress.Case) (*regress.Case, error)) error {
	c, path, err := findCase(doing, name, o.dir)
	if err != nil {
		return err
	}
	decided, err := decide(c)
	if errors.Is(err, review.ErrRefused) {
		a.say("%s: %s: %v", doing, path, err)
		return errFound
	} else if err != nil {
		return err
	}
	changed, err := replaceCase(path, decided)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	switch {
	case !changed:
		a.say("case %s says so already", path)
	case c.Status == regress.Approved, c.Status == regress.Retired:
		a.say("case %s was %s before, by %s: this decision takes the place of that one", path, c.Status, cmp.Or(c.RetiredBy, c.Reviewer))
	}
	_, err = fmt.Fprintln(a.stdout, render.Clean(path))
	return err
}
