package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/shell"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/replay"
	"github.com/faultline-dev/faultline/regress/replay/adapter"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
)

const replayLong = `Run a harness against the scripted world of a case: a model that says what the
script says, tools that keep real state, and one fault. What the harness did is
told by the world's own ledger, not by the harness.

FILE is a case (*.txtar) with a script.json in it, a script (*.json), or a folder
of cases, of which those without a script are passed over. COMMAND starts the
harness. With a harness that is known by name it is only needed where the program
has another name or place; any other harness is given whole, and its words may
hold {{.Prompt}}, {{.ModelURL}}, {{.ToolsURL}}, {{.Workspace}}, {{.Home}},
{{.Check}}, {{.Control}} and {{shell .Shim}}. It finds the addresses in
OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and FAULTLINE_TOOLS_URL
too, the prompt in FAULTLINE_PROMPT, the check that the work has to pass in
FAULTLINE_CHECK, and in two files of its home the MCP servers (mcp.json,
FAULTLINE_MCP_CONFIG) and the contracts of all tools (tools.json, FAULTLINE_TOOLS).

Each case is played with a persistent model, which asks again after an unclear
answer, and with a passive one, which goes on. The harness runs with a loopback
and no other network, in a scratch home and a scratch workspace. Where this
system cannot isolate it, replay refuses, unless --network open is given, which
every result then shows.`

// replayOptions are the flags of replay.
type replayOptions struct {
	replay  replay.Options
	model   string
	network string
	accept  string
	resume  string
	suite   string
	verbose bool
}

func newReplayCommand(a *app) *cobra.Command {
	o := replayOptions{}
	c := &cobra.Command{
		Use:   "replay [FILE...] --harness NAME [-- COMMAND...]",
		Short: "Run a harness against the scripted world of a case",
		Long:  withExit(replayLong, exitOK, exitFound, exitUsage, exitFailed, exitInterrupted),
		RunE: func(c *cobra.Command, words []string) error {
			files := words
			if n := c.ArgsLenAtDash(); n >= 0 {
				files, o.replay.Command = words[:n], words[n:]
			}
			if o.suite != "" {
				files = append(slices.Clone(files), o.suite)
			}
			return runReplay(c.Context(), a, o, files)
		},
	}
	a.addFormat(c)
	f := c.Flags()
	f.StringVar(&o.replay.Harness, "harness", adapter.GenericName, "drive the harness `NAME`: "+strings.Join(adapter.Names(), ", "))
	f.StringVar(&o.suite, "suite", "", "play the cases of `DIR` that have a script, as if it were a FILE")
	f.StringVar(&o.resume, "resume-command", "", "start a session after a restart with `COMMAND`, in shell words")
	f.StringArrayVar(&o.replay.Env, "env", nil, "give the harness `NAME=VALUE`; NAME alone passes this environment's value on")
	f.StringArrayVar(&o.replay.Logs, "log", nil, "read the harness's log at `PATH` below its scratch home")
	f.StringVar(&o.model, "model", "both", "play with the `MODEL`: persistent, passive or both")
	f.StringVar(&o.accept, "accept", "", "take this `SIGNAL` for acceptance: exit (code 0), record (a completion record), tool:NAME")
	f.StringVar(&o.network, "network", string(sandbox.Isolated), "leave the harness `NETWORK`: isolated or open")
	f.DurationVar(&o.replay.Timeout, "timeout", 2*time.Minute, "kill a session after this `TIME`")
	f.DurationVar(&o.replay.ToolTimeout, "tool-timeout", 5*time.Second, "let the harness give a tool's reply up after this `TIME`, where it has such a setting")
	f.IntVar(&o.replay.MaxRequests, "max-requests", 0, "end a play after `N` requests to the model (0: 200)")
	f.StringVar(&o.replay.Keep, "keep", "", "keep the scratch folders in `DIR`: home, workspace and the ledger of the world")
	f.BoolVar(&o.verbose, "verbose", false, "write what the harness printed to stderr")
	return c
}

func runReplay(ctx context.Context, a *app, o replayOptions, files []string) error {
	if err := o.complete(a); err != nil {
		return err
	}
	subjects, err := readSubjects(files)
	if err != nil {
		return err
	}
	out := render.NewReplay(a.stdout, a.style(), a.json())
	good, bad := 0, 0
	for _, s := range subjects {
		results, err := replay.Run(ctx, s, o.replay)
		for _, r := range results {
			switch {
			case r.Status == replay.Passed:
				good++
			case r.Status != replay.NotReplayable:
				bad++
			}
			if o.verbose {
				a.showSessions(r)
			} else if r.Status != replay.Passed {
				a.sayLastWords(r)
			}
			if err := out.Result(r); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	if bad > 0 || good == 0 { // a gate that nothing went through is not open
		return errFound
	}
	return nil
}

// complete turns the flags into options.
func (o *replayOptions) complete(a *app) error {
	o.replay.Accept, o.replay.Network, o.replay.Rules = replay.Accept(o.accept), sandbox.Network(o.network), allRules()
	switch o.model {
	case "both":
	case string(replay.Persistent), string(replay.Passive):
		o.replay.Modes = []replay.Mode{replay.Mode(o.model)}
	default:
		return usagef("use --model with persistent, passive or both", "replay: --model %s: no such model", o.model)
	}
	if o.replay.Network != sandbox.Isolated && o.replay.Network != sandbox.Open {
		return usagef("use --network with isolated or open", "replay: --network %s: no such network", o.network)
	}
	for i, v := range o.replay.Env {
		if !strings.Contains(v, "=") {
			o.replay.Env[i] = v + "=" + a.env(v)
		}
	}
	if o.resume != "" {
		words, err := shell.Fields(o.resume, func(string) string { return "" })
		if err != nil {
			return usagef("quote it as for a shell", "replay: --resume-command %s: %v", o.resume, err)
		}
		o.replay.Resume = words
	}
	if o.replay.Keep != "" {
		return missing("replay", o.replay.Keep)
	}
	return nil
}

// readSubjects reads the files, and the cases with a script of folders.
func readSubjects(files []string) (out []*replay.Subject, err error) {
	if len(files) == 0 {
		return nil, usagef("name a case or a script", "replay: FILE is missing")
	}
	for _, f := range files {
		if err := missing("replay", f); err != nil {
			return nil, err
		}
		list, folder := []string{f}, false
		if info, err := os.Stat(f); err == nil && info.IsDir() {
			folder = true
			if list, err = regress.Files(f); err != nil {
				return nil, fmt.Errorf("replay: %w", err)
			}
			for i := range list {
				list[i] = filepath.Join(f, filepath.FromSlash(list[i]))
			}
		}
		for _, name := range list {
			data, err := readRegular(name)
			if err != nil {
				return nil, fmt.Errorf("replay: %w", err)
			}
			s, err := replay.Load(name, data)
			if folder && errors.Is(err, replay.ErrNoScript) {
				continue
			} else if err != nil {
				return nil, fmt.Errorf("replay: %w", err)
			}
			out = append(out, s)
		}
	}
	if len(out) == 0 { // a mistyped folder must not stay green
		return nil, usagef("name a case that has a script.json", "replay: no case with a script in %s", strings.Join(files, ", "))
	}
	return out, nil
}

// sayLastWords says how sessions ended that did not end well: what a harness
// that died at its start had to say.
func (a *app) sayLastWords(r *replay.Result) {
	for i, s := range r.Sessions {
		lines := strings.Split(strings.TrimSpace(s.Stderr), "\n")
		if last := lines[len(lines)-1]; s.Exit != 0 && !s.Killed && last != "" {
			a.say("%s, %s model, session %d: exit code %d: %s (all of it with --verbose)", r.Name, r.Model, i+1, s.Exit, last)
		}
	}
}

// showSessions writes what the harness printed.
func (a *app) showSessions(r *replay.Result) {
	for i, s := range r.Sessions {
		a.say("%s, %s model, session %d: exit code %d", r.Name, r.Model, i+1, s.Exit)
		for _, text := range []string{s.Stdout, s.Stderr} {
			for line := range strings.Lines(text) {
				a.say("  %s", strings.TrimRight(line, "\r\n"))
			}
		}
	}
}
