package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/formats"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// ConfigName is the project's configuration file; it is no trace.
const ConfigName = "faultline.yaml"

// syncBytes and syncFiles bound how much is taken in before the store is
// synced and the receipts are handed on.
const (
	syncBytes = 32 << 20
	syncFiles = 256
)

// Options of a scan.
type Options struct {
	Store    ingest.Store
	Redactor *redact.Redactor
	// Since, when not zero, passes over files last modified before it. They
	// get no receipt.
	Since time.Time
	// Only, when not nil, passes over all other files, by path as the walk from
	// the given paths spells it. They get no receipt; configurations count.
	Only map[string]bool
	// Exclude lists folders that are passed over with all they hold, by their
	// cleaned absolute paths: a store's own folder is no trace. What lies
	// there gets no receipt.
	Exclude []string
	// Reread reads every file, also one that nobody wrote to since an earlier
	// scan.
	Reread bool
	// Growing, when not nil, says that files are followed while they grow: a last
	// line that is half written waits, and a file of lines that only grew is read
	// on from where it ended.
	Growing *Growing
	// Receipt is called for every file, in order of path, once its content is
	// durable.
	Receipt func(*ingest.Receipt) error

	now func() time.Time // nil for time.Now
}

// Result is what a scan met.
type Result struct {
	Runs    []string            // ids of the runs with a source here, sorted
	Paths   map[string][]string // content digest → paths under this call
	Configs []string            // paths of faultline.yaml files
	Fresh   map[string]bool     // runs that got a new unit
	Waiting []string            // paths of files whose last line waits to be whole, see Options.Growing
}

// Run scans the paths. A path that does not exist is an error wrapping
// fs.ErrNotExist before anything is read. A path that lies below another is
// taken with it, and one that is neither a file nor a directory (a pipe, a
// socket, a device) is passed over.
func Run(ctx context.Context, paths []string, o Options) (*Result, error) {
	roots, err := rootsOf(paths)
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	s := &scanner{ctx: ctx, o: o, runs: map[string]bool{}, seen: map[string]bool{}, mem: &decode.Memory{},
		result: Result{Paths: map[string][]string{}, Fresh: map[string]bool{}}}
	if g := o.Growing; g != nil {
		g.mem.Reopened()
		s.mem = &g.mem
	}
	for _, r := range roots {
		if err := s.root(r); err != nil {
			return nil, err
		}
	}
	if err := s.sync(); err != nil {
		return nil, err
	}
	for id := range s.runs {
		s.result.Runs = append(s.result.Runs, id)
	}
	slices.Sort(s.result.Runs)
	for _, ps := range s.result.Paths {
		slices.Sort(ps)
	}
	return &s.result, nil
}

type scanner struct {
	ctx     context.Context
	o       Options
	result  Result
	runs    map[string]bool
	seen    map[string]bool   // files already taken by this call
	saw     map[string]string // to be remembered, see seen.go
	exclude map[string]bool   // folders below the root in hand that are passed over
	pending []*ingest.Receipt
	bytes   int64
	mem     *decode.Memory
	buf     []byte // for hashing
	content []byte // of the file in hand
	held    int    // trials in hand, whose receipts wait to be put in order
}

func (s *scanner) root(r root) error {
	var all bool
	if s.exclude, all = r.excluded(s.o.Exclude); all {
		return nil
	}
	if r.dir {
		return s.dir(r.path)
	}
	return s.file(r.path)
}

func (s *scanner) dir(dir string) error {
	if err := s.ctx.Err(); err != nil || s.exclude[dir] {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil { // what was listed before the error counts
		if err := s.unreadable(dir, 0, err); err != nil {
			return err
		}
	}
	if trials := claim(dir); len(trials) > 0 {
		return s.trials(dir, trials)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return strings.Compare(orderOf(a.Name(), a.IsDir()), orderOf(b.Name(), b.IsDir()))
	})
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			err = s.dir(p)
		case e.Type().IsRegular():
			err = s.file(p)
		default:
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// claim asks the folder formats about a directory. One that cannot be read far
// enough to tell is no trial: each of its files then answers for itself.
func claim(dir string) []*decode.Trial {
	for _, f := range formats.Folders() {
		if trials, err := f.Claim(os.DirFS(dir)); err == nil && len(trials) > 0 {
			return trials
		}
	}
	return nil
}

// sync makes what was taken in durable and hands its receipts on.
func (s *scanner) sync() error {
	if len(s.pending) == 0 {
		return nil
	}
	if err := s.o.Store.PutSeen(s.saw); err != nil {
		return fmt.Errorf("sync store: %w", err)
	}
	clear(s.saw)
	if err := s.o.Store.Sync(); err != nil {
		return fmt.Errorf("sync store: %w", err)
	}
	for _, r := range s.pending {
		if s.o.Receipt == nil {
			break
		}
		if err := s.o.Receipt(r); err != nil {
			return err
		}
	}
	s.pending, s.bytes = s.pending[:0], 0
	return nil
}

// took accounts for a finished file.
func (s *scanner) took(r *ingest.Receipt) error {
	for _, id := range r.Runs {
		s.runs[id] = true
		if r.Stored > 0 {
			s.result.Fresh[id] = true
		}
	}
	if r.Digest != "" {
		s.result.Paths[r.Digest] = append(s.result.Paths[r.Digest], r.Source)
	}
	s.pending = append(s.pending, r)
	s.bytes += r.Bytes
	return s.maybeSync()
}

func (s *scanner) maybeSync() error {
	if s.held > 0 || s.bytes < syncBytes && len(s.pending) < syncFiles {
		return nil
	}
	return s.sync()
}

// unreadable gives a file that cannot be read its receipt: one unit, skipped.
func (s *scanner) unreadable(path string, size int64, cause error) error {
	if errors.Is(cause, context.Canceled) {
		return cause
	}
	return s.took(plain(path, "unknown", size, "unreadable", cause.Error()))
}

// plain is the receipt of a file that is one skipped unit.
func plain(path, format string, size int64, reason, cause string) *ingest.Receipt {
	r := &ingest.Receipt{Source: path, Format: format, Bytes: size, Reasons: []ingest.ReasonCount{}, Runs: []string{}}
	if size == 0 && cause == "" {
		return r
	}
	r.Units, r.Skipped = 1, 1
	r.Reasons = append(r.Reasons, ingest.ReasonCount{Kind: reason, Count: 1, First: ingest.Position{Line: 1, Cause: cause}})
	return r
}
