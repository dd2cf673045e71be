package render

import (
	"github.com/faultline-dev/faultline/classify/handover"
)

type handoverLine struct {
	Type string `json:"type"`
	handover.Diff
}

// Handover writes a line of type handoff.
func (j *JSON) Handover(d handover.Diff) error { return j.Object(handoverLine{"handoff", d}) }

// Handovers writes what was true, what was said and what came after, boundary
// by boundary, and the sum of duplicate actions.
func (t *Text) Handovers(diffs []handover.Diff) {
	if len(diffs) == 0 {
		t.line("No boundary: nothing was handed over.")
		return
	}
	sum := 0
	for _, d := range diffs {
		sum += d.Duplicates
		t.title("%s  %s at %s", short(d.Run), d.Boundary, t.ref(d.At))
		t.facts("true before", d.Before)
		t.facts("said", d.Said)
		t.facts("after", d.After)
		t.line("  %s", plural(d.Duplicates, "duplicate action"))
		for _, f := range d.Findings {
			t.styled("  "+t.severity(f.Severity)+" ", 9, t.safe(f.Rule)+": "+t.safe(f.Message))
			for i, ref := range f.Refs {
				if i < maxRefs {
					t.line("         %s", t.ref(ref))
				}
			}
		}
	}
	t.title("%s at %s", plural(sum, "duplicate action"), boundaries(len(diffs)))
}

func boundaries(n int) string {
	if n == 1 {
		return "1 boundary"
	}
	return itoa(n) + " boundaries"
}

func (t *Text) facts(title string, fs []handover.Fact) {
	if len(fs) == 0 {
		return
	}
	t.line("  %s:", title)
	for _, f := range fs {
		at := ""
		if f.At != nil {
			at = "  " + t.ref(*f.At)
		}
		t.line("    %s %s%s", pad(f.What, 12), t.safe(f.Text), at)
	}
}
