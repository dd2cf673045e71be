package main

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// app is what the commands share.
type app struct {
	stdout, stderr io.Writer
	env            func(string) string
	store          string // --store; empty for the default place
	format         string // text or json
	workers        int
	problems       *redact.Masker // for what say writes
}

func newApp() *app {
	return &app{stdout: os.Stdout, stderr: os.Stderr, env: os.Getenv, format: "text",
		workers: runtime.GOMAXPROCS(0), problems: redact.NewMasker()}
}

const rootLong = `Faultline reads traces of AI-agent runs and says which layer of the harness let
a failure happen: acceptance, idempotency, handoff, or a neighbour that owns it.
It cites the events that show it. It works offline, and no model is asked.

  faultline triage           the logs of the agents installed for this user
  faultline triage PATH...   these files and folders`

func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "faultline",
		Short:         "Find the harness layer that let an agent run fail",
		Long:          rootLong,
		Args:          args(cobra.NoArgs),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("see: "+c.CommandPath()+" --help", "read the command line: %s: %v", c.CommandPath(), err)
	})
	root.AddCommand(
		newTriageCommand(a), newIngestCommand(a), newRunsCommand(a), newShowCommand(a), newClassifyCommand(a),
		newRulesCommand(a), newClustersCommand(a), newCaseCommand(a), newSuiteCommand(a), newFindingCommand(a), newRegressCommand(a), newSchemaCommand(a),
		newMergeCommand(a), newEffectsCommand(a), newAuditCommand(a), newConfigCommand(a), newHandoffCommand(a), newUsageCommand(a), newReceiveCommand(a), newWatchCommand(a), newStoreCommand(a), newVersionCommand(a),
		newReplayCommand(a), newInsideCommand(), newShimCommand(a),
	)
	root.AddCommand(newHelpTopics()...)
	strictHelp(root)
	return root
}

// args turns a check of positional arguments into a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, list []string) error {
		if err := check(c, list); err != nil {
			return usagef("see: "+c.CommandPath()+" --help", "read the command line: %s: %v", c.CommandPath(), err)
		}
		return nil
	}
}

// addFormat declares --format with text, json and the formats that a command
// prints besides.
func (a *app) addFormat(c *cobra.Command, more ...string) {
	formats := append([]string{"text", "json"}, more...)
	last := len(formats) - 1
	list := strings.Join(formats[:last], ", ") + " or " + formats[last]
	c.Flags().StringVar(&a.format, "format", "text", "output `FORMAT`: "+list)
	c.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains(formats, a.format) {
			return usagef("use --format with "+list, "read the command line: --format %s: no such format", a.format)
		}
		return nil
	}
}

// judgedFormats are what commands that judge print besides text and JSON.
var judgedFormats = []string{"sarif", "markdown"}

func (a *app) addStore(c *cobra.Command) {
	c.Flags().StringVar(&a.store, "store", "", "keep what was read in `DIR` (default: see help environment)")
}

func (a *app) json() bool { return a.format == "json" }

// style lays text out for standard output.
func (a *app) style() render.Style {
	s := render.Style{Color: a.colour()}
	if f, ok := a.stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.Width = width
		}
	}
	s.Flags = strings.Join(a.flags(judgingOptions{}), " ")
	return s
}

// judgedStyle is style for the output of a command that classifies.
func (a *app) judgedStyle(o judgingOptions) render.Style {
	s := a.style()
	s.Flags = strings.Join(a.flags(o), " ")
	return s
}

// next is a faultline command that judges the same, for the hint of an error.
func (a *app) next(args string, o judgingOptions) string {
	return strings.Join(append([]string{"faultline " + args}, a.flags(o)...), " ")
}

// flags are the store and the evidence as this call was given them: a hint
// without them would lead to another verdict.
func (a *app) flags(o judgingOptions) (out []string) {
	if a.store != "" {
		out = append(out, "--store "+render.Quote(a.store))
	}
	if o.records != "" {
		out = append(out, "--records "+render.Quote(o.records))
	}
	if o.config != "" {
		out = append(out, "--config "+render.Quote(o.config))
	}
	if o.hideGrader {
		out = append(out, "--hide-grader")
	}
	return out
}

// colour follows NO_COLOR, CLICOLOR_FORCE and CLICOLOR, in this order, and
// else asks whether standard output is a terminal.
func (a *app) colour() bool {
	switch {
	case a.env("NO_COLOR") != "":
		return false
	case a.env("CLICOLOR_FORCE") != "" && a.env("CLICOLOR_FORCE") != "0":
		return true
	case a.env("CLICOLOR") == "0" || a.env("TERM") == "dumb":
		return false
	}
	return isTerminal(a.stdout)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
