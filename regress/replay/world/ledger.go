package world

import (
	"fmt"
	"io"
	"slices"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// Side is the kind of a request for a title, a topic or a summary. It is in the
// ledger and no act.
const Side expect.ActKind = "side-request"

// Entry is one thing that happened in the world.
type Entry struct {
	Seq      int            `json:"seq"` // from 1, in the order of arrival
	Kind     expect.ActKind `json:"kind"`
	Tool     string         `json:"tool,omitzero"`
	Server   string         `json:"server,omitzero"`
	Command  string         `json:"command,omitzero"` // of a command, its words
	CallID   string         `json:"call_id,omitzero"` // of the model's call that was carried out; "" where none was
	Args     map[string]any `json:"args,omitzero"`
	Resource string         `json:"resource,omitzero"` // id
	Outcome  string         `json:"outcome,omitzero"`  // ok, fail, or unknown where no reply came in time
	Fault    script.Point   `json:"fault,omitzero"`    // that struck here
	By       string         `json:"by,omitzero"`       // who sent it again: sdk, wrapper, loop or model
	Session  int            `json:"session"`           // of the harness, from 1
	Looks    bool           `json:"looks,omitzero"`    // it changes nothing
	Text     string         `json:"text,omitzero"`     // the turn that was answered; what was said
}

// Failure is a reason why a play fails whatever its expectations say.
type Failure struct {
	Kind   string   `json:"kind"` // unanswerable, never, unmet or cap
	Text   string   `json:"text"`
	Stages []string `json:"stages"` // what ruled each answer out
}

// The kinds of failures.
const (
	Unanswerable = "unanswerable" // the script has no answer
	HitNever     = "never"        // a turn or a tool that must not be reached was
	Unmet        = "unmet"        // a turn or a tool that must be reached was not
	Cap          = "cap"          // too many requests
)

// most bounds what is kept of failures.
const most = 100

// note writes an entry into the ledger; w.mu is held.
func (w *World) note(e Entry) int {
	e.Seq, e.Session = len(w.entries)+1, w.session
	w.entries = append(w.entries, e)
	if w.options.Log != nil {
		fmt.Fprintf(w.options.Log, "%d %s\n", e.Seq, encode(e)) // a log that cannot be written is nobody's failure
	}
	return e.Seq
}

// fail notes a failure, each once; w.mu is held.
func (w *World) fail(kind, text string, stages ...string) {
	if len(w.failures) >= most || slices.ContainsFunc(w.failures, func(f Failure) bool { return f.Kind == kind && f.Text == text }) {
		return
	}
	w.failures = append(w.failures, Failure{kind, text, append([]string{}, stages...)})
	if w.options.Log != nil {
		io.WriteString(w.options.Log, "failure "+kind+": "+text+"\n")
	}
}

// unanswerable notes a request that the script does not answer.
func (w *World) unanswerable(from conn, text string, stages ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.gone(from.session) {
		w.fail(Unanswerable, text, stages...)
	}
}

// Ledger lists what happened, in order.
func (w *World) Ledger() []Entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.entries)
}

// Acts is the ledger as expectations read it, by references "world:SEQ".
func (w *World) Acts() []expect.Act {
	var acts []expect.Act
	for _, e := range w.Ledger() {
		if e.Kind == Side {
			continue
		}
		acts = append(acts, expect.Act{Kind: e.Kind, Tool: e.Tool, Command: e.Command, Args: e.Args, Outcome: e.Outcome,
			Looks: e.Looks, By: e.By, Ref: fmt.Sprintf("world:%d", e.Seq)})
	}
	return acts
}

// Fired lists the faults that struck.
func (w *World) Fired() []script.Point {
	points := []script.Point{}
	for _, e := range w.Ledger() {
		if e.Fault != "" {
			points = append(points, e.Fault)
		}
	}
	return points
}

// Failures lists why the play fails so far, with what was not reached.
func (w *World) Failures() []Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := slices.Clone(w.failures)
	if w.stopped {
		return all // what the provider stopped needs not go on
	}
	for i := range w.script.Turns {
		if t := &w.script.Turns[i]; (t.Need == script.Must || t.Need == "") && !w.reached[i] {
			all = append(all, Failure{Unmet, fmt.Sprintf("turn %s was not reached", t.ID), w.why(i)})
		}
	}
	for i := range w.script.Tools {
		if t := &w.script.Tools[i]; t.Need == script.Must && !w.called[t] {
			all = append(all, Failure{Unmet, fmt.Sprintf("tool %s was not called", t.Name), []string{}})
		}
	}
	return all
}

// why says what stood before a turn that was not reached.
func (w *World) why(turn int) []string {
	switch {
	case w.asked == 0:
		return []string{"the model was never asked"}
	case w.last < turn:
		return []string{fmt.Sprintf("the last request was answered with turn %s", w.script.Turns[w.last].ID)}
	}
	return []string{}
}
