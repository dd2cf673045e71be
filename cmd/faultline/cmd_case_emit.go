package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/emit"
)

const caseEmitLong = `Write a case as a Go test for the repository of the harness, and print the files
that were written and the command that adds what the test needs.

The test plays the case's script against the harness, as replay does. How the
harness is started stands in faultline_harness_test.go, which is written once and
then left alone; what comes after -- is its first content.`

// caseEmitOptions are the flags of case emit.
type caseEmitOptions struct {
	emit.Options
	out string
}

func newCaseEmitCommand(a *app) *cobra.Command {
	o := caseEmitOptions{}
	c := &cobra.Command{
		Use:   "emit FILE [flags] [-- COMMAND...]",
		Short: "Write a case as a Go test of the harness",
		Long:  withExit(caseEmitLong, exitOK, exitUsage, exitFailed),
		Args:  args(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, words []string) error {
			file := words[0]
			if at := c.ArgsLenAtDash(); at >= 0 {
				o.Command = words[at:]
				words = words[:at]
			}
			if len(words) != 1 {
				return usagef("put the harness's command after --", "emit case: one FILE is wanted")
			}
			return runCaseEmit(a, o, file)
		},
	}
	c.Flags().StringVar(&o.out, "out", ".", "write into `DIR`, the folder of a package")
	c.Flags().StringVar(&o.Package, "package", "harness_test", "`NAME` of the test's package")
	c.Flags().StringVar(&o.Harness, "harness", "generic", "`NAME` of the harness, as replay knows it")
	return c
}

func runCaseEmit(a *app, o caseEmitOptions, file string) error {
	if err := missing("emit case", file); err != nil {
		return err
	}
	c, err := regress.ReadCase(file)
	if err != nil {
		return fmt.Errorf("emit case: %w", err)
	}
	files, err := emit.Files(c, o.Options)
	switch {
	case errors.Is(err, emit.ErrNoScript):
		return usagef("a case that can be played holds script.json; see: faultline case show "+file, "%v", err)
	case errors.Is(err, emit.ErrOptions):
		return usagef("use --package with a Go identifier", "%v", err)
	case err != nil:
		return err
	}
	for _, f := range files {
		if err := writeEmitted(a, o.out, f); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(a.stdout, emit.Require(moduleVersion()))
	return err
}

// writeEmitted writes one file and says so; one that is the user's own by now is
// left alone.
func writeEmitted(a *app, dir string, f emit.File) error {
	path := filepath.Join(dir, filepath.FromSlash(f.Path))
	if f.Once && isThere(path) {
		a.say("emit case: %s: is there already, left alone", path)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("emit case: %w", err)
	}
	if err := os.WriteFile(path, f.Data, 0o644); err != nil {
		return fmt.Errorf("emit case: %w", err)
	}
	_, err := fmt.Fprintln(a.stdout, render.Clean(path))
	return err
}
