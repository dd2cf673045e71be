package rules

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
)

var missingField = classify.Rule{
	Name:    "handoff/missing-field",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "A Handoff record lacks what the next session needs",
		Text:     "A Handoff record without branch, changed files, last command and its result, pending operations or next step leaves the next session to guess. A list that is there and empty says \"none\"; one that is absent says nothing.",
		Fires:    "The record names a branch and a next step, and has no pending_operations at all.",
		NearMiss: "Empty lists; members that may be left out (commit, completed, claims); a task of one session, which needs no record.",
		Occasion: "a Handoff record",
		Needs:    "the record",
		Owner:    classify.Handoff,
		Change:   "Let the harness write the record from what it knows, and refuse one with a field left out.",
		Metric:   "handoff records without all five fields",
	},
	Occasion: func(v *classify.View) bool { return len(handoffsOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, r := range handoffsOf(v) {
			missing := lacking(r)
			if len(missing) == 0 || len(v.Episodes) == 0 {
				continue
			}
			p.Report(classify.Hit{
				Severity: classify.Medium, Grade: classify.Recorded, Episode: v.Episodes[0].Index, At: v.Start(),
				Cite:      []classify.Cite{r.Cite},
				Message:   "the handoff record lacks " + strings.Join(missing, ", "),
				Structure: append([]string{"handoff"}, missing...),
			})
		}
	},
}

// handoffsOf are the Handoff records that this run takes over, and those of its
// own that no run of the thread takes over.
func handoffsOf(v *classify.View) []classify.Record {
	byRun := classify.Once(&v.Facts, "handoffs by run", func() map[string][]classify.Record {
		known := map[string]bool{}
		for _, r := range v.Runs {
			known[r.ID], known[r.Meta.Native] = true, true
		}
		out := map[string][]classify.Record{}
		for _, r := range v.Records {
			if h := r.Handoff; h != nil {
				to := h.NextRunID
				if to == "" || !known[to] {
					to = h.RunID
				}
				out[to] = append(out[to], r)
			}
		}
		return out
	})
	out := byRun[v.Run.ID]
	if v.Run.Meta.Native != v.Run.ID {
		out = slices.Concat(out, byRun[v.Run.Meta.Native])
	}
	return out
}

func isRun(v *classify.View, id string) bool { return id == v.Run.ID || id == v.Run.Meta.Native }

// lacking names the fields that a record leaves out. A list or an exit status
// that is there as nothing states that there is none, or none yet.
func lacking(r classify.Record) []string {
	h := r.Handoff
	doc := members(r.Cite.Run.Detail(r.Cite.Event))
	last := members(doc["last_command"])
	var out []string
	for _, f := range []struct {
		name string
		here bool
	}{
		{"branch", h.Branch != ""},
		{"changed_files", doc["changed_files"] != nil},
		{"last_command", len(h.LastCommand.Argv) > 0},
		{"last_command.exit_code", len(h.LastCommand.Argv) == 0 || last["exit_code"] != nil},
		{"pending_operations", doc["pending_operations"] != nil},
		{"next_step", h.NextStep != ""},
	} {
		if !f.here {
			out = append(out, f.name)
		}
	}
	return out
}

// members are the members of a JSON object, nil for anything else.
func members(v jsontext.Value) map[string]jsontext.Value {
	var m map[string]jsontext.Value
	if json.Unmarshal(v, &m) != nil {
		return nil
	}
	return m
}
