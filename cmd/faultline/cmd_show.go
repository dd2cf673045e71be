package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify"
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
the run's main file, FILE:SEQ those of another file of it. A record that a
finding cites is shown by its FILE:SEQ, too.`

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
	defer collectEagerly()()
	id, err := findRun(s, name)
	if err != nil {
		return err
	}
	thread, err := threadOf(s, id)
	if err != nil {
		return err
	}
	out, ev, err := a.judgeStored(ctx, o.judging, s, selection{runs: thread})
	if err != nil {
		return err
	}
	r, err := ingest.Load(s, id, nil) // once what judging held is free
	if err != nil {
		return err
	}
	line := render.Timeline{Run: r, Thread: out.Verdicts, Full: o.full, At: -1}
	if line.Records, err = citedRecords(ev, out.Verdicts); err != nil {
		return err
	}
	if err := pick(&line, o.at, a.next("show "+r.ID[:min(12, len(r.ID))], o.judging)); err != nil {
		return err
	}
	if a.json() {
		return render.NewJSON(a.stdout).Timeline(line)
	}
	t := render.NewText(a.stdout, a.judgedStyle(o.judging))
	t.Timeline(line)
	return t.Flush()
}

// citedRecords loads the record documents that findings cite: those that the
// store keeps and those of --records.
func citedRecords(ev evidence, vs []classify.Verdict) (out []*ingest.Run, err error) {
	cited := map[string]bool{}
	for _, v := range vs {
		for _, f := range v.Findings {
			for _, ref := range f.Refs {
				if ref.Run == ingest.RecordsRun {
					cited[ref.Source] = true
				}
			}
		}
	}
	stores := []ingest.Store{ev.Store}
	if ev.Extra != nil {
		stores = append(stores, ev.Extra)
	}
	for _, s := range stores {
		r, err := ingest.LoadOnly(s, ingest.RecordsRun, nil, func(m *ingest.Manifest) bool { return cited[m.Source] })
		if errors.Is(err, ingest.ErrNotFound) {
			continue
		} else if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// pick resolves --at: SEQ or FILE:SEQ of an event of the run, else FILE:SEQ of
// a record that a finding cites. Empty picks nothing. list is the command that
// shows what there is.
func pick(tl *render.Timeline, at, list string) error {
	if at == "" {
		return nil
	}
	file, number := "", at
	if i := strings.LastIndexByte(at, ':'); i >= 0 {
		file, number = at[:i], at[i+1:]
	}
	seq, err := strconv.Atoi(number)
	if err != nil {
		return usagef("use --at SEQ or --at FILE:SEQ", "show event: %s: not a number", at)
	}
	r := tl.Run
	for i := range r.Events {
		e := &r.Events[i]
		if e.Seq == seq && inFile(r, e.Source, file) {
			tl.At = i
			return nil
		}
	}
	var found []ingest.Ref
	for _, ref := range tl.CitedRecords() {
		if file != "" && ref.Seq == seq && endsPath(ref.File, file) {
			found = append(found, ref)
		}
	}
	switch len(found) {
	case 0:
		return usagef("list the events with: "+list, "show event: %s: the run has no such event", at)
	case 1:
		tl.Record = found[0]
		return nil
	}
	return usagef("give more of the path", "show event: %s: %d records match", at, len(found))
}

// inFile matches a source by the end of one of its paths; no file is the main
// one.
func inFile(r *ingest.Run, source int, file string) bool {
	if file == "" {
		return source == 0
	}
	return slices.ContainsFunc(r.Sources[source].Paths, func(p string) bool { return endsPath(p, file) })
}

func endsPath(path, end string) bool { return path == end || strings.HasSuffix(path, "/"+end) }
