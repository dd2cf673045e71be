package ingest

import "strings"

// Episode is the stretch of a run from one user request, or the trial's start,
// to the next. First and Last index Run.Events, both inclusive.
type Episode struct {
	Index       int
	First, Last int
	Request     int // index of the request, -1 when the run starts without one
	End         int // index of the event that states the end, -1 when none does
	Open        bool
}

// Episodes cuts the run at user requests of the main agent. Events before the
// first request belong to the first episode. The last episode is Open
// (unfinished) when nothing states its end: no end event and no closing
// message of the agent. A log of calls in which nobody speaks and that records
// no ends has no turns: it is open while its last call is.
func (r *Run) Episodes() []Episode {
	var eps []Episode
	cur := Episode{Request: -1, End: -1}
	for i := range r.Events {
		e := &r.Events[i]
		if !e.startsEpisode() {
			continue
		}
		if cur.Request >= 0 {
			if r.onlyUser(cur.Request, i) {
				continue
			}
			cur.Last = i - 1
			eps = append(eps, cur)
			cur = Episode{Index: len(eps), First: i, End: -1}
		}
		cur.Request = i
	}
	if len(r.Events) > 0 {
		cur.Last = len(r.Events) - 1
		eps = append(eps, cur)
	}
	for i := range eps {
		eps[i].End = r.endOf(eps[i])
		eps[i].Open = i == len(eps)-1 && eps[i].End < 0
	}
	if n := len(eps); n > 0 && eps[n-1].Open && r.OnlyCalls() {
		eps[n-1].Open = r.callOpen()
	}
	return eps
}

// OnlyCalls reports that the run's sources record no ends and neither user nor
// model speaks: a log of what was called.
func (r *Run) OnlyCalls() bool {
	if r.Grade&HasEnds != 0 {
		return false
	}
	for i := range r.Events {
		switch e := &r.Events[i]; {
		case e.Kind == ModelCall && e.Usage == nil:
		case e.Kind == ModelCall, e.Kind == Message && e.Actor != Harness:
			return false
		}
	}
	return true
}

// callOpen reports that the last event about a call is a call, and that nothing
// broke since: its result may be on its way.
func (r *Run) callOpen() bool {
	for i := len(r.Events) - 1; i >= 0; i-- {
		switch r.Events[i].Kind {
		case ToolCall:
			return true
		case ToolResult, Error:
			return false
		}
	}
	return true
}

// Finishes reports that the event is a call by which the agent itself ends the
// task: finish, submit, attempt_completion and the like.
func (e *Event) Finishes() bool {
	if e.Kind != ToolCall {
		return false
	}
	switch strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(e.Name, "_", ""), "-", "")) {
	case "finish", "submit", "taskcomplete", "attemptcompletion", "completetask", "marktaskcomplete", "finishtask", "done", "agentfinish":
		return true
	}
	return false
}

// callOf finds the call of a result shortly before it, -1 if there is none.
func (r *Run) callOf(result int) int {
	for j := result - 1; j >= 0 && j > result-8; j-- {
		if c := &r.Events[j]; c.Kind == ToolCall && c.Call == r.Events[result].Call {
			return j
		}
	}
	return -1
}

func (e *Event) startsEpisode() bool {
	return e.Kind == Message && e.Actor == User && e.Agent == "" && !e.Summary
}

// onlyUser reports whether nothing but user messages lies between two
// requests: several lines of one prompt are one request.
func (r *Run) onlyUser(from, to int) bool {
	for i := from + 1; i < to; i++ {
		switch e := &r.Events[i]; {
		case e.Kind == Message && e.Actor != Agent:
		default:
			return false
		}
	}
	return true
}

// endOf finds the event that states the end of an episode: the last end event
// of the harness or grader, else a closing message with no call after it.
func (r *Run) endOf(ep Episode) int {
	closing := -1
	for i := ep.Last; i >= ep.First; i-- {
		e := &r.Events[i]
		if e.Agent != "" {
			continue
		}
		switch e.Kind {
		case Claim, Score:
			return i
		case Limit:
			return i
		case Error:
			if e.Reason == Interrupted || e.Outcome == Fail && e.Actor == Harness {
				return i
			}
		case Message:
			if e.Actor == Agent && !e.Open {
				closing = i
			}
		case ToolCall:
			if e.Finishes() {
				return i
			}
			return closing
		case ToolResult:
			if e.Reason == Interrupted {
				continue // what interrupted it may stand before it
			}
			if j := r.callOf(i); j >= ep.First && r.Events[j].Finishes() {
				return j
			}
			return closing
		}
		if closing >= 0 {
			return closing
		}
	}
	return closing
}
