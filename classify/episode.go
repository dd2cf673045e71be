package classify

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/ingest"
)

// Episode is an episode of a run with what is known of its end. Begin and End
// are positions in the thread, both inclusive.
type Episode struct {
	ingest.Episode
	Begin, Last int
	Prompt      string // what was asked, or what "go on" goes on with
	PromptCite  Cite

	// Accepted: a record decided for it, the harness ended it as successful,
	// or the closing text claims success (inferred). Grade says which.
	Accepted bool
	Grade    Grade
	At       Cite // the event or record that accepted it
	AtPos    int
	Record   *Record // the Completion whose decision counts, if any
	// Completions are all that name the episode, in the order in which they
	// were decided: rounds, and a judge's word after the maker's.
	Completions []*Record

	Closing   Cite // the agent's closing text, if any
	ClosePos  int
	Statement claim.Statement

	required []Required // once they were asked for
	sought   bool
	lastOK   map[toolOf]int // the last success of each tool
}

// toolOf is a tool of the agent or of its sub-agents.
type toolOf struct {
	name string
	sub  bool
}

// Discloses reports that the closing text admits a failure or an open part.
func (e *Episode) Discloses() bool {
	for _, d := range e.Statement.Disclosed {
		switch d.Gap {
		case claim.Failing, claim.Skipped, claim.NotRun, claim.Open, claim.Partial, claim.Unable, claim.TimedOut:
			return true
		}
	}
	return false
}

// readEpisodes reads the episodes of one run; those that only copy another
// run's events are left out.
func (v *View) readEpisodes() {
	prompt, cite := "", Cite{}
	task, taskCite := v.instruction()
	all := v.Run.Episodes()
	v.readCompletions(len(all))
	for _, ep := range all {
		e := &Episode{Episode: ep, Begin: v.base + ep.First, Last: v.base + ep.Last}
		if ep.Request >= 0 {
			req := &v.Run.Events[ep.Request]
			if t := v.promptOf(ep); !continues(t) || prompt == "" {
				prompt, cite = t, Cite{v.Run, req}
			}
		}
		if prompt == "" && task != "" {
			prompt, cite = task, taskCite
		}
		e.Prompt, e.PromptCite = prompt, cite
		if !v.owns(ep) {
			continue
		}
		v.readClosing(e)
		v.readAcceptance(e)
		e.Open = e.Open && (e.Record == nil || e.Record.Completion.Decision == "")
		v.Episodes = append(v.Episodes, e)
	}
	if n := len(v.Episodes); n > 0 && v.continued() {
		v.Episodes[n-1].Open = false
	}
}

// promptOf joins the lines of one request.
func (v *View) promptOf(ep ingest.Episode) string {
	var b strings.Builder
	for i := ep.First; i <= ep.Request; i++ {
		if e := &v.Run.Events[i]; e.Kind == ingest.Message && e.Actor == ingest.User && e.Agent == "" {
			b.WriteString(v.Run.Text(e))
			b.WriteByte('\n')
		}
	}
	for i := ep.Request + 1; i <= ep.Last; i++ {
		e := &v.Run.Events[i]
		if e.Kind != ingest.Message || e.Actor == ingest.Agent {
			break
		}
		if e.Actor == ingest.User && e.Agent == "" {
			b.WriteString(v.Run.Text(e))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// instruction is a trial's task text, where its record states it.
func (v *View) instruction() (string, Cite) {
	if !v.Run.Meta.Trial {
		return "", Cite{}
	}
	for i := range v.Run.Events {
		if e := &v.Run.Events[i]; e.Name == "instruction" && e.Kind == ingest.Message {
			return v.Run.Text(e), Cite{v.Run, e}
		}
	}
	return "", Cite{}
}

func (v *View) owns(ep ingest.Episode) bool {
	for i := ep.First; i <= ep.Last; i++ {
		if !v.Run.Events[i].Copied {
			return true
		}
	}
	return false
}

// continued reports that a later run of the thread goes on after this one.
func (v *View) continued() bool {
	for _, b := range v.Boundaries {
		if b.Kind == "run" && b.Pos > v.base+len(v.Run.Events) {
			return true
		}
	}
	return false
}

// readClosing finds the agent's last text of the episode.
func (v *View) readClosing(e *Episode) {
	for i := e.Episode.Last; i >= e.First; i-- {
		ev := &v.Run.Events[i]
		if ev.Copied || ev.Agent != "" {
			continue
		}
		if ev.Kind == ingest.Message && ev.Actor == ingest.Agent && ev.Text.Len > 0 {
			e.Closing, e.ClosePos = Cite{v.Run, ev}, v.base+i
			e.Statement = claim.Read(v.Run.Text(ev))
			return
		}
	}
}

// readAcceptance decides whether the episode was accepted and on what ground:
// a record, the harness, a finish tool, else the closing text.
func (v *View) readAcceptance(e *Episode) {
	if v.recordedAcceptance(e) {
		return
	}
	turned := false
	for i := e.Episode.Last; i >= e.First; i-- {
		ev := &v.Run.Events[i]
		if ev.Copied || ev.Agent != "" {
			continue
		}
		turned = turned || ev.Finishes() && v.turnedDown(e, i)
		if v.endsWell(ev) && !(turned && ev.Finishes()) {
			e.accept(Observed, Cite{v.Run, ev}, v.base+i)
			if t := v.Run.Text(ev); e.Closing.Event == nil && t != "" && ev.Kind == ingest.Claim {
				e.Closing, e.ClosePos, e.Statement = e.At, e.AtPos, claim.Read(t)
			}
			return
		}
		if ev.Kind == ingest.Claim && ev.Outcome == ingest.Fail {
			return
		}
	}
	if e.Closing.Event == nil || !v.closes(e) || !e.Statement.Success || e.Statement.Announces || e.Discloses() {
		return
	}
	grade := Inferred
	if v.Run.Meta.Trial || v.Grader.Present {
		grade = Observed
	}
	e.accept(grade, e.Closing, e.ClosePos)
}

func (e *Episode) accept(g Grade, at Cite, pos int) {
	e.Accepted, e.Grade, e.At, e.AtPos = true, g, at, pos
}

// endsWell reports that an event ends the episode as successful: the source
// states it, or a finish tool was called.
func (v *View) endsWell(ev *ingest.Event) bool {
	switch ev.Kind {
	case ingest.Claim:
		return ev.Outcome == ingest.OK || ev.Outcome == ""
	case ingest.ToolCall:
		return ev.Finishes()
	}
	return false
}

// turnedDown reports that a finish call did not end the episode: it failed, the
// agent called something after its answer, or the harness sent it on and it
// went on. A text of the agent alone is its farewell.
func (v *View) turnedDown(e *Episode, finish int) bool {
	answered, sentOn := false, false
	for i := finish + 1; i <= e.Episode.Last; i++ {
		ev := &v.Run.Events[i]
		switch {
		case ev.Copied || ev.Agent != "":
		case ev.Kind == ingest.ToolResult && ev.Call == v.Run.Events[finish].Call:
			answered = true
			if ev.Outcome == ingest.Fail {
				return true
			}
		case !answered:
		case ev.Kind == ingest.ToolCall && !ev.Finishes():
			return true
		case ev.Kind == ingest.Message && ev.Actor == ingest.Harness:
			sentOn = true
		case ev.Kind == ingest.Message && ev.Actor == ingest.Agent && sentOn:
			return true
		}
	}
	return false
}

// closes reports that nothing was called after the closing text.
func (v *View) closes(e *Episode) bool {
	for i := e.ClosePos - v.base + 1; i <= e.Episode.Last; i++ {
		if ev := &v.Run.Events[i]; ev.Kind == ingest.ToolCall && ev.Agent == "" && !ev.Copied {
			return false
		}
	}
	return true
}
