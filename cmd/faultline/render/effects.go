package render

import (
	"fmt"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/ledger"
	"github.com/faultline-dev/faultline/ingest"
)

type effectLine struct {
	Type string `json:"type"`
	ledger.Entry
	Level ledger.Level `json:"level"`
}

// Effect writes a line of type effect.
func (j *JSON) Effect(e ledger.Entry, level ledger.Level) error {
	return j.Object(effectLine{"effect", e, level})
}

// Effects writes the ledger of one run; nothing for a run without a write.
func (t *Text) Effects(r *ingest.Run, level ledger.Level, entries []ledger.Entry) {
	if len(entries) == 0 {
		return
	}
	t.title("%s  %s", short(r.ID), t.safe(r.File()))
	t.line("  %s, seen at the level of the %s", plural(len(entries), "write"), level)
	for _, e := range entries {
		inferred := ""
		if e.Grade == classify.Inferred {
			inferred = " (inferred)"
		}
		t.line("  %-8s %s", e.Outcome, t.safe(effectName(e))+inferred)
		t.line("           %s", t.ref(e.At))
		t.fate(e)
	}
}

// effectName is the tool where it is the write, else what a command does.
func effectName(e ledger.Entry) string {
	name := e.Tool
	if e.Resource != "" {
		name += ": " + string(e.Verb) + " " + e.Resource
	}
	return name
}

func (t *Text) fate(e ledger.Entry) {
	if e.Identity != "" {
		t.block("           ", t.safe(e.Identity))
	}
	if e.OperationID != "" {
		t.line("           operation id %s", t.safe(e.OperationID))
	}
	for _, f := range []struct {
		what string
		at   *ingest.Ref
	}{{"same intent as", e.Again}, {"looked up at", e.FoundOut}, {"taken back at", e.Undone}} {
		if f.at != nil {
			t.line("           %s %s", f.what, t.ref(*f.at))
		}
	}
	if e.Reason != "" {
		t.line("           %s", fmt.Sprintf("because: %s", e.Reason))
	}
}
