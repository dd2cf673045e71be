package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	// Receipt is called for every file, in order of path, once its content is
	// durable.
	Receipt func(*ingest.Receipt) error
}

// Result is what a scan met.
type Result struct {
	Runs    []string            // ids of the runs with a source here, sorted
	Paths   map[string][]string // content digest → paths under this call
	Configs []string            // paths of faultline.yaml files
	Fresh   map[string]bool     // runs that got a new unit
}

// Run scans the paths. A path that does not exist is an error wrapping
// fs.ErrNotExist before anything is read.
func Run(ctx context.Context, paths []string, o Options) (*Result, error) {
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return nil, fmt.Errorf("scan: %w", err)
		}
	}
	s := &scanner{ctx: ctx, o: o, runs: map[string]bool{}, seen: map[string]bool{},
		result: Result{Paths: map[string][]string{}, Fresh: map[string]bool{}}}
	for _, p := range paths {
		if err := s.path(filepath.Clean(p)); err != nil {
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
	seen    map[string]bool // files already taken by this call
	pending []*ingest.Receipt
	bytes   int64
}

// path takes a file or a directory that the caller named; a link is followed.
func (s *scanner) path(p string) error {
	info, err := os.Stat(p)
	if err != nil {
		return s.unreadable(p, 0, err)
	}
	if info.IsDir() {
		return s.dir(p)
	}
	return s.file(p)
}

func (s *scanner) dir(dir string) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return s.unreadable(dir, 0, err)
	}
	trial, err := claim(dir, entries)
	if err != nil {
		return s.unreadable(dir, 0, err)
	}
	if trial != nil {
		return s.trial(dir, trial)
	}
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

// claim asks the folder formats about a directory that has plain files.
func claim(dir string, entries []fs.DirEntry) (*decode.Trial, error) {
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type().IsRegular() }) {
		return nil, nil
	}
	for _, f := range formats.Folders() {
		trial, err := f.Claim(os.DirFS(dir))
		if err != nil || trial != nil {
			return trial, err
		}
	}
	return nil, nil
}

// sync makes what was taken in durable and hands its receipts on.
func (s *scanner) sync() error {
	if len(s.pending) == 0 {
		return nil
	}
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
	if s.bytes < syncBytes && len(s.pending) < syncFiles {
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
