package rules

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var dispatchAfterStop = classify.Rule{
	Name:    "idempotency/dispatch-after-stop",
	Highest: classify.High,
	Needs:   ingest.HasTools,
	Doc: classify.Doc{
		Title:    "A tool was dispatched after the provider had stopped the conversation",
		Text:     "The provider ended a response for safety, and the harness went on as after any failed request: the next response ran a tool, although nobody had looked at why the first one was stopped.",
		Fires:    "A response ends with the stop reason \"refusal\"; the session goes on and writes a file.",
		NearMiss: "A call that was in flight before; a sibling agent; a review that let it go on; a new user request; a refusal in the model's own words. With a configured model fallback it is low.",
		Occasion: "a provider's safety stop",
		Needs:    "stop reasons or errors of the provider",
		Owner:    classify.Idempotency,
		Change:   "Treat a safety stop as the end of the turn and route it to a human, whatever the retry policy says.",
		Metric:   "dispatches after a safety stop",
	},
	Occasion: func(v *classify.View) bool { return len(safetyStops(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, s := range safetyStops(v) {
			dispatchAfter(v, p, s)
		}
	},
}

// stop is a provider's safety stop of one agent's conversation.
type stop struct {
	run   *ingest.Run
	index int // in its events
}

// safetyStops are the stops in the run and in its sub-agents' runs, one for
// each response.
func safetyStops(v *classify.View) []stop {
	return classify.Once(&v.Own, "safety stops", func() []stop {
		var out []stop
		for _, r := range ownRuns(v) {
			last := ""
			for i := range r.Events {
				e := &r.Events[i]
				if !e.StopsForSafety() || e.Copied || e.Message != "" && e.Message == last {
					continue
				}
				last = e.Message
				out = append(out, stop{run: r, index: i})
			}
		}
		return out
	})
}

// ownRuns are the view's run and its sub-agents' runs.
func ownRuns(v *classify.View) []*ingest.Run {
	out := []*ingest.Run{v.Run}
	seen := map[*ingest.Run]bool{v.Run: true}
	for _, a := range v.ActionsIn(v.Start()-1, v.End()+1) {
		if a.Sub && !seen[a.Run] {
			seen[a.Run] = true
			out = append(out, a.Run)
		}
	}
	return out
}

// dispatchAfter reports the first tool that the stopped agent was given after
// the stop, unless somebody let it go on.
func dispatchAfter(v *classify.View, p *classify.Pass, s stop) {
	at := &s.run.Events[s.index]
	severity := classify.High
	for i := s.index + 1; i < len(s.run.Events); i++ {
		e := &s.run.Events[i]
		switch {
		case e.Copied:
		case letsGoOn(e):
			return
		case e.Agent == at.Agent && e.StopsForSafety():
			return // the later stop is judged by itself
		case fallback(e, at):
			severity = classify.Low
		case e.Kind == ingest.ToolCall && e.Agent == at.Agent && (e.Message == "" || e.Message != at.Message):
			if a := dispatchedBy(v, s.run, e); a != nil && (a.Result < 0 || a.Result > i) {
				reportAfterStop(v, p, s, e, a, severity)
				return
			}
		}
	}
}

// letsGoOn: the user spoke, or somebody reviewed and approved.
func letsGoOn(e *ingest.Event) bool {
	switch e.Kind {
	case ingest.Message:
		return e.Actor == ingest.User
	case ingest.Approval:
		return e.Actor == ingest.User && e.Outcome == ingest.OK
	}
	return false
}

// fallback reports that the harness says that it goes on with another model, or
// that another model than the stopped one answers.
func fallback(e, stopped *ingest.Event) bool {
	if e.Agent != stopped.Agent {
		return false
	}
	if e.Actor == ingest.Harness && e.Kind != ingest.ToolCall && strings.Contains(strings.ToLower(e.Name), "fallback") {
		return true
	}
	return e.Actor == ingest.Agent && e.Model != "" && stopped.Model != "" && e.Model != stopped.Model
}

// dispatchedBy is the action that a call led to: the model's proposal of it, or
// its dispatch. A denied call was no dispatch.
func dispatchedBy(v *classify.View, r *ingest.Run, e *ingest.Event) *classify.Action {
	type call struct {
		run   *ingest.Run
		id    string
		event *ingest.Event // where it has no id
	}
	key := func(r *ingest.Run, e *ingest.Event) call {
		if e.Call != "" {
			return call{run: r, id: e.Call}
		}
		return call{run: r, event: e}
	}
	return classify.Once(&v.Facts, "dispatched by", func() map[call]*classify.Action {
		out := map[call]*classify.Action{}
		for _, a := range v.Actions {
			if a.Call >= 0 && a.Ran() {
				out[key(a.Run, a.Cite().Event)] = a
			}
		}
		return out
	})[key(r, e)]
}

func reportAfterStop(v *classify.View, p *classify.Pass, s stop, call *ingest.Event, a *classify.Action, severity classify.Severity) {
	e := v.EpisodeAt(a.Pos)
	if e == nil || e.Open {
		return
	}
	p.Report(classify.Hit{
		Severity: severity, Grade: classify.Observed, Episode: e.Index, At: a.Pos,
		Cite:      []classify.Cite{{Run: s.run, Event: call}, {Run: s.run, Event: &s.run.Events[s.index]}, a.CiteEnd()},
		Message:   fmt.Sprintf("%q was dispatched after a safety stop of the provider", classify.Clip(a.Tool, 40)),
		Structure: []string{"safety stop", string(a.Kind)},
	})
}
