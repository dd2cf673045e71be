package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

// judged is what is kept of a classification.
type judged struct {
	Verdicts []classify.Verdict `json:"verdicts"`
	Unlinked []ingest.Ref       `json:"unlinked"`
}

// judge classifies, unless the store knows the answer: a classification
// depends on nothing but what cacheKey covers. configs are the paths of the
// configuration files behind in.
func judge(ctx context.Context, in classify.Input, configs []string) (*judged, error) {
	key, err := cacheKey(in, configs)
	if err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	out := &judged{}
	if value, err := in.Store.Cache(key); err == nil && json.Unmarshal(value, out) == nil {
		return out, nil
	}
	defer judgingGarbage(in.Store, in.Runs)()
	res, err := classify.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	out = &judged{res.Verdicts, res.Unlinked}
	value, err := json.Marshal(out, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("keep verdicts: %w", err)
	}
	switch err := in.Store.PutCache(key, value); {
	case errors.Is(err, ingest.ErrReadOnly):
	case err != nil:
		return nil, fmt.Errorf("keep verdicts: %w", err)
	}
	// What is printed is what a later call reads back.
	out = &judged{}
	if err := json.Unmarshal(value, out); err != nil {
		return nil, fmt.Errorf("keep verdicts: %w", err)
	}
	return out, nil
}

// What may lie about as garbage while runs are judged, in percent of what is in
// use. Short threads are read, judged and dropped one after the other: waiting
// for twice as much as usual takes 10 MB and spares a tenth of the time. A long
// run is in memory as a whole, and must not be there twice over as garbage.
const (
	shortGarbage = 200
	longGarbage  = 40
	usualGarbage = 100
	longRun      = 50_000 // events
)

// judgingGarbage sets what fits the runs until it is undone. Where the user set
// GOGC, that counts.
func judgingGarbage(s ingest.Store, runs []string) (undo func()) {
	percent := shortGarbage
	for _, id := range runs {
		if n, err := eventsOf(s, id); err != nil || n > longRun {
			percent = longGarbage
			break
		}
	}
	return setGarbage(percent)
}

// collectEagerly is for one run that is in memory as a whole.
func collectEagerly() (undo func()) { return setGarbage(longGarbage) }

func setGarbage(percent int) (undo func()) {
	before := debug.SetGCPercent(percent)
	if before != usualGarbage {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

// eventsOf counts the events of a run by its manifests, those that are stored
// twice included.
func eventsOf(s ingest.Store, run string) (n int, err error) {
	manifests, err := s.Manifests(run)
	for _, m := range manifests {
		for _, p := range m.Places {
			n += p.Events
		}
	}
	return n, err
}

// cacheKey hashes all that a classification depends on: this program, the
// options, the runs with their contents, where this call met them, the records
// and the configurations.
func cacheKey(in classify.Input, configs []string) (string, error) {
	h := sha256.New()
	if err := hashProgram(h); err != nil {
		return "", err
	}
	field(h, "options", fmt.Sprint(in.HideGrader, in.Global != nil, in.Shard))
	runs := slices.Sorted(slices.Values(in.Runs))
	for _, id := range append(runs, ingest.RecordsRun) {
		if err := hashRun(h, in, id); err != nil {
			return "", err
		}
	}
	if in.Extra != nil {
		for r, err := range in.Extra.Receipts() {
			if err != nil {
				return "", err
			}
			field(h, "record", r.Digest, r.Source)
		}
	}
	for _, path := range configs {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		field(h, "config", path, string(data))
	}
	return "verdicts/" + hex.EncodeToString(h.Sum(nil)), nil
}

// hashRun covers the contents of a run, the decoders that read them and the
// paths that are shown for them.
// Of the records only those that this call met count.
func hashRun(h hash.Hash, in classify.Input, id string) error {
	manifests, err := in.Store.Manifests(id)
	if err != nil {
		return err
	}
	readings := map[string][]string{} // content → by what it was read
	for _, m := range manifests {
		readings[m.Digest] = append(readings[m.Digest], fmt.Sprint(m.Format, m.Version))
	}
	field(h, "run", id)
	for _, digest := range slices.Sorted(maps.Keys(readings)) {
		paths := in.Paths[digest]
		if len(paths) == 0 && id == ingest.RecordsRun && in.Paths != nil {
			continue
		}
		if len(paths) == 0 {
			if paths, err = in.Store.Paths(digest); err != nil {
				return err
			}
		}
		field(h, append([]string{"content", digest}, readings[digest]...)...)
		field(h, append([]string{"paths"}, paths...)...)
	}
	return nil
}

// hashProgram covers this program's code. The Go linker writes a hash of it, the
// build id, into the first bytes of the file; a program built without one is
// hashed whole.
func hashProgram(h hash.Hash) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	h.Write(head[:n])
	if slices.ContainsFunc(buildIDMarks, func(mark string) bool { return bytes.Contains(head[:n], []byte(mark)) }) {
		return nil
	}
	_, err = io.Copy(h, f)
	return err
}

// buildIDMarks begin a build id: a note of type 4 by "Go" in an ELF file, a
// text elsewhere (cmd/internal/buildid).
var buildIDMarks = []string{"\x04\x00\x00\x00Go\x00\x00", "\xff Go build ID: \""}

// field hashes strings with their lengths, so that neighbours cannot be taken
// for one another.
func field(h hash.Hash, parts ...string) {
	fmt.Fprintf(h, "\n%d", len(parts))
	for _, p := range parts {
		fmt.Fprintf(h, " %d:%s", len(p), p)
	}
}
