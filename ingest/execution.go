package ingest

import (
	"bytes"
	"slices"
	"strconv"
)

// Execution is what really ran: one dispatch with what is known of its end.
// Call and Result index Run.Events; -1 means that the source shows none.
// Settled is the index of the event that settled a background launch.
type Execution struct {
	Call    int
	Result  int
	Settled int
	Tool    string
	Outcome Outcome
	Reason  Reason
	Exit    *int
	// Repeats counts log items of the same dispatch or result that were
	// collapsed into this execution.
	Repeats int
	// Span is the innermost span of the dispatch, "" where the source has none.
	Span string
	// Asked is the call that holds the arguments where Call has none: a later
	// dispatch of one proposal. -1: none.
	Asked int
}

// Ran reports whether the call was executed at all: a denied, rejected or
// cancelled call was not.
func (x Execution) Ran() bool {
	switch x.Reason {
	case Denied, Rejected, Cancelled:
		return false
	}
	return true
}

// Executions pairs calls with results in file order: a result closes the
// oldest open call with its id. Where providers use an id again in a later
// model response, the earlier call can get no result any more. A call that the
// log repeats, or an equal second result, is the same execution; a second
// result that differs is another one.
// A call without a result is unknown (lost). Several spans of one dispatch, one
// inside the other, and the proposal of its call are one execution.
func (r *Run) Executions() []Execution {
	m := matcher{run: r, open: map[string][]int{}, last: map[string]int{}, tasks: map[string]int{}}
	for i := range r.Events {
		e := &r.Events[i]
		switch e.Kind {
		case ToolCall:
			if e.dispatches() {
				m.dispatch(i, e)
			} else {
				m.call(i, e)
			}
		case ToolResult:
			m.result(i, e)
		}
		m.settle(i, e)
	}
	m.dropCut()
	return m.out
}

// dropCut finds the last call of each response that was cut at its length. When
// nothing came back of it, it was never whole and never dispatched.
func (m *matcher) dropCut() {
	cut := map[string]bool{} // model responses
	for i := range m.run.Events {
		if e := &m.run.Events[i]; e.Kind == Limit && e.Name == Truncated {
			cut[e.response()] = true
		}
	}
	if len(cut) == 0 {
		return
	}
	last := map[string]int{}
	for k, x := range m.out {
		if x.Call >= 0 {
			last[m.run.Events[x.Call].response()] = k
		}
	}
	for id, k := range last {
		if x := &m.out[k]; cut[id] && x.Result < 0 && x.Outcome == Unknown && x.Reason == Lost {
			x.Outcome, x.Reason = Fail, Rejected
		}
	}
}

// response names the response of the model that the event is a part of.
func (e *Event) response() string {
	if e.Message != "" {
		return e.Message
	}
	return "\x00" + strconv.Itoa(e.Unit)
}

type matcher struct {
	run   *Run
	out   []Execution
	open  map[string][]int // call id → open executions, oldest first
	last  map[string]int   // call id → latest execution
	tasks map[string]int   // background task → the execution that launched it
	spans spans
}

func (m *matcher) call(i int, e *Event) {
	if j, ok := m.last[e.Call]; ok && e.Call != "" && m.sameCall(j, e) {
		m.out[j].Repeats++
		return
	}
	if e.Call == "" || !m.late(i, e) {
		m.begin(i, e)
	}
}

// begin opens an execution.
func (m *matcher) begin(i int, e *Event) {
	x := Execution{Call: i, Result: -1, Settled: -1, Asked: -1, Tool: e.Name, Outcome: Unknown, Reason: Lost}
	if e.Outcome != "" { // the source states the outcome on the call itself
		x.Outcome, x.Reason, x.Exit = e.Outcome, e.Reason, e.Exit
	}
	m.out = append(m.out, x)
	k := len(m.out) - 1
	if e.Task != "" && x.Outcome == Pending {
		m.tasks[e.Task] = k
	}
	if e.Call != "" {
		m.open[e.Call] = slices.DeleteFunc(m.open[e.Call], func(j int) bool { return m.outdated(j, e) })
		m.open[e.Call] = append(m.open[e.Call], k)
		m.last[e.Call] = k
	}
}

// outdated reports whether an open call belongs to another model response than
// a call that uses its id again.
func (m *matcher) outdated(j int, e *Event) bool {
	p := &m.run.Events[m.out[j].Call]
	return p.Message != "" && e.Message != "" && p.Message != e.Message
}

// sameCall reports whether the log wrote one call twice: same id, same model
// response, same tool and arguments.
func (m *matcher) sameCall(j int, e *Event) bool {
	if m.out[j].Call < 0 {
		return false
	}
	p := &m.run.Events[m.out[j].Call]
	return p.Message != "" && p.Message == e.Message && p.Name == e.Name &&
		bytes.Equal(m.run.Args(p), m.run.Args(e))
}

func (m *matcher) result(i int, e *Event) {
	if k, ok := m.spanned(e); ok {
		m.returned(k, i, e)
		return
	}
	open := m.open[e.Call]
	if e.Call != "" && len(open) > 0 {
		m.close(open[0], i, e)
		m.open[e.Call] = open[1:]
		return
	}
	if j, ok := m.last[e.Call]; ok && e.Call != "" && m.sameResult(j, e) {
		m.out[j].Repeats++
		return
	}
	x := Execution{Call: -1, Result: -1, Settled: -1, Asked: -1, Tool: e.Name}
	if j, ok := m.last[e.Call]; ok && e.Call != "" {
		x.Call, x.Tool = m.out[j].Call, m.out[j].Tool
	}
	m.out = append(m.out, x)
	m.close(len(m.out)-1, i, e)
	if e.Call != "" {
		m.last[e.Call] = len(m.out) - 1
	}
}

func (m *matcher) sameResult(j int, e *Event) bool {
	if m.out[j].Result < 0 {
		return false
	}
	p := &m.run.Events[m.out[j].Result]
	return p.Outcome == e.Outcome && bytes.Equal(m.run.bytes(p, p.Text), m.run.bytes(e, e.Text))
}

func (m *matcher) close(k, i int, e *Event) {
	x := &m.out[k]
	x.Result = i
	if e.Outcome != "" || x.Call < 0 || m.run.Events[x.Call].Outcome == "" {
		x.Outcome, x.Reason, x.Exit = e.Outcome, e.Reason, e.Exit
	}
	if x.Tool == "" {
		x.Tool = e.Name
	}
	if x.Outcome == "" {
		x.Outcome = OK
	}
	if e.Task != "" && x.Outcome == Pending {
		m.tasks[e.Task] = k
	}
}

// settle lets a later event about a background task end its launch.
func (m *matcher) settle(i int, e *Event) {
	if e.Task == "" || e.Outcome == "" || e.Outcome == Pending {
		return
	}
	k, ok := m.tasks[e.Task]
	if !ok || m.out[k].Result == i {
		return
	}
	// A task that was cancelled may have ended all the same, as a later look tells.
	if x := &m.out[k]; x.Outcome == Pending || x.Settled >= 0 && x.Reason == Interrupted {
		x.Outcome, x.Reason, x.Settled = e.Outcome, e.Reason, i
		if e.Exit != nil {
			x.Exit = e.Exit
		}
	}
}
