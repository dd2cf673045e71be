package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/cmd/faultline/render"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// errShards is wrapped by errors of files that are not the shards of one call.
var errShards = errors.New("not the shards of one classification")

// parseShard reads "2/3".
func parseShard(text string) (s classify.Shard, err error) {
	if text == "" {
		return s, nil
	}
	var rest string
	if n, _ := fmt.Sscanf(text, "%d/%d%s", &s.Index, &s.Count, &rest); n != 2 || s.Index < 1 || s.Index > s.Count {
		return s, usagef("use --shard 1/4 to --shard 4/4, say", "read the command line: --shard %s: no part of a whole", text)
	}
	return s, nil
}

// printShard writes the verdicts of one shard for merge.
func (a *app) printShard(s classify.Shard, store *badgerstore.Store, out *judged) error {
	j := render.NewShard(a.stdout)
	info, _ := debug.ReadBuildInfo()
	head := render.ShardHead{
		Type: "shard", Index: s.Index, Count: s.Count, Key: redact.Key(store.Key()).ID(), Version: version(info), Unlinked: out.Unlinked,
	}
	if err := j.Object(head); err != nil {
		return err
	}
	return printVerdicts(j, out.Verdicts, nil)
}

// shardFile is what one file holds.
type shardFile struct {
	path string
	head render.ShardHead
	all  []classify.Verdict
}

func readShard(path string) (f shardFile, err error) {
	in, err := os.Open(path)
	if err != nil {
		return f, fmt.Errorf("read shard: %w", err)
	}
	defer in.Close()
	f.path = path
	dec := jsontext.NewDecoder(in, jsontext.AllowInvalidUTF8(true))
	if err = json.UnmarshalDecode(dec, &f.head); err == nil && f.head.Type != "shard" {
		err = fmt.Errorf("%w: it was not printed by classify --shard", errShards)
	}
	for err == nil {
		var v classify.Verdict
		if err = json.UnmarshalDecode(dec, &v); err == nil {
			f.all = append(f.all, v)
		}
	}
	if errors.Is(err, io.EOF) && f.head.Type != "" {
		return f, nil
	}
	if !errors.Is(err, errShards) {
		err = fmt.Errorf("%w: %w", errShards, err)
	}
	return f, fmt.Errorf("read shard %s at byte %d: %w", path, dec.InputOffset(), err)
}

// mergeShards puts the shards of one classification together.
func mergeShards(files []shardFile) (verdicts []classify.Verdict, unlinked []ingest.Ref, err error) {
	slices.SortStableFunc(files, func(a, b shardFile) int { return cmp.Compare(a.head.Index, b.head.Index) })
	for i, f := range files {
		if err := f.fits(files[0], i+1); err != nil {
			return nil, nil, err
		}
		verdicts = append(verdicts, f.all...)
		if i == 0 {
			unlinked = f.head.Unlinked
		}
		unlinked = slices.DeleteFunc(unlinked, func(r ingest.Ref) bool { return !slices.Contains(f.head.Unlinked, r) })
	}
	if n := files[0].head.Count; n != len(files) {
		return nil, nil, fmt.Errorf("merge shards: %w: %d of %d are here", errShards, len(files), n)
	}
	slices.SortStableFunc(verdicts, func(a, b classify.Verdict) int { return cmp.Compare(a.Run, b.Run) })
	for i := 1; i < len(verdicts); i++ {
		if verdicts[i].Run == verdicts[i-1].Run {
			return nil, nil, fmt.Errorf("merge shards: %w: run %s is in two of them", errShards, verdicts[i].Run)
		}
	}
	return verdicts, unlinked, nil
}

// fits checks that a file is the i-th of the shards that the first begins.
func (f shardFile) fits(first shardFile, i int) error {
	why := ""
	switch h := f.head; {
	case h.Count != first.head.Count:
		why = fmt.Sprintf("one of %d shards, and %s is one of %d", h.Count, first.path, first.head.Count)
	case h.Key != first.head.Key:
		why = "redacted with another key than " + first.path
	case h.Version != first.head.Version:
		why = "judged by another faultline than " + first.path
	case h.Index != i:
		why = fmt.Sprintf("shard %d where shard %d was expected", h.Index, i)
	default:
		return nil
	}
	return fmt.Errorf("merge shard %s: %w: %s", f.path, errShards, why)
}
