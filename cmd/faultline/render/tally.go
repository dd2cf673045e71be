package render

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// Tally sums receipts and keeps those with a problem.
type Tally struct {
	Files, Units, Stored, Duplicates, Skipped, Quarantined int
	Problems                                               []*ingest.Receipt
}

// Add counts one receipt.
func (t *Tally) Add(r *ingest.Receipt) {
	t.Files++
	t.Units += r.Units
	t.Stored += r.Stored
	t.Duplicates += r.Duplicates
	t.Skipped += r.Skipped
	t.Quarantined += r.Quarantined
	if Problem(r) {
		t.Problems = append(t.Problems, r)
	}
}

// Problem reports a receipt that a person must see: something was quarantined
// or could not be read.
func Problem(r *ingest.Receipt) bool {
	return r.Quarantined > 0 || slices.ContainsFunc(r.Reasons, func(c ingest.ReasonCount) bool { return c.Kind == "unreadable" })
}

// Receipt writes a receipt with a problem: what was not read, where first and
// why.
func (t *Text) Receipt(r *ingest.Receipt) {
	t.block("  ", t.safe(r.Source)+" ("+t.safe(r.Format)+"): "+strings.Join(t.counts(r), ", "))
	for _, c := range r.Reasons {
		at := t.safe(c.Kind)
		if c.First.Line > 0 && c.Kind != "unreadable" {
			at = t.safe(r.Source) + ":" + itoa(c.First.Line) + ": " + at
		}
		if c.Count > 1 {
			at += " (first of " + itoa(c.Count) + ")"
		}
		if c.First.Cause != "" {
			at += ": " + t.safe(c.First.Cause)
		}
		t.block("    ", at)
	}
}

func (t *Text) counts(r *ingest.Receipt) []string {
	var out []string
	for _, c := range []struct {
		n    int
		word string
	}{{r.Quarantined, "quarantined"}, {r.Skipped, "skipped"}, {r.Stored, "stored"}, {r.Duplicates, "known before"}} {
		if c.n > 0 {
			out = append(out, itoa(c.n)+" "+c.word)
		}
	}
	return out
}

// Sum writes one line for all receipts.
func (t *Text) Sum(s Tally) {
	t.block("", plural(s.Files, "file")+", "+plural(s.Units, "unit")+": "+itoa(s.Stored)+" stored, "+
		itoa(s.Duplicates)+" known before, "+itoa(s.Skipped)+" skipped, "+itoa(s.Quarantined)+" quarantined")
}
