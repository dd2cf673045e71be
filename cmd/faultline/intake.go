package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/decode"
	outside "github.com/faultline-dev/faultline/ingest/evidence"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/native"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

// exist checks that every path is there before anything is opened or made.
func exist(paths []string) error {
	for _, p := range paths {
		if err := missing("read traces", p); err != nil {
			return err
		}
	}
	return nil
}

// missing is a usage error when a path that the user named is not there.
func missing(doing, path string) error {
	_, err := os.Stat(path)
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return usagef("name a file or a folder that exists", "%s: %s: %v", doing, path, err)
}

// addReread adds the flag against what a store remembers of files.
func addReread(c *cobra.Command, reread *bool) {
	c.Flags().BoolVar(reread, "reread", false, "read also files that did not change, by their size and times, since they were read last")
}

// readingMemory is from how many bytes on memory is collected more eagerly while
// traces are read. It is soft: the places of a session of hundreds of thousands
// of units take a third of it, and must not take it twice over as garbage.
const readingMemory = 120 << 20

// takeIn scans paths into the store by the options given, and hands each receipt
// on once it is durable.
func (a *app) takeIn(ctx context.Context, s *badgerstore.Store, paths []string, o scan.Options, each func(*ingest.Receipt) error) (*scan.Result, error) {
	progress := a.newProgress()
	defer progress.done()
	own, err := filepath.Abs(s.Dir())
	if err != nil {
		return nil, fmt.Errorf("read traces: %w", err)
	}
	r, err := redactorOf(s)
	if err != nil {
		return nil, err
	}
	o.Store, o.Redactor, o.Exclude = s, r, []string{own}
	o.Receipt = func(r *ingest.Receipt) error {
		progress.add(r.Bytes)
		return each(r)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), readingMemory)))
	res, err := scan.Run(ctx, paths, o)
	if err != nil {
		return nil, fmt.Errorf("read traces: %w", err)
	}
	return res, nil
}

// byPath orders receipts for output.
func byPath(rs []*ingest.Receipt) {
	slices.SortStableFunc(rs, func(a, b *ingest.Receipt) int { return cmp.Compare(a.Source, b.Source) })
}

// loadConfigs reads the faultline.yaml files that a scan met.
func loadConfigs(paths []string) ([]*config.Config, error) {
	var out []*config.Config
	for _, p := range slices.Sorted(slices.Values(paths)) {
		c, err := config.Load(p)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// loadGlobal reads the file of --config, if given.
func loadGlobal(path string) (*config.Config, error) {
	if path == "" {
		return nil, nil
	}
	if err := missing("read configuration", path); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, usagef("name a file", "read configuration: %s: is a folder", path)
	}
	return config.Load(path)
}

// loadRecords reads the record files below dir into memory: record documents,
// and evidence of the kinds that package evidence knows. Nothing is kept.
// Problems go to stderr, where they are seen whatever the command prints, and
// are returned by path.
func (a *app) loadRecords(ctx context.Context, dir string, redactor *redact.Redactor, mappings []outside.Mapping) (_ *memstore.Store, notRead []*ingest.Receipt, _ error) {
	if dir == "" {
		return nil, nil, nil
	}
	if err := missing("read records", dir); err != nil {
		return nil, nil, err
	}
	documents, other, err := a.recordFiles(dir, mappings)
	if err != nil {
		return nil, nil, fmt.Errorf("read records: %s: %w", dir, err)
	}
	s := memstore.New()
	receipt := func(r *ingest.Receipt) error {
		for _, c := range r.Reasons {
			more := ""
			if c.Count > 1 {
				more = fmt.Sprintf(" (%d times)", c.Count)
			}
			a.say("read records: %s:%d: %s: %s%s", r.Source, c.First.Line, c.Kind, c.First.Cause, more)
		}
		if render.Problem(r) {
			problem := *r
			problem.Stored, problem.Duplicates = 0, 0 // what was read is consulted, not kept
			notRead = append(notRead, &problem)
		}
		return nil
	}
	_, err = scan.Run(ctx, documents, scan.Options{Store: s, Redactor: redactor, Receipt: receipt})
	if err == nil {
		err = outside.Take(ctx, dir, other, outside.Options{Store: s, Redactor: redactor, Mappings: mappings, Receipt: receipt})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read records: %s: %w", dir, err)
	}
	byPath(notRead)
	return s, notRead, nil
}

// recordFiles lists the regular files below dir that hold record documents,
// and those that hold evidence. What cannot be read is told and passed over.
func (a *app) recordFiles(dir string, mappings []outside.Mapping) (documents, other []string, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			if path == dir {
				return err
			}
			a.say("read records: %v", err)
			return nil
		}
		if _, ok := outside.Mapped(dir, path, mappings); ok && e.Type().IsRegular() {
			other = append(other, path)
			return nil
		}
		head, err := headOf(path, e)
		switch {
		case err != nil:
			a.say("read records: %v", err)
		case isNative(head):
			documents = append(documents, path)
		case outside.Detect(head):
			other = append(other, path)
		}
		return nil
	})
	return documents, other, err
}

func isNative(head []byte) bool { return len(head) > 0 && native.Format.Detect(head) }

// headOf reads the beginning of a regular file.
func headOf(path string, e fs.DirEntry) ([]byte, error) {
	if !e.Type().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, decode.HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return head[:n], nil
}
