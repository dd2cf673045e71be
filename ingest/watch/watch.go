package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options of a Watcher. Zero times stand for the defaults.
type Options struct {
	// Settle is how long a file must have been quiet before it is read.
	Settle time.Duration
	// Every is after how long a file is read that never becomes quiet.
	Every time.Duration
	// Rescan is how often the tree is walked.
	Rescan time.Duration
	// Exclude lists folders that are passed over, by their absolute paths.
	Exclude []string
	// Problem is told what could not be watched, or read. May be nil.
	Problem func(error)
}

// The defaults of Options.
const (
	DefaultSettle = 2 * time.Second
	DefaultEvery  = time.Minute
	DefaultRescan = 30 * time.Second
)

// Watcher follows files. It is used by one goroutine.
type Watcher struct {
	o       Options
	roots   []string
	events  *fsnotify.Watcher
	known   map[string]stamp     // files as they were when last handed out
	changed map[string]time.Time // when a file that waits began to change
	touched map[string]time.Time // when it last changed
	exclude map[string]bool
	walked  time.Time
	blind   bool // the system's limit of watches was met, and told
}

// stamp tells two states of a file apart.
type stamp struct {
	size int64
	at   time.Time
}

// New watches files and folders. All that they hold counts as changed. An
// error wraps what the file system said of a root.
func New(roots []string, o Options) (*Watcher, error) {
	o.Settle = orDefault(o.Settle, DefaultSettle)
	o.Every = orDefault(o.Every, DefaultEvery)
	o.Rescan = orDefault(o.Rescan, DefaultRescan)
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	w := &Watcher{o: o, roots: roots, events: events, known: map[string]stamp{}, changed: map[string]time.Time{},
		touched: map[string]time.Time{}, exclude: map[string]bool{}}
	for _, dir := range o.Exclude {
		w.exclude[dir] = true
	}
	for _, root := range roots {
		if _, err := os.Stat(root); err != nil {
			return nil, errors.Join(fmt.Errorf("watch: %w", err), events.Close())
		}
	}
	return w, nil
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// Close ends the watch.
func (w *Watcher) Close() error { return w.events.Close() }

// Next waits for changed files that can be read and returns their paths,
// sorted, as the roots spell them. The first call returns at once with all
// files. When the context is canceled it returns what is changed and not yet
// read, with the context's error; at a deadline only the error.
func (w *Watcher) Next(ctx context.Context) ([]string, error) {
	for {
		if errors.Is(ctx.Err(), context.Canceled) && !w.walked.IsZero() { // also where files never cease to be ready
			return w.last(ctx)
		}
		now := time.Now()
		first := w.walked.IsZero()
		if first || now.Sub(w.walked) >= w.o.Rescan {
			w.walk(now)
		}
		if ready := w.ready(now, first); len(ready) > 0 || first {
			return ready, nil
		}
		if err := w.wait(ctx, w.due(now)); err != nil {
			return w.last(ctx)
		}
	}
}

// last is what Next returns at the end of its context.
func (w *Watcher) last(ctx context.Context) ([]string, error) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, ctx.Err()
	}
	w.walk(time.Now())
	return w.ready(time.Time{}, true), ctx.Err()
}

// wait takes events in until a time, or the end of the context.
func (w *Watcher) wait(ctx context.Context, until time.Duration) error {
	timer := time.NewTimer(until)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		case e := <-w.events.Events:
			w.event(e)
			if until > w.o.Settle { // the file that changed is due earlier
				return nil
			}
		case err := <-w.events.Errors:
			w.walked = time.Time{}.Add(1) // events were lost: walk soon
			w.problem(err)
			return nil
		}
	}
}

// due is how long nothing can become ready.
func (w *Watcher) due(now time.Time) time.Duration {
	next := w.walked.Add(w.o.Rescan)
	for path := range w.changed {
		if at := w.readyAt(path); at.Before(next) {
			next = at
		}
	}
	return max(next.Sub(now), time.Millisecond)
}

func (w *Watcher) readyAt(path string) time.Time {
	quiet, patience := w.touched[path].Add(w.o.Settle), w.changed[path].Add(w.o.Every)
	if patience.Before(quiet) {
		return patience
	}
	return quiet
}

// ready takes the files that can be read off the changed ones.
func (w *Watcher) ready(now time.Time, all bool) (out []string) {
	for path := range w.changed {
		if all || !w.readyAt(path).After(now) {
			out = append(out, path)
			delete(w.changed, path)
			delete(w.touched, path)
		}
	}
	slices.Sort(out)
	return out
}

// event notes what the system says of a path.
func (w *Watcher) event(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod || w.excluded(e.Name) {
		return
	}
	info, err := os.Lstat(e.Name)
	switch {
	case err != nil: // removed, or renamed away
		delete(w.known, e.Name)
		delete(w.changed, e.Name)
		delete(w.touched, e.Name)
	case info.IsDir():
		w.walkDir(e.Name, time.Now())
	case info.Mode().IsRegular():
		w.see(e.Name, info, time.Now())
	}
}

// see compares a file with what was last seen of it.
func (w *Watcher) see(path string, info fs.FileInfo, now time.Time) {
	s := stamp{info.Size(), info.ModTime()}
	if known, ok := w.known[path]; ok && known.size == s.size && known.at.Equal(s.at) {
		return
	}
	w.known[path] = s
	w.touched[path] = now
	if _, ok := w.changed[path]; !ok {
		w.changed[path] = now
	}
}

// walk looks at every file below the roots and watches every folder.
func (w *Watcher) walk(now time.Time) {
	w.walked = now
	for _, root := range w.roots {
		w.walkDir(root, now)
	}
}

func (w *Watcher) walkDir(root string, now time.Time) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if !errors.Is(err, fs.ErrNotExist) {
				w.problem(err)
			}
			return nil
		case e.IsDir() && w.excluded(path):
			return filepath.SkipDir
		case e.IsDir():
			w.add(path)
		case e.Type().IsRegular():
			if info, err := e.Info(); err == nil {
				w.see(path, info, now)
			}
		case path == root: // a root may be a link
			w.root(path, now)
		}
		return nil
	})
	if err != nil {
		w.problem(err)
	}
}

// root takes a root that is a link to a file; one to a folder is followed.
func (w *Watcher) root(path string, now time.Time) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		w.problem(err)
	case info.IsDir():
		w.walkDir(path+string(filepath.Separator), now)
	case info.Mode().IsRegular():
		w.add(path)
		w.see(path, info, now)
	}
}

func (w *Watcher) excluded(path string) bool {
	if len(w.exclude) == 0 {
		return false
	}
	abs, err := filepath.Abs(path)
	for ; err == nil && abs != filepath.Dir(abs); abs = filepath.Dir(abs) {
		if w.exclude[abs] {
			return true
		}
	}
	return false
}

// add watches a folder. Where the system has no watch left, walks must do.
func (w *Watcher) add(dir string) {
	if err := w.events.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) && !w.blind {
		w.blind = true
		w.problem(fmt.Errorf("watch %s: %w; changes are seen by a walk every %v", dir, err, w.o.Rescan))
	}
}

func (w *Watcher) problem(err error) {
	if w.o.Problem != nil {
		w.o.Problem(err)
	}
}
