package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/regress/replay/sandbox"
	"github.com/faultline-dev/faultline/regress/replay/shim"
)

// exitCodeError ends the program with a code that another program decided.
type exitCodeError int

func (e exitCodeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// newInsideCommand is the first process of a replay's sandbox. People have no
// use for it.
func newInsideCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "inside",
		Short:  "Run programs in a sandbox, for replay",
		Long:   "Run programs in the sandbox of a replay, which starts this command itself.",
		Hidden: true,
		Args:   args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if code := sandbox.Inside(); code != 0 {
				return exitCodeError(code)
			}
			return nil
		},
	}
}

// newShimCommand stands in for a tool of the harness in a replay.
func newShimCommand(a *app) *cobra.Command {
	var control string
	c := &cobra.Command{
		Use:    "shim --control SOCKET mcp SERVER | command NAME -- ARG... | git REPO",
		Short:  "Stand in for a tool, for replay",
		Long:   "Carry what a harness says to a tool to the world of a replay, which writes this command line itself.",
		Hidden: true,
		Args:   args(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, words []string) error {
			dir, err := os.Getwd()
			if err != nil {
				return fmt.Errorf("find the working folder: %w", err)
			}
			code, err := shim.Run(c.Context(), control, words, shim.Process{Dir: dir, Stdin: os.Stdin, Stdout: a.stdout, Stderr: a.stderr})
			if err != nil {
				a.say("%v", err)
			}
			if code != 0 {
				return exitCodeError(code)
			}
			return err
		},
	}
	c.Flags().StringVar(&control, "control", "", "reach the world at `SOCKET`")
	return c
}

// foreignCode is the exit code that another program decided.
func foreignCode(err error) (int, bool) {
	var code exitCodeError
	return int(code), errors.As(err, &code)
}
