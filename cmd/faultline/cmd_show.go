package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
)

// showOptions are the flags of show.
type showOptions struct {
	judging judgingOptions
	at      string
	full    bool
}

const showLong = `Show a run as a timeline, with its findings beside the events that they cite.

RUN is the start of a run id, or the session id that the agent itself gave.
--at shows one event in full between its neighbours: SEQ counts the events of
the run's main file, FILE:SEQ those of another file of it.`

func newShowCommand(a *app) *cobra.Command {
	o := showOptions{}
	c := &cobra.Command{
		Use:   "show RUN",
		Short: "Show a run as a timeline with its findings",
		Long:  withExit(showLong, exitOK, exitUsage, exitFailed, exitNoStore, exitLocked, exitInterrupted),
		Args:  args(cobra.ExactArgs(1)),
		RunE:  func(c *cobra.Command, names []string) error { return runShow(c.Context(), a, o, names[0]) },
	}
	a.addStore(c)
	a.addFormat(c)
	o.judging.addEvidence(c)
	c.Flags().StringVar(&o.at, "at", "", "show the event `SEQ` or FILE:SEQ in full")
	c.Flags().BoolVar(&o.full, "full", false, "show all text in full")
	return c
}

func runShow(ctx context.Context, a *app, o showOptions, name string) (err error) {
	s, err := a.openToRead()
	if err != nil {
		return err
	}
	defer closing(s, &err)
	id, err := findRun(s, name)
	if err != nil {
		return err
	}
	r, err := ingest.Load(s, id, nil)
	if err != nil {
		return err
	}
	line := render.Timeline{Run: r, Full: o.full, At: -1}
	if o.at != "" {
		if line.At, err = eventAt(r, o.at); err != nil {
			return err
		}
	}
	thread, err := threadOf(s, id)
	if err != nil {
		return err
	}
	out, err := a.judgeStored(ctx, o.judging, s, selection{runs: thread})
	if err != nil {
		return err
	}
	line.Thread = out.Verdicts
	if a.json() {
		return render.NewJSON(a.stdout).Timeline(line)
	}
	t := render.NewText(a.stdout, a.style())
	t.Timeline(line)
	return t.Flush()
}

// eventAt finds the index of the event that SEQ or FILE:SEQ names.
func eventAt(r *ingest.Run, at string) (int, error) {
	file, number := "", at
	if i := strings.LastIndexByte(at, ':'); i >= 0 {
		file, number = at[:i], at[i+1:]
	}
	seq, err := strconv.Atoi(number)
	if err != nil {
		return 0, usagef("use --at SEQ or --at FILE:SEQ", "show event: %s: not a number", at)
	}
	for i := range r.Events {
		e := &r.Events[i]
		if e.Seq == seq && inFile(r, e.Source, file) {
			return i, nil
		}
	}
	return 0, usagef("list the events with: faultline show "+r.ID[:min(12, len(r.ID))], "show event: %s: the run has no such event", at)
}

// inFile matches a source by the end of one of its paths; no file is the main
// one.
func inFile(r *ingest.Run, source int, file string) bool {
	if file == "" {
		return source == 0
	}
	return slices.ContainsFunc(r.Sources[source].Paths, func(p string) bool {
		return p == file || strings.HasSuffix(p, "/"+file)
	})
}
