package evidence

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// Options of Take.
type Options struct {
	Store    ingest.Store
	Redactor *redact.Redactor
	// Mappings of the files that a glob of theirs names.
	Mappings []Mapping
	// Receipt is called for every file.
	Receipt func(*ingest.Receipt) error
}

// taken is what one file said.
type taken struct {
	path   string
	format string
	size   int64
	digest string
	items  []item
	others int   // lines of another kind
	err    error // it could not be read
}

// Take reads files of evidence below a folder and keeps what they say as record
// documents in a store.
func Take(ctx context.Context, dir string, files []string, o Options) error {
	var all []*taken
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		all = append(all, take(dir, file, o.Mappings))
	}
	byFolder := commitsOf(all)
	for _, t := range all {
		r, err := t.keep(o, byFolder[path.Dir(slashed(t.path))])
		if err != nil {
			return err
		}
		if err := o.Receipt(r); err != nil {
			return err
		}
	}
	return nil
}

// Mapped returns the mapping whose glob names a file below dir.
func Mapped(dir, file string, mappings []Mapping) (Mapping, bool) {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return Mapping{}, false
	}
	rel = filepath.ToSlash(rel)
	for _, m := range mappings {
		ok, _ := path.Match(m.Logs, rel)
		if base, _ := path.Match(m.Logs, path.Base(rel)); ok || base && !strings.Contains(m.Logs, "/") {
			return m, true
		}
	}
	return Mapping{}, false
}

func take(dir, file string, mappings []Mapping) *taken {
	t := &taken{path: file, format: "evidence"}
	f, err := os.Open(file)
	if err != nil {
		t.err = err
		return t
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.err = err
		return t
	}
	h := sha256.New()
	if t.size, t.err = io.Copy(h, io.NewSectionReader(f, 0, info.Size())); t.err != nil {
		return t
	}
	t.digest = hex.EncodeToString(h.Sum(nil))
	t.read(dir, &decode.Input{Path: file, Size: t.size, ReaderAt: f}, mappings)
	return t
}

func (t *taken) read(dir string, in *decode.Input, mappings []Mapping) {
	add := func(it item) { t.items = append(t.items, it) }
	in, changed, err := recoded(in)
	if err != nil {
		t.err = err
		return
	}
	if changed {
		add = func(it item) {
			it.offset, it.length = 0, 0 // those of the file are others
			t.items = append(t.items, it)
		}
	}
	if m, ok := Mapped(dir, in.Path, mappings); ok {
		t.format = "service-log"
		t.others, t.err = m.read(in, add)
		return
	}
	head, err := in.Head()
	if err != nil {
		t.err = err
		return
	}
	if r, ok := readerOf(head); ok {
		t.format = r.name
		if t.err = r.read(in, add); t.err != nil {
			t.items = nil // half a report says nothing
		}
	}
}

// commitsOf lists, by folder, the commits that its files state.
func commitsOf(all []*taken) map[string][]string {
	out := map[string][]string{}
	for _, t := range all {
		dir := path.Dir(slashed(t.path))
		for _, it := range t.items {
			if it.commit != "" && !slices.Contains(out[dir], it.commit) {
				out[dir] = append(out[dir], it.commit)
			}
		}
	}
	return out
}

// commitIn is the commit that a path names, from its end.
func commitIn(file string) string {
	parts := strings.Split(slashed(file), "/")
	for _, part := range slices.Backward(parts) {
		for _, word := range strings.FieldsFunc(part, func(r rune) bool { return r == '.' || r == '-' || r == '_' || r == ' ' }) {
			if isCommit(word) {
				return strings.ToLower(word)
			}
		}
	}
	return ""
}

// keep writes the documents of a file; beside are the commits of its folder.
func (t *taken) keep(o Options, beside []string) (*ingest.Receipt, error) {
	w := decode.NewWriter(o.Store, o.Redactor, decode.Target{Format: t.format, Version: 1, Path: t.path, Size: t.size, Digest: t.digest})
	w.BeginRecords()
	if t.err != nil {
		var pe *os.PathError
		if errors.As(t.err, &pe) {
			w.SkipAt(0, 0, "unreadable", pe.Err.Error())
		} else {
			w.Quarantine(nil, 1, 0, "invalid", t.err)
		}
	}
	if t.others > 0 && len(t.items) == 0 {
		w.SkipAt(1, 0, "no-match", fmt.Sprintf("no line fits the mapping's format, of %d", t.others))
	}
	alone := ""
	if len(beside) == 1 {
		alone = beside[0]
	}
	for _, it := range t.items {
		it.commit = cmp.Or(it.commit, commitIn(t.path), alone)
		if it.check != nil && it.commit == "" {
			w.SkipAt(it.line, it.offset, "no-commit", "no commit is stated; name the folder after it, or put what states one beside it")
			continue
		}
		if err := it.keep(w); err != nil {
			return nil, fmt.Errorf("keep evidence of %s: %w", t.path, err)
		}
	}
	return w.Close()
}

func (it item) keep(w *decode.Writer) error {
	kind, doc := it.document()
	raw, err := json.Marshal(doc, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	u := w.Derived(raw, "", it.line, it.offset, it.length)
	e := u.Event(ingest.RecordDoc, ingest.Harness)
	e.Name, e.Detail = kind, u.Whole()
	return w.Keep(u)
}

func (it item) document() (kind string, doc any) {
	if op := it.operation; op != nil {
		op.Faultline, op.RunID = record.TypeOperation, record.KeyPrefix+op.Key.Value
		return record.TypeOperation, op
	}
	commit := strings.ToLower(it.commit)
	it.check.Snapshot = commit
	if y := it.check.Finished.Year(); y < 1 || y > 9999 {
		it.check.Finished = time.Time{}
	}
	return record.TypeCompletion, &record.Completion{
		Faultline: record.TypeCompletion, RunID: record.CommitPrefix + commit,
		Candidate: record.Snapshot{Kind: "commit", ID: commit}, Checks: []record.Check{*it.check},
	}
}
