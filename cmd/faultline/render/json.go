package render

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress"
)

// JSON writes one compact object a line, with pseudonyms masked but for a
// shard's. Each line is one Write, so a line
// that was written is seen. It is not safe for concurrent use.
type JSON struct {
	w    io.Writer
	mask *redact.Masker
}

// NewJSON returns a JSON that writes one output to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w, mask: redact.NewMasker()} }

// Object writes v as one line.
func (j *JSON) Object(v any) error {
	line, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return fmt.Errorf("render: %w", err)
	}
	text := string(line)
	if j.mask != nil { // a pseudonym holds neither quote nor backslash, so masking keeps JSON valid
		text = j.mask.Mask(text)
	}
	_, err = io.WriteString(j.w, cleanJSON(text)+"\n")
	if err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

type receiptLine struct {
	Type        string             `json:"type"`
	Source      string             `json:"source"`
	Format      string             `json:"format"`
	Bytes       int64              `json:"bytes"`
	Units       int                `json:"units"`
	Stored      int                `json:"stored"`
	Duplicates  int                `json:"duplicates"`
	Skipped     int                `json:"skipped"`
	Quarantined int                `json:"quarantined"`
	Events      int                `json:"events"`
	Reasons     []reasonLine       `json:"reasons"`
	Runs        []string           `json:"runs"`
	Redacted    []ingest.KindCount `json:"redacted,omitempty"`
	Collapsed   int                `json:"collapsed,omitzero"`
}

type reasonLine struct {
	Kind  string    `json:"kind"`
	Count int       `json:"count"`
	First placeLine `json:"first"`
}

type placeLine struct {
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
	Cause  string `json:"cause"`
}

// Receipt writes a line of type receipt.
func (j *JSON) Receipt(r *ingest.Receipt) error {
	line := receiptLine{
		Type: "receipt", Source: r.Source, Format: r.Format, Bytes: r.Bytes, Units: r.Units, Stored: r.Stored,
		Duplicates: r.Duplicates, Skipped: r.Skipped, Quarantined: r.Quarantined, Events: r.Events,
		Runs: r.Runs, Redacted: r.Redacted, Collapsed: r.Collapsed,
	}
	for _, c := range r.Reasons {
		line.Reasons = append(line.Reasons, reasonLine{c.Kind, c.Count, placeLine(c.First)})
	}
	return j.Object(line)
}

type verdictLine struct {
	Type string `json:"type"`
	classify.Verdict
}

// Verdict writes a line of type verdict.
func (j *JSON) Verdict(v classify.Verdict) error { return j.Object(verdictLine{"verdict", v}) }

type clusterLine struct {
	Type string `json:"type"`
	regress.Cluster
}

// Cluster writes a line of type cluster.
func (j *JSON) Cluster(c regress.Cluster) error { return j.Object(clusterLine{"cluster", c}) }
