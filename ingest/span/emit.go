package span

import (
	"cmp"
	"time"

	"github.com/faultline-dev/faultline/ingest"
)

// moment is a time with what is known of it.
type moment struct {
	at      time.Time
	quality ingest.TimeQuality
}

// emit adds the events of the span. They follow from the span alone: what other
// spans tell of the same is sorted out when the run is loaded, so that neither
// the order of spans nor that of files matters.
func (r *reading) emit() kind {
	r.settle()
	k := r.kind()
	began, ended := moment{}, moment{}
	began.at, began.quality = r.began()
	ended.at, ended.quality = r.ended()
	r.fromEvents()
	switch k {
	case model, embedding:
		r.ask(k, began, ended)
	case tool:
		r.dispatch(began, ended)
	case agent, loop:
		r.drive(k, began, ended)
	case workflow:
		if r.u.Under == "" {
			r.drive(k, began, ended)
		}
	case guardrail, human:
		r.approve(k, ended)
	case evaluator:
		r.judge(ended)
	case request:
		r.send(began)
	}
	r.evaluations()
	return k
}

func (r *reading) event(kind ingest.Kind, actor ingest.Actor, m moment) *ingest.Event {
	e := r.u.Event(kind, actor)
	e.At, e.Quality = m.at, m.quality
	return e
}

// ask adds a request to a model: what was said to it, that it answered, what
// it said, and which tools it wants called.
func (r *reading) ask(k kind, began, ended moment) {
	asked, answered := r.talk(k)
	id := cmp.Or(r.text(responseID), r.u.Node)
	name := cmp.Or(r.text(responseModel), r.text(requestModel))
	for i := range asked {
		r.say(&asked[i], began)
	}
	if r.open() {
		return
	}
	e := r.event(ingest.ModelCall, ingest.Agent, ended)
	e.Model, e.Message, e.Usage, e.Detail = name, id, r.usage(), r.attrs
	from := len(r.u.Events)
	stop := r.text(finishReason)
	for i := range answered {
		m := &answered[i]
		m.more, stop = m.more || isMore(r.text(finishReason)), cmp.Or(stop, m.stop)
		if e := &r.u.Events[from-1]; len(m.thoughts) > 0 && e.Text.Len == 0 {
			e.Text = m.thoughts[0]
		}
		r.say(m, ended)
	}
	if kind, name := ingest.Stop(stop); name != "" {
		r.event(kind, ingest.Harness, ended).Stopped(name)
	}
	for i := from; i < len(r.u.Events); i++ {
		r.u.Events[i].Message, r.u.Events[i].Model = id, name
	}
	if r.status == "error" {
		r.failed(ended)
	}
}

// failed adds the error that a request to a model met.
func (r *reading) failed(m moment) {
	_, reason := r.trouble()
	e := r.event(ingest.Error, ingest.Harness, m)
	e.Name, e.Text, e.Reason = cmp.Or(r.text(errorType), "error"), r.why(), reason
}

// say adds what one message says.
func (r *reading) say(m *message, at moment) {
	actor := ingest.Harness
	switch m.role {
	case userRole:
		actor = ingest.User
	case agentRole:
		actor = ingest.Agent
	}
	for _, text := range m.texts {
		words := r.words(text)
		if len(words) == 0 {
			continue
		}
		e := r.event(ingest.Message, actor, at)
		e.Text, e.Said = text, r.said([]byte(actor), words)
		e.Open = actor == ingest.Agent && (m.more || len(m.calls) > 0)
	}
	for _, k := range m.calls {
		e := r.event(ingest.ToolCall, ingest.Agent, at)
		e.Call, e.Name, e.Args = k.id, k.name, k.args
		e.Said = r.said([]byte("call"), []byte(k.id), []byte(k.name), r.canonical(k.args))
	}
	for _, res := range m.results {
		r.shown(res, at)
	}
}

// shown adds a result as the model was shown it.
func (r *reading) shown(res result, at moment) {
	e := r.event(ingest.ToolResult, ingest.Tool, at)
	e.Call, e.Name, e.Text = res.id, res.name, res.text
	e.Said = r.said([]byte("result"), []byte(res.id), r.words(res.text))
	e.Outcome, e.Reason, e.Exit = outcomeOf(r.raw(res.text), res.failed)
}
