package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
)

func newCaseCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "case",
		Short: "Make and show regression cases",
		Long:  "Make and show regression cases: findings as files that keep showing them.",
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCaseNewCommand(a), newCaseShowCommand(a))
	return c
}

// caseNewOptions are the flags of case new.
type caseNewOptions struct {
	judging judgingOptions
	from    string
	out     string
}

const caseNewLong = `Make a regression case of a cluster of the stored runs and print where it lies.

The case holds the clearest source of the cluster, shortened, and is proved: it
is written only if it shows the finding by itself. It is a candidate until a
reviewer approves it.`

func newCaseNewCommand(a *app) *cobra.Command {
	o := caseNewOptions{}
	c := &cobra.Command{
		Use:   "new --from FINGERPRINT",
		Short: "Make a regression case of a cluster",
		Long:  withExit(caseNewLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return runCaseNew(c.Context(), a, o) },
	}
	a.addStore(c)
	o.judging.addEvidence(c)
	c.Flags().StringVar(&o.from, "from", "", "make it of the cluster `FINGERPRINT`, as triage and clusters print it")
	c.Flags().StringVar(&o.out, "out", ".", "write it into `DIR`")
	return c
}

func runCaseNew(ctx context.Context, a *app, o caseNewOptions) (err error) {
	if o.from == "" {
		return usagef("list the clusters with: "+a.next("clusters", o.judging), "make case: --from FINGERPRINT is missing")
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
	file, err := writeCase(ctx, ev.Input, out.Verdicts, o.from, o.out)
	if errors.Is(err, ingest.ErrNotFound) {
		return usagef("list the clusters with: "+a.next("clusters", o.judging), "make case: %s: no such cluster", o.from)
	} else if err != nil {
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
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("show case: %w", err)
	}
	c, err := regress.ParseCase(file, data)
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
