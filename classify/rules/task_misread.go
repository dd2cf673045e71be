package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

var taskMisread = classify.Rule{
	Name:    "idempotency/task-misread",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A task of an MCP server was read wrongly",
		Text:     "A call that returns a task goes on at the server. \"completed\" says only that it ended: its result may be an error. Its id is the only way to it, so a client that forgets the id at a restart cannot find out what happened. And a cancel is a request, which may come too late.",
		Fires:    "A task is cancelled, and two seconds after the acknowledgement the same call is made again.",
		NearMiss: "Polled to the end; an error that was handled; asked for again after the cancel; a task that waits for input and gets it.",
		Occasion: "a call that returned a task",
		Needs:    "task ids and results, or an Operation record with the task's",
		Owner:    classify.Idempotency,
		Change:   "Persist task ids with their operation, poll them to a terminal status after every restart and cancel, and read isError of the result.",
		Metric:   "tasks whose end nobody read",
	},
	Occasion: func(v *classify.View) bool {
		return len(tasks(v)) > 0 || slices.ContainsFunc(kept(v), func(r classify.Record) bool { return r.Operation.MCPTaskID != "" })
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, r := range kept(v) {
			failedTaskRecorded(v, p, r)
		}
		for _, w := range tasks(v) {
			lostAtRestart(v, p, w)
			cancelBelieved(v, p, w)
			failedTaskClaimed(v, p, w)
		}
	},
}

// tasks are the external writes of the run that returned an MCP task.
func tasks(v *classify.View) []*classify.Effect {
	return classify.Once(&v.Own, "mcp tasks", func() []*classify.Effect {
		var out []*classify.Effect
		for _, x := range v.EffectsIn(v.Start()-1, v.End()+1) {
			if x.Writes() && v.Owns(x.Action) && judged(v, x) && mcpTask(x.Action) != "" {
				out = append(out, x)
			}
		}
		return out
	})
}

// mcpTask is the id of the task that a call returned in place of its result.
func mcpTask(a *classify.Action) string {
	if a.Result < 0 {
		return ""
	}
	e := &a.Run.Events[a.Result]
	if e.Task == "" || !strings.Contains(a.Run.Text(e), `"taskId"`) && !strings.Contains(string(a.Run.Detail(e)), `"taskId"`) {
		return ""
	}
	return e.Task
}

// failedTaskRecorded reports a record that calls a dispatch a success whose
// task ended with an error.
func failedTaskRecorded(v *classify.View, p *classify.Pass, r classify.Record) {
	op := r.Operation
	n := len(op.Dispatches)
	if n == 0 || op.Dispatches[n-1].Outcome != "ok" {
		return
	}
	a := actionOf(v, op.Dispatches[n-1].CallID)
	told := a != nil && mcpTask(a) != "" && a.Settled >= 0 && a.Outcome == ingest.Fail
	if !told && !(op.MCPTaskID != "" && isError(op.Result, 0)) {
		return
	}
	h := classify.Hit{
		Severity: classify.High, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(), Cite: []classify.Cite{r.Cite},
		Message:   fmt.Sprintf("the task of operation %q ended with an error, and its record says ok", classify.Clip(op.ID, 40)),
		Structure: []string{op.Tool, "operation", "error"},
	}
	if a != nil {
		h.Cite = append(h.Cite, a.Cite(), a.CiteEnd())
	}
	p.Report(h)
}

// isError reports that a result, or the result in a task, has isError set.
func isError(v jsontext.Value, depth int) bool {
	var r struct {
		IsError bool           `json:"isError"`
		Result  jsontext.Value `json:"result"`
	}
	if depth > 3 || len(v) == 0 || v[0] != '{' || json.Unmarshal(v, &r) != nil {
		return false
	}
	return r.IsError || isError(r.Result, depth+1)
}

// lostAtRestart reports that after a restart nobody asked for a task that was
// at work, and the same effect was started anew.
func lostAtRestart(v *classify.View, p *classify.Pass, w *classify.Effect) {
	id := mcpTask(w.Action)
	restart := restarts(v).After(w.Action.Pos)
	if restart < 0 || settledBefore(w, restart, v) || spokenOf(v, id, restart) || lookedUp(v, w, never) {
		return
	}
	for _, x := range w.After(v.Alike(w)) {
		if x.Action.Pos < restart || !x.Writes() {
			continue
		}
		if !v.AskedAnew(restart, x.Action.Pos) {
			reportTask(v, p, w, x.Action.Cite(), "lost", "%s was started again after a restart, and nobody asked for the task that was at work")
		}
		return
	}
}

// settledBefore reports that the task had ended before a point.
func settledBefore(w *classify.Effect, pos int, v *classify.View) bool {
	return w.Action.Settled >= 0 && v.PosOf(w.Action.Run, w.Action.Settled) < pos
}

// restarts are the points after which a client knows only what it persisted:
// the boundaries of the thread but compactions, and new MCP connections.
func restarts(v *classify.View) classify.Positions {
	return classify.Once(&v.Facts, "restarts", func() classify.Positions {
		var out classify.Positions
		for _, b := range v.Boundaries {
			if b.Kind != "compaction" {
				out = append(out, b.Pos)
			}
		}
		for _, r := range v.Runs {
			for i := range r.Events {
				if e := &r.Events[i]; e.Kind == ingest.Message && e.Actor == ingest.Harness && e.Name == "initialize" && !e.Copied {
					out = append(out, v.PosOf(r, i))
				}
			}
		}
		slices.Sort(out)
		return out
	})
}

// spokenOf reports that after a point an event is about a task, or a call
// names it.
func spokenOf(v *classify.View, id string, after int) bool {
	return taskEvents(v)[id].After(after) >= 0 || taskCalls(v)[id].After(after) >= 0
}

// taskEvents are the positions of events about each task, but of its launch and
// of requests to cancel it.
func taskEvents(v *classify.View) map[string]classify.Positions {
	return classify.Once(&v.Facts, "task events", func() map[string]classify.Positions {
		out := map[string]classify.Positions{}
		for _, r := range v.Runs {
			for i := range r.Events {
				e := &r.Events[i]
				if e.Task != "" && !e.Copied && e.Reason != ingest.Launched && e.Reason != ingest.Interrupted && e.Name != "tasks/cancel" {
					out[e.Task] = append(out[e.Task], v.PosOf(r, i))
				}
			}
		}
		return out
	})
}

// taskCalls are the positions of the calls, other than to cancel, that name
// each task.
func taskCalls(v *classify.View) map[string]classify.Positions {
	return classify.Once(&v.Facts, "calls of tasks", func() map[string]classify.Positions {
		out := map[string]classify.Positions{}
		for _, a := range v.Actions {
			if a.Kind != classify.Other || cancels(a.Tool) || len(a.Args) > longestPoll {
				continue
			}
			for _, m := range quoted.FindAllStringSubmatch(string(a.Args), -1) {
				if list := out[m[1]]; len(list) == 0 || list[len(list)-1] != a.Pos {
					out[m[1]] = append(list, a.Pos)
				}
			}
		}
		return out
	})
}

const longestPoll = 1000 // bytes of arguments; a request about a task is short

var quoted = phrase.MustCompile(`"([^"\\]{1,200})"`)

func cancels(name string) bool { return strings.Contains(strings.ToLower(name), "cancel") }

// cancel is a request to cancel a task.
type cancel struct {
	classify.Cite
	pos int
}

// cancelOf is the first request to cancel a task.
func cancelOf(v *classify.View, id string) cancel {
	return classify.Once(&v.Facts, "cancels", func() map[string]cancel {
		out := map[string]cancel{}
		for _, r := range v.Runs {
			for i := range r.Events {
				e := &r.Events[i]
				if !cancels(e.Name) || e.Copied || e.Kind != ingest.ToolCall && e.Kind != ingest.Message {
					continue
				}
				task := e.Task
				if e.Kind == ingest.ToolCall {
					task = taskArgument(r.Args(e))
				}
				if _, known := out[task]; task != "" && !known {
					out[task] = cancel{classify.Cite{Run: r, Event: e}, v.PosOf(r, i)}
				}
			}
		}
		return out
	})[id]
}

// taskArgument is the task that the arguments of a call name.
func taskArgument(args jsontext.Value) string {
	var a struct {
		TaskID  string `json:"taskId"`
		TaskID2 string `json:"task_id"`
	}
	if len(args) == 0 || args[0] != '{' || json.Unmarshal(args, &a) != nil {
		return ""
	}
	if a.TaskID == "" {
		return a.TaskID2
	}
	return a.TaskID
}

// cancelBelieved reports that a task which was asked to be cancelled was taken
// as not done: the effect was started again, or the closing text denies it,
// while nobody asked what became of it.
func cancelBelieved(v *classify.View, p *classify.Pass, w *classify.Effect) {
	id := mcpTask(w.Action)
	c := cancelOf(v, id)
	if c.Event == nil || c.Run != w.Action.Run {
		return
	}
	at := c.pos
	if at < w.Action.Pos || spokenOf(v, id, at) || len(v.Revealing(w, at, never)) > 0 {
		return
	}
	for _, x := range w.After(v.Alike(w)) {
		if x.Action.Pos > at && x.Writes() {
			if !v.AskedAnew(at, x.Action.Pos) {
				reportTask(v, p, w, x.Action.Cite(), "cancel", "%s was started again after its task was asked to be cancelled, and nobody asked what had become of it", c.Cite)
			}
			return
		}
	}
	for _, e := range closingsAfter(v, at) {
		if saysFailed(closingOf(e), w) && !leftOpen(v, e) {
			reportTask(v, p, w, e.Closing, "cancel", "the closing text says that %s did not happen, because its task was asked to be cancelled", c.Cite)
			return
		}
	}
}

// failedTaskClaimed reports that a task ended with an error and the closing
// text says that the work is done, with no later attempt.
func failedTaskClaimed(v *classify.View, p *classify.Pass, w *classify.Effect) {
	a := w.Action
	e := v.EpisodeAt(a.Pos)
	if a.Settled < 0 || a.Outcome != ingest.Fail || e.Closing.Event == nil || e.Discloses() || e.ClosePos < a.End {
		return
	}
	if slices.ContainsFunc(w.After(v.Alike(w)), func(x *classify.Effect) bool { return x.Writes() && x.Action.Pos > a.Pos }) {
		return
	}
	text := closingOf(e)
	if saysFailed(text, w) || failedWords.MatchString(text) || !claimsDone(v, text, w, e) {
		return
	}
	reportTask(v, p, w, e.Closing, "error", "the task of %s ended with an error, and the closing text says that it is done")
}

func reportTask(v *classify.View, p *classify.Pass, w *classify.Effect, at classify.Cite, kind, message string, more ...classify.Cite) {
	p.Report(classify.Hit{
		Severity: classify.High, Grade: w.Grade(), Episode: v.EpisodeAt(w.Action.Pos).Index, At: w.Action.Pos,
		Cite:      append(append([]classify.Cite{at, w.Action.Cite()}, more...), w.Action.CiteEnd()),
		Message:   fmt.Sprintf(message, what(w)),
		Structure: []string{tool(w), kind},
	})
}
