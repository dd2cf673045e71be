package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var truncatedOutput = classify.Rule{
	Name:    "provider/truncated-output",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "A response was cut inside a tool call",
		Text:     "The response reached the length that it may have while a tool call was still coming, so the call was never made.",
		Fires:    "finish_reason is length and the arguments of write_file break off inside a string; no result follows.",
		NearMiss: "Sent again and done: low; prose that ends by length; a title that is limited on purpose; output of a tool that was shortened.",
		Occasion: "a response that ended by its length",
		Needs:    "reasons to stop or limits",
		Owner:    classify.Provider,
		Change:   "Raise the limit of the output, and tell the model that its call was cut so that it sends it in parts.",
		Metric:   "tool calls lost to the length of a response",
	},
	Occasion: func(v *classify.View) bool { return len(troubles(v, truncated)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		last := map[int]*cutCall{}
		var order []int
		for _, c := range cutCalls(v) {
			if last[c.episode.Index] == nil {
				order = append(order, c.episode.Index)
			}
			last[c.episode.Index] = c
		}
		for _, i := range order {
			last[i].report(v, p)
		}
	},
}

// cutCall is a response that was cut before a call in it was whole. The call is
// nil where nothing of the response was kept.
type cutCall struct {
	episode *classify.Episode
	pos     int // of the statement
	call    *classify.Action
}

// cutCalls are those of the judged episodes, in order. A response of which
// only prose is missing, or whose calls came back, lost no call.
func cutCalls(v *classify.View) []*cutCall {
	var out []*cutCall
	calls := callsByResponse(v)
	for _, e := range v.Judged() {
		for i := e.First; i <= e.Episode.Last; i++ {
			ev := &v.Run.Events[i]
			if faultIn(v.Run, i) != truncated {
				continue
			}
			c := &cutCall{episode: e, pos: v.Start() + i}
			own := calls[response(ev)]
			if len(own) == 0 && i > 0 && v.Run.Events[i-1].Kind == ingest.ToolCall {
				own = calls[response(&v.Run.Events[i-1])] // an export has a unit for each event
			}
			if n := len(own); n > 0 {
				c.call = own[n-1]
			}
			if c.call != nil && neverWhole(c.call) || c.call == nil && saidNothing(v, i) {
				out = append(out, c)
			}
		}
	}
	return out
}

// response names the response of the model that an event is a part of.
func response(e *ingest.Event) string {
	if e.Message != "" {
		return e.Message
	}
	return fmt.Sprintf("\x00%d", e.Unit)
}

func callsByResponse(v *classify.View) map[string][]*classify.Action {
	return classify.Once(&v.Own, "calls by response", func() map[string][]*classify.Action {
		out := map[string][]*classify.Action{}
		for _, a := range v.ActionsIn(v.Start()-1, v.End()+1) {
			if a.Run == v.Run && a.Call >= 0 {
				id := response(a.Cite().Event)
				out[id] = append(out[id], a)
			}
		}
		return out
	})
}

// neverWhole reports that a call came to nothing, or was refused for what is
// missing in it.
func neverWhole(a *classify.Action) bool {
	return a.Result < 0 || a.Outcome == ingest.Fail && (a.Reason == ingest.Rejected || malformed(a))
}

// saidNothing reports that the source kept nothing that the agent said or
// called in the response that ended with an event.
func saidNothing(v *classify.View, end int) bool {
	for i := end - 1; i >= 0; i-- {
		ev := &v.Run.Events[i]
		if ev.Actor != ingest.Agent || ev.Agent != "" {
			return true
		}
		if ev.Kind == ingest.Message || ev.Kind == ingest.ToolCall {
			return false
		}
	}
	return true
}

func (c *cutCall) report(v *classify.View, p *classify.Pass) {
	cites, what, tool := []classify.Cite{v.Event(c.pos)}, "a response", ""
	recovered := v.Grader.Accepted()
	if c.call == nil {
		recovered = recovered || wentOn(v, c.pos)
	} else {
		what, tool = "the response with a call of "+classify.Clip(c.call.Tool, 40), c.call.Tool
		cites = append(cites, c.call.Cite())
		recovered = recovered || v.Recovered(c.episode, c.call) || doneLater(v, c)
	}
	p.Report(classify.Hit{
		Severity: c.episode.Neighbour(recovered), Grade: classify.Observed, Episode: c.episode.Index, At: c.pos,
		Cite: cites, Message: what + " was cut at its length before it was whole",
		Structure: []string{"length", tool},
	})
}

// doneLater reports that another call did the work before something else was
// asked for: of the same tool, or another edit in place of an edit.
func doneLater(v *classify.View, c *cutCall) bool {
	until := never
	asked := v.Asked()
	if i, _ := slices.BinarySearch(asked, c.episode.Last+1); i < len(asked) {
		until = asked[i]
	}
	done := successes(v)
	return done[c.call.Tool].Any(c.pos, until) || c.call.Kind == classify.Edits && done[edited].Any(c.pos, until)
}

// edited is the name under which successes lists those of all edit tools.
const edited = "\x00edit"

// successes are the positions of the calls of each tool that succeeded.
func successes(v *classify.View) map[string]classify.Positions {
	return classify.Once(&v.Facts, "successes", func() map[string]classify.Positions {
		out := map[string]classify.Positions{}
		for _, a := range v.Actions {
			if a.Outcome != ingest.OK {
				continue
			}
			out[a.Tool] = append(out[a.Tool], a.Pos)
			if a.Kind == classify.Edits {
				out[edited] = append(out[edited], a.Pos)
			}
		}
		return out
	})
}
