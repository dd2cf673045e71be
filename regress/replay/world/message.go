package world

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// message is what the model answers to a request.
type message struct {
	reply     dialect.Reply
	cut       dialect.Cut
	refused   string
	kill      bool // before the answer
	killAfter bool
	hangUp    bool // instead of an answer
}

// message decides on an answer and writes it into the ledger.
func (w *World) message(q *dialect.Request, broken error, c conn) message {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone(c.session) {
		return message{hangUp: true}
	}
	if w.requests++; w.requests > w.options.MaxRequests {
		w.capped("requests to the model", w.options.MaxRequests)
		return message{refused: "the replay ended: too many requests"}
	}
	if broken != nil {
		w.note(Entry{Kind: expect.Asked, Outcome: "fail", Text: clip(broken.Error())})
		w.fail(Unanswerable, "request to the model: "+clip(broken.Error()), "reading: it is no request in this dialect")
		return message{refused: clip(broken.Error())}
	}
	if class, said := w.side(q); class != "" {
		w.note(Entry{Kind: Side, Outcome: "ok", Text: class})
		return message{reply: w.speak(q, said)}
	}
	w.asked++
	shown := w.shown(q)
	w.builtins(shown.calls)
	if w.fault.crossing() {
		w.dead = true
		w.note(Entry{Kind: expect.Asked, Outcome: "unknown", Fault: w.fault.Point})
		return message{kill: true, hangUp: true}
	}
	return w.turn(q, w.next(q, shown))
}

// speak is a message that only speaks.
func (w *World) speak(q *dialect.Request, said string) dialect.Reply {
	w.messages++
	size := 0
	for _, t := range q.Texts {
		size += len(t)
	}
	return dialect.Reply{ID: "msg_" + digest(24, w.asks.seed, strconv.Itoa(w.messages)), Say: said, TokensIn: 1 + size/4, TokensOut: 1 + len(said)/4}
}

// closing is said when the script is at its end and the model is asked again.
const closing = "Done."

// turn answers with the message of a turn.
func (w *World) turn(q *dialect.Request, at step) message {
	for _, i := range at.done {
		w.reached[i] = true
	}
	if at.turn == len(w.script.Turns) {
		w.note(Entry{Kind: expect.Asked, Outcome: "ok", Text: "the end"})
		return message{reply: w.speak(q, closing)}
	}
	t := &w.script.Turns[at.turn]
	wires, stages := w.wires(t, at.open, q.Tools)
	if stages != nil {
		w.note(Entry{Kind: expect.Asked, Outcome: "fail", Text: "turn " + t.ID})
		w.fail(Unanswerable, "turn "+t.ID+" calls a tool that the request does not offer", stages...)
		return message{refused: "turn " + t.ID + " of the script: " + strings.Join(stages, "; ")}
	}
	w.last, w.reached[at.turn] = at.turn, true
	if t.Need == script.Never {
		w.fail(HitNever, "turn "+t.ID+" was reached")
	}
	e := Entry{Kind: expect.Asked, Outcome: "ok", Text: "turn " + t.ID}
	hit := w.fault.onMessage(w.script, at.turn)
	w.fault.arm(w.script, nil, at.turn)
	if hit {
		e.Fault = w.fault.Point
	}
	w.note(e)
	m := message{reply: w.speak(q, t.Say)}
	m.reply.Stop = t.Stop
	if hit {
		w.cutOff(&m)
	}
	if m.reply.Stop != "" {
		w.stopped = true
		w.note(Entry{Kind: expect.ProviderStop, Text: string(m.reply.Stop)})
		return m
	}
	if !m.hangUp {
		w.ask(q, at, wires, &m, hit)
	}
	return m
}

// cutOff makes of a message what the fault wants.
func (w *World) cutOff(m *message) {
	w.dead = w.fault.Kills()
	switch w.fault.Point {
	case script.BeforePersist:
		m.cut, m.kill, m.hangUp = dialect.InsideCall, w.dead, w.dead
		return
	case script.StreamCutBefore:
		m.cut = dialect.BeforeBody
	case script.StreamCutInside:
		m.cut = dialect.InsideCall
	case script.StreamCutAfterCall:
		m.cut = dialect.AfterCall
	case script.StoppedByProvider:
		m.reply.Stop, m.reply.Say = script.Refusal, ""
	}
	m.killAfter = w.dead
}

// wires are the open calls of a turn as the request offers them; stages tells
// why one of them is not.
func (w *World) wires(t *script.Turn, open []int, offers []dialect.Offer) (wires []dialect.Call, stages []string) {
	for _, pos := range open {
		c, tool, ok := w.wire(t.Calls[pos], offers)
		if !ok {
			return nil, append([]string{"tool: " + tool.Name}, ruledOut(tool, offers)...)
		}
		wires = append(wires, c)
	}
	return wires, nil
}

// ask puts the calls into a message and notes which of them the harness gets.
func (w *World) ask(q *dialect.Request, at step, wires []dialect.Call, m *message, hit bool) {
	t := &w.script.Turns[at.turn]
	twice := hit && w.fault.Point == script.DuplicateDelivery
	request := w.contents(q)
	for i, c := range wires {
		where := spot{at.turn, at.open[i]}
		c.ID = w.asks.id(where, t.ID)
		m.reply.Calls = append(m.reply.Calls, c)
		if m.cut == dialect.BeforeBody || m.cut == dialect.InsideCall || m.cut == dialect.AfterCall && i > 0 {
			continue
		}
		tool := w.toolAt(where)
		double := twice && (w.fault.tool == tool || w.fault.tool == nil && i == 0)
		if double {
			m.reply.Calls = append(m.reply.Calls, c)
		}
		w.asks.add(tool.Server+"\n"+tool.Name+"\n"+key(object(t.Calls[where.pos].Args), tool.Identity, tool.Key), &ask{
			at: where, tool: tool, id: c.ID, request: request, message: w.messages, twice: double, parallel: len(wires) > 1,
		})
	}
	m.reply.TokensOut += 10 * len(m.reply.Calls)
}

// contents is a digest of what a request says, the same when it is sent again.
func (w *World) contents(q *dialect.Request) string {
	parts := []string{strconv.Itoa(w.session)}
	parts = append(parts, q.Texts...)
	for _, c := range q.Calls {
		parts = append(parts, c.ID, c.Name, string(c.Args))
	}
	for _, r := range q.Results {
		parts = append(parts, r.CallID, r.Tool, r.Text)
	}
	return digest(32, parts...)
}
