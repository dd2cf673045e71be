package world

import (
	"time"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// delivery is a call that arrives at a tool.
type delivery struct {
	tool    *script.Tool
	args    args
	key     string // of idempotency, from a header
	callID  string // the model's, where the harness tells it
	request string // JSON-RPC id
	retry   bool   // it says itself that it is one
	conn    conn
	command string
}

// sending is what is remembered of the last dispatch of a call.
type sending struct {
	delivery
	ask     *ask
	asked   int // requests to the model before it
	session int
}

// answer is what comes of a delivery.
type answer struct {
	reply
	lost  bool          // no reply is sent
	dies  bool          // the connection ends
	delay time.Duration // before the reply
	after bool          // kill when the reply was sent
}

// dispatch carries a call out: fault, effect, ledger.
func (w *World) dispatch(d delivery) answer {
	w.mu.Lock()
	a, kill := w.carryOut(d)
	w.mu.Unlock()
	if kill {
		w.kill()
	}
	return a
}

// carryOut is dispatch with w.mu held; kill: before anything is answered.
func (w *World) carryOut(d delivery) (a answer, kill bool) {
	if w.gone(d.conn.session) {
		return answer{lost: true, dies: true}, false
	}
	if w.calls++; w.calls > 10*w.options.MaxRequests {
		w.capped("calls of tools", 10*w.options.MaxRequests)
		return answer{reply: refuse(503, "the replay ended: too many calls")}, false
	}
	asked, by := w.attribute(d)
	e := Entry{Kind: expect.Called, Tool: d.tool.Name, Server: d.tool.Server, Command: d.command, Args: d.args, Outcome: "ok", By: by, Looks: !d.tool.Writes() && d.tool.Effect != ""}
	if asked != nil {
		e.CallID = asked.id
	}
	if _, ours := w.asks.spot(d.callID); ours {
		e.CallID = d.callID
	}
	w.called[d.tool] = true
	if d.tool.Need == script.Never {
		w.fail(HitNever, "tool "+d.tool.Name+" was called")
	}
	hit := w.fault.onDispatch(d.tool, asked)
	w.fault.arm(w.script, d.tool, -1)
	if hit {
		e.Fault = w.fault.Point
	}
	if !hit || w.fault.Point != script.PersistedNotDispatched {
		a.reply = w.store.apply(d.tool, d.args, d.idempotency())
	}
	if hit {
		kill = w.spoil(&a)
	}
	w.enter(e, a)
	return a, kill
}

// spoil makes of an answer what the fault wants.
func (w *World) spoil(a *answer) (kill bool) {
	w.dead = w.fault.Kills()
	switch w.fault.Point {
	case script.RepliedNotRecorded:
		a.after = true
		return false
	case script.ReplyLate:
		a.delay, a.lost, a.dies = w.options.Late, w.dead, w.dead
	default:
		a.lost, a.dies = true, w.dead
	}
	return w.dead
}

// enter writes a call and its effect into the ledger.
func (w *World) enter(e Entry, a answer) {
	switch {
	case a.lost || a.delay > 0:
		e.Outcome = "unknown"
	case a.failed():
		e.Outcome = "fail"
	}
	e.Resource, e.Text = a.resource, clip(a.say())
	w.note(e)
	if a.effect {
		w.note(Entry{Kind: expect.Effected, Tool: e.Tool, Server: e.Server, Command: e.Command, CallID: e.CallID, Args: e.Args,
			Resource: a.resource, Outcome: "ok", By: e.By})
	}
}

// idempotency is the key of a call, where its tool has one.
func (d *delivery) idempotency() string {
	if d.tool.Key == "" {
		return ""
	}
	if v, ok := d.args[d.tool.Key]; ok {
		return text(v)
	}
	return d.key
}

// attribute finds what asked for a call, and who sent it where it was sent
// before.
func (w *World) attribute(d delivery) (asked *ask, by string) {
	k := d.tool.Server + "\n" + d.tool.Name + "\n" + key(d.args, d.tool.Identity, d.tool.Key)
	if _, ours := w.asks.spot(d.callID); !ours {
		d.callID = ""
	}
	before := w.sent[k]
	now := &sending{delivery: d, ask: w.asks.take(k, d.callID), asked: w.asked, session: w.session}
	w.sent[k] = now
	switch {
	case before == nil:
	case now.ask == nil:
		now.ask = before.ask
		by = before.resent(now)
	case before.ask == nil || before.ask.message != now.ask.message:
		by = "model"
	}
	return now.ask, by
}

// resent says who sends again what no message of the model asked for anew.
func (s *sending) resent(now *sending) string {
	switch {
	case s.ask != nil && s.ask.twice, s.asked != now.asked, s.session != now.session:
		return "loop"
	case now.retry, now.key != "" && now.key == s.key, now.request != "" && now.request == s.request, now.conn.number > 0 && now.conn == s.conn:
		return "sdk"
	case now.callID != "" && now.callID == s.callID:
		return "loop"
	}
	return "wrapper"
}

// gone reports that nobody is to be answered: the harness was killed, the play is
// over, or the connection is one of an earlier session; w.mu is held.
func (w *World) gone(session int) bool {
	return w.dead || w.closed || session > 0 && session < w.session
}

// capped ends the play; w.mu is held.
func (w *World) capped(what string, limit int) {
	w.fail(Cap, "more than "+text(limit)+" "+what)
	if w.over {
		return
	}
	w.over = true
	if w.options.Over != nil {
		go w.options.Over() // it may end everything
	}
}
