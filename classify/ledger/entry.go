package ledger

import (
	"math"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
)

// Entry is what the effect ledger says of one external write, for display.
type Entry struct {
	Run         string         `json:"run"`
	Tool        string         `json:"tool"` // as the trace calls it; a program for commands
	Verb        effect.Verb    `json:"verb"`
	Resource    string         `json:"resource,omitzero"`
	Identity    string         `json:"identity,omitzero"` // canonical JSON of the arguments that name the intent
	OperationID string         `json:"operation_id,omitzero"`
	Outcome     ingest.Outcome `json:"outcome"`
	Reason      ingest.Reason  `json:"reason,omitzero"`
	Repeatable  bool           `json:"repeatable,omitzero"`
	Grade       classify.Grade `json:"grade"` // recorded: a contract or the operation's record says so
	Why         string         `json:"why"`   // on what ground it counts as a write outside
	At          ingest.Ref     `json:"at"`
	// Again is the latest earlier write of the thread with the same intent.
	Again *ingest.Ref `json:"again,omitzero"`
	// FoundOut is the first look-up after it that could tell whether it happened,
	// Undone the first write that took it back.
	FoundOut *ingest.Ref `json:"found_out,omitzero"`
	Undone   *ingest.Ref `json:"undone,omitzero"`
}

// Level is how near to an effect a source can see.
type Level string

// The levels, farthest first: the agent's own log shows calls and what came
// back; spans of clients show what left the process; records and logs of the
// service show what happened.
const (
	ToolLevel   Level = "tool call"
	HTTPLevel   Level = "HTTP"
	ServerLevel Level = "server"
)

// LevelOf is the nearest level at which a thread shows any effect.
func LevelOf(th *classify.Thread) Level {
	for _, r := range th.Records {
		if r.Operation != nil && len(r.Operation.Lookups) > 0 {
			return ServerLevel
		}
	}
	for _, r := range th.Runs {
		for i := range r.Events {
			if r.Events[i].Kind == ingest.Request {
				return HTTPLevel
			}
		}
	}
	return ToolLevel
}

// Entries are the external writes of the run and its sub-agents, in order.
func Entries(v *classify.View) []Entry {
	var out []Entry
	for _, w := range v.EffectsIn(v.Start()-1, v.End()+1) {
		if w.Writes() && v.Owns(w.Action) {
			out = append(out, entry(v, w))
		}
	}
	return out
}

func entry(v *classify.View, w *classify.Effect) Entry {
	at := func(c classify.Cite) *ingest.Ref { ref := c.Run.Ref(c.Event); return &ref }
	e := Entry{
		Run: v.Run.ID, Tool: w.Action.Tool, Verb: w.Verb, Resource: w.Resource, Identity: w.Identity, OperationID: w.OperationID,
		Outcome: w.Outcome, Repeatable: w.Repeatable, Grade: w.Grade(), Why: w.Why, At: *at(w.Action.Cite()),
	}
	if w.Outcome != ingest.OK {
		e.Reason = w.Action.Reason
	}
	if before := w.BeforeIn(v.Alike(w)); len(before) > 0 {
		e.Again = at(before[len(before)-1].Action.Cite())
	}
	const end = math.MaxInt
	if told := v.Revealing(w, w.Action.End, end); len(told) > 0 {
		e.FoundOut = at(told[0].Action.Cite())
	}
	if undone := v.Undoing(w, w.Action.Pos, end); len(undone) > 0 {
		e.Undone = at(undone[0].Action.Cite())
	}
	return e
}
