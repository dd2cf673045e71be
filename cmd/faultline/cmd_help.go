package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// exitMeaning says what an exit code means, for help texts.
func exitMeaning(code int) string {
	switch code {
	case exitOK:
		return "done, and nothing that would fail the command was found"
	case exitFound:
		return "a high or medium finding (narrowed by --fail-on), a case that no longer reproduces, a replay that did not pass, or a damaged store"
	case exitUsage:
		return "the command line is wrong, a PATH is missing, or a configuration is broken"
	case exitQuarantined:
		return "something was quarantined; only with --strict, and only without a finding"
	case exitFailed:
		return "the operation failed: input or output, disk full, a store of a newer version"
	case exitNoStore:
		return "there is no store"
	case exitLocked:
		return "the store is locked by another process"
	}
	return "interrupted"
}

// withExit adds the exit codes of a command to its help.
func withExit(long string, codes ...int) string {
	var b strings.Builder
	b.WriteString(long + "\n\nExit codes:\n")
	for _, code := range codes {
		fmt.Fprintf(&b, "  %3d  %s\n", code, exitMeaning(code))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// strictHelp makes a usage error of what Cobra's own commands let pass: help
// on a topic, and completion for a shell, that do not exist.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args = args(cobra.NoArgs)
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			for _, shell := range c.Commands() {
				shell.Args = args(cobra.NoArgs)
			}
		case "help":
			c.Run = nil
			c.RunE = runHelp
		}
	}
}

func runHelp(c *cobra.Command, names []string) error {
	topic, rest, err := c.Root().Find(names)
	if err != nil || topic == nil || len(rest) > 0 {
		return usagef("list them with: faultline help", "show help: %s: no such command or topic", strings.Join(names, " "))
	}
	topic.InitDefaultHelpFlag()
	return topic.Help()
}

const environmentLong = `FAULTLINE_STORE      the folder of the store
XDG_STATE_HOME       without FAULTLINE_STORE the store is $XDG_STATE_HOME/faultline/store,
                     and without this ~/.local/state/faultline/store
CLAUDE_CONFIG_DIR    where Claude Code keeps its projects folder (default ~/.claude)
CODEX_HOME           where Codex keeps its sessions and archived_sessions folders (default ~/.codex)
XDG_DATA_HOME        where opencode keeps its folder (default ~/.local/share)
NO_COLOR             when not empty, no colour
CLICOLOR_FORCE       when not empty and not 0, colour even when output is no terminal
CLICOLOR             when 0, no colour`

// newHelpTopics are pages of help that are no commands.
func newHelpTopics() []*cobra.Command {
	return []*cobra.Command{
		{
			Use:   "exit-codes",
			Short: "What the exit codes mean",
			Long: withExit("Each command exits with one of these codes.", exitOK, exitFound, exitUsage, exitQuarantined,
				exitFailed, exitNoStore, exitLocked, exitInterrupted),
		},
		{Use: "environment", Short: "Environment variables", Long: environmentLong},
	}
}
