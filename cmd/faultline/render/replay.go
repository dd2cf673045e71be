package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
)

// Replay writes the results of replays as they come: a play takes its time.
type Replay struct {
	json *JSON
	text *Text
	n    map[replay.Status]int
}

// NewReplay returns a Replay that writes to w, as text or as JSON.
func NewReplay(w io.Writer, s Style, asJSON bool) *Replay {
	r := &Replay{n: map[replay.Status]int{}}
	if asJSON {
		r.json = NewJSON(w)
	} else {
		r.text = NewText(w, s)
	}
	return r
}

type replayLine struct {
	Type string `json:"type"`
	*replay.Result
}

// Result writes one result; as JSON a line of type replay.
func (r *Replay) Result(res *replay.Result) error {
	r.n[res.Status]++
	if r.json != nil {
		return r.json.Object(replayLine{"replay", res})
	}
	r.text.replay(res)
	return r.text.Flush()
}

// Close writes the sum.
func (r *Replay) Close() error {
	if r.json != nil {
		return nil
	}
	sum := ""
	for _, s := range []replay.Status{replay.Passed, replay.Failed, replay.CannotTell, replay.Invalid, replay.NotReplayable} {
		if r.n[s] > 0 || s == replay.Passed || s == replay.Failed {
			sum += fmt.Sprintf("%d %s, ", r.n[s], s)
		}
	}
	r.text.line("%s", strings.TrimSuffix(sum, ", "))
	return r.text.Flush()
}

// replay writes what a play came to, what decided it, and what stands beside
// it.
func (t *Text) replay(r *replay.Result) {
	t.block(pad(string(r.Status), 15), t.safe(fmt.Sprintf("%s, %s, %s model: %s", r.Name, r.Harness, r.Model, r.Why)))
	row := func(name, text string) { t.block(pad("", 15)+pad(name, 12), t.safe(text)) }
	if r.Network == sandbox.Open {
		row("network", "open: the harness could reach everything that this machine can")
	}
	for _, e := range r.Expect {
		if e.Grade != expect.Held {
			row(string(e.Grade), gradeText(r, e))
		}
	}
	for _, f := range r.Failures {
		row(f.Kind, f.Text)
		for _, s := range f.Stages {
			row("", s)
		}
	}
	for _, f := range r.Faults {
		row("fault", string(f)+" fired")
	}
	for _, s := range r.Resent {
		row("sent again", fmt.Sprintf("%s by the %s, %s", s.Tool, s.By, plural(s.Times, "time")))
	}
	for _, c := range r.Calls {
		if r.LogRuns > 0 && c.World != c.Log {
			row("log", fmt.Sprintf("the harness's log shows %s of %s, the world saw %d", plural(c.Log, "call"), c.Tool, c.World))
		}
	}
	for _, f := range r.Findings {
		row("finding", fmt.Sprintf("%s %s: %s", f.Severity, f.Rule, f.Message))
	}
	if len(r.Sessions) > 0 {
		row("harness", sessionsText(r))
	}
	if r.Folder != "" {
		row("kept", r.Folder)
	}
}

// gradeText says what is not in the first line already.
func gradeText(r *replay.Result, e expect.Result) string {
	text := string(e.Expect.Invariant)
	if !strings.Contains(r.Why, e.Why) {
		text += ": " + e.Why
	}
	if len(e.Refs) > 0 {
		text += " (" + strings.Join(e.Refs, ", ") + ")"
	}
	return text
}

func sessionsText(r *replay.Result) string {
	var ends []string
	for _, s := range r.Sessions {
		end := "exit code " + strconv.Itoa(s.Exit)
		switch {
		case s.TimedOut:
			end = "timed out"
		case s.Killed:
			end = "killed by the world"
		}
		ends = append(ends, end)
	}
	return fmt.Sprintf("%s, %s to the model", strings.Join(ends, ", then "), plural(r.Requests, "request"))
}
