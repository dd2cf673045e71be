package rules

import (
	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

// decision is what was decided about one call before its result came back.
type decision struct {
	last  classify.Cite // the event that decided; Event is nil when none did
	asked classify.Cite // the event that holds the arguments which were shown to the one who decides
}

// allowed and denied report the last word; a request that waits is neither.
func (d decision) allowed() bool { return d.last.Event != nil && d.last.Event.Outcome == ingest.OK }

func (d decision) denied() bool {
	return d.last.Event != nil && d.last.Event.Outcome == ingest.Fail && d.last.Event.Reason != ingest.Cancelled
}

func (d decision) byUser() bool { return d.last.Event != nil && d.last.Event.Actor == ingest.User }

// decisionOn is what approvals say of an action: those that name its call, and
// an answer without a name that follows a request which names it.
func decisionOn(v *classify.View, a *classify.Action) decision {
	return classify.Once(&v.Facts, "decisions", func() map[*classify.Action]decision { return readDecisions(v) })[a]
}

func readDecisions(v *classify.View) map[*classify.Action]decision {
	byCall := map[string][]*classify.Action{}
	for _, a := range v.Actions {
		if id := a.Cite().Event.Call; id != "" {
			byCall[a.Run.ID+"\x00"+id] = append(byCall[a.Run.ID+"\x00"+id], a)
		}
	}
	out := map[*classify.Action]decision{}
	for _, r := range v.Runs {
		waiting := "" // the call that an answer without a name is about
		for i := range r.Events {
			ev := &r.Events[i]
			if ev.Kind != ingest.Approval || ev.Copied {
				continue
			}
			id := ev.Call
			if id == "" {
				id = waiting
			}
			waiting = ""
			if ev.Outcome == ingest.Pending {
				waiting = id
			}
			if a := decidedCall(byCall[r.ID+"\x00"+id], v.PosOf(r, i)); a != nil {
				out[a] = out[a].with(classify.Cite{Run: r, Event: ev})
			}
		}
	}
	return out
}

// decidedCall is the first of the calls of one id that was still to end at a
// position.
func decidedCall(calls []*classify.Action, pos int) *classify.Action {
	for _, a := range calls[max(0, len(calls)-mostReused):] {
		if a.End >= pos {
			return a
		}
	}
	return nil
}

// mostReused bounds how many calls of one id are asked.
const mostReused = 16

func (d decision) with(c classify.Cite) decision {
	if c.Event.Args.Len > 0 {
		d.asked = c
	}
	if c.Event.Outcome != ingest.Pending {
		d.last = c
	}
	return d
}

// refusedCall reports that somebody denied a call and that it did not run.
func refusedCall(v *classify.View, a *classify.Action) bool {
	if a.Reason == ingest.Denied {
		return true
	}
	return decisionOn(v, a).denied() && (a.Result < 0 || !a.Ran())
}
