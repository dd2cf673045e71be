package upkeep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// Problem is a place where a store does not hold what it says.
type Problem struct {
	Run    string // where it is about one
	Digest string // of the content, where it is about one
	What   string
}

func (p Problem) String() string {
	at := ""
	if p.Run != "" {
		at = "run " + p.Run + ": "
	}
	if p.Digest != "" {
		at += "content " + p.Digest + ": "
	}
	return at + p.What
}

// Checked counts what was checked.
type Checked struct {
	Runs, Manifests, Blocks, Units, Events, Contents, Quarantined, Problems int
}

// Verify reads all of a store and reports what is not as it should be: first
// what cannot be read, then what does not fit together.
func Verify(ctx context.Context, s *badgerstore.Store, report func(Problem) error) (Checked, error) {
	v := newVerifier(report)
	whole := true
	err := s.Check(ctx, func(d badgerstore.Damaged) error {
		whole = whole && d.What != badgerstore.Index
		return v.problem(d.Run, d.Digest, "%s: %v", d.What, d.Cause)
	})
	if err == nil && whole {
		err = walk(ctx, s, v, func(run, digest string, err error) error { return v.problem(run, digest, "%v", err) })
	}
	return v.Checked, wrap(err, "verify store %s", s.Dir())
}

// verifier checks a stream.
type verifier struct {
	Checked
	report    func(Problem) error
	run       string
	units     map[unitKey]bool           // of the run in hand
	manifests map[string]map[string]bool // content → runs
	runs      map[string]bool
	canon     []byte
}

// unitKey is a unit's content in one reading of its run.
type unitKey struct {
	id      ingest.UnitID
	body    [8]byte
	reading ingest.Reading
}

func newVerifier(report func(Problem) error) *verifier {
	return &verifier{report: report, units: map[unitKey]bool{}, manifests: map[string]map[string]bool{}, runs: map[string]bool{}}
}

func (v *verifier) problem(run, digest, format string, args ...any) error {
	v.Problems++
	return v.report(Problem{run, digest, fmt.Sprintf(format, args...)})
}

func (v *verifier) begin(run string) {
	if run != v.run {
		v.run = run
		clear(v.units)
	}
}

func (v *verifier) Block(b *ingest.Block) error {
	v.begin(b.Run)
	v.Blocks++
	for i := range b.Units {
		u := &b.Units[i]
		v.Units++
		v.Events += len(u.Events)
		v.units[unitKey{u.ID, u.Body, b.Reading}] = true
		if what := v.damage(u); what != "" {
			if err := v.problem(b.Run, "", "unit %x: %s", u.ID, what); err != nil {
				return err
			}
		}
	}
	return nil
}

// damage says what is wrong with a unit: its ids are those of its content, and
// what its events point to lies in it.
func (v *verifier) damage(u *ingest.Unit) string {
	content := redact.Canonical(v.canon[:0], u.Data, redact.Pseudonyms(u.Data))
	if len(u.Data) > 0 && &content[0] != &u.Data[0] {
		v.canon = content
	}
	sum := sha256.Sum256(content)
	if !u.Native && u.ID != ingest.ContentUnit(sum[:]) {
		return "its id is not that of its content"
	}
	if u.Native != u.ID.Native() {
		return "its id is of another kind than it says"
	}
	body := sum
	if u.State != "" {
		body = sha256.Sum256(append(sum[:], u.State...))
	}
	if !bytes.Equal(u.Body[:], body[:len(u.Body)]) {
		return "its hash is not that of its content"
	}
	for i := range u.Events {
		for _, s := range [...]ingest.Span{u.Events[i].Text, u.Events[i].Args, u.Events[i].Detail} {
			if uint64(s.Off)+uint64(s.Len) > uint64(len(u.Data)) {
				return "an event points outside of it"
			}
		}
	}
	return ""
}

func (v *verifier) Manifest(m *ingest.Manifest) error {
	v.begin(m.Run)
	v.Manifests++
	if !v.runs[m.Run] && m.Run != ingest.RecordsRun {
		v.runs[m.Run] = true
		v.Runs++
	}
	for _, content := range contentsOf([]*ingest.Manifest{m}) {
		if v.manifests[content] == nil {
			v.manifests[content] = map[string]bool{}
		}
		v.manifests[content][m.Run] = true
	}
	if n := missing(m, v.units); n > 0 {
		return v.problem(m.Run, m.Digest, "%d of %d units are missing", n, len(m.Places))
	}
	return nil
}

func (v *verifier) Content(c *Content) error {
	r := c.Receipt
	v.Contents++
	v.Quarantined += len(c.Quarantine)
	reasons := 0
	for _, reason := range r.Reasons {
		reasons += reason.Count
	}
	var what []string
	if r.Units != r.Stored+r.Duplicates+r.Skipped+r.Quarantined || reasons != r.Skipped+r.Quarantined {
		what = append(what, "its receipt does not add up")
	}
	if len(c.Quarantine) != r.Quarantined {
		what = append(what, fmt.Sprintf("%d units were quarantined, %d are there", r.Quarantined, len(c.Quarantine)))
	}
	if !slices.Contains(c.Paths, r.Source) {
		what = append(what, "the path of its receipt is missing")
	}
	for _, run := range r.Runs {
		if !v.manifests[r.Digest][run] {
			what = append(what, "it is missing in run "+run)
		}
	}
	for _, w := range what {
		if err := v.problem("", r.Digest, "%s", w); err != nil {
			return err
		}
	}
	return nil
}
