package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/ingest/watch"
)

// watchOptions are the flags of watch.
type watchOptions struct {
	live   liveOptions
	settle time.Duration
	every  time.Duration
	rescan time.Duration
}

const watchLong = `Follow folders while agents write their logs there: read what is there, then each
file when it has been quiet for a moment, until interrupted. A file may grow, be
truncated, be replaced or be renamed; what was read stays in the store.

A line that is half written counts when it is whole, or at the end of the watch.

With --triage a run is classified when its log shows the end of a turn, when
nothing came for --idle, or at the end of the watch, and again when more came;
each verdict is one line. As JSON receipts are printed, too.

An interrupt or a termination signal reads what has changed and ends the watch
with exit 0, or 1 when --triage printed a finding.`

func newWatchCommand(a *app) *cobra.Command {
	o := watchOptions{}
	c := &cobra.Command{
		Use:   "watch DIR...",
		Short: "Follow folders of growing logs",
		Long:  withExit(watchLong, exitOK, exitFound, exitUsage, exitFailed),
		Args:  args(cobra.MinimumNArgs(1)),
		RunE:  func(c *cobra.Command, dirs []string) error { return runWatch(c.Context(), a, o, dirs) },
	}
	o.live.add(a, c)
	c.Flags().DurationVar(&o.settle, "settle", watch.DefaultSettle, "read a file when it was quiet for `DURATION`")
	c.Flags().DurationVar(&o.every, "every", watch.DefaultEvery, "read a file that keeps changing every `DURATION`")
	c.Flags().DurationVar(&o.rescan, "rescan", watch.DefaultRescan, "walk the folders every `DURATION`, for changes that were not announced")
	return c
}

func runWatch(ctx context.Context, a *app, o watchOptions, dirs []string) (err error) {
	if err := errors.Join(o.live.check(), exist(dirs)); err != nil {
		return err
	}
	for i := range dirs {
		dirs[i] = filepath.Clean(dirs[i])
	}
	own, err := a.ownFolder()
	if err != nil {
		return err
	}
	w, err := watch.New(dirs, watch.Options{Settle: o.settle, Every: o.every, Rescan: o.rescan, Exclude: []string{own},
		Problem: func(err error) { a.say("%v", err) }})
	if err != nil {
		return err
	}
	defer w.Close()
	f := &follower{live: a.newLive(o.live), dirs: dirs, own: own, waiting: map[string]bool{}}
	defer f.growing.Close()
	a.say("watching %s", dirs)
	for {
		// The judging of quiet runs must not wait for the next change.
		next, cancel := context.WithTimeout(ctx, o.live.idle)
		changed, nerr := w.Next(next)
		cancel()
		ended := errors.Is(nerr, context.Canceled)
		// What is in hand is finished whatever the signal.
		if err := f.follow(context.WithoutCancel(ctx), changed, ended); err != nil {
			return err
		}
		if ended {
			return f.ending(nil)
		}
		if nerr != nil && !errors.Is(nerr, context.DeadlineExceeded) {
			return nerr
		}
	}
}

// ownFolder is the store's folder: a store is no trace.
func (a *app) ownFolder() (string, error) {
	dir, err := a.storeDir()
	if err != nil {
		return "", err
	}
	own, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the store: %w", err)
	}
	return own, nil
}

// follower reads growing files and judges their runs.
type follower struct {
	*live
	dirs    []string
	own     string // the store's folder
	growing scan.Growing
	waiting map[string]bool // files whose last line is half written
}

// follow reads the changed files in and judges. The last time nothing waits any
// more.
func (f *follower) follow(ctx context.Context, changed []string, last bool) error {
	only := map[string]bool{}
	for _, path := range changed {
		only[path] = true
	}
	growing := &f.growing
	if last {
		maps.Copy(only, f.waiting)
		growing = nil
	}
	if len(only) > 0 {
		if err := f.read(ctx, only, growing); err != nil {
			return err
		}
	}
	return f.judge(ctx, time.Now(), last, true)
}

func (f *follower) read(ctx context.Context, only map[string]bool, growing *scan.Growing) (err error) {
	l := f.live
	l.mu.Lock()
	defer l.mu.Unlock()
	s, err := l.open(ctx)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	redactor, err := redactorOf(s)
	if err != nil {
		return err
	}
	res, err := scan.Run(ctx, f.dirs, scan.Options{Store: s, Redactor: redactor, Only: only, Exclude: []string{f.own}, Growing: growing,
		Receipt: func(r *ingest.Receipt) error { return l.receipt(r) }})
	if err != nil {
		return fmt.Errorf("read traces: %w", err)
	}
	for path := range only {
		delete(f.waiting, path)
	}
	for _, path := range res.Waiting {
		f.waiting[path] = true
	}
	fresh := make([]string, 0, len(res.Fresh))
	for id := range res.Fresh {
		fresh = append(fresh, id)
	}
	l.note(time.Now(), fresh, nil)
	return nil
}
