package world

import (
	"fmt"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// builtins enters the calls of the harness's own tools into the ledger. The world
// hears of one when a request shows its result; a call is entered once.
func (w *World) builtins(calls []shownCall) {
	for _, c := range calls {
		tool := w.toolAt(c.at)
		id := c.ID
		if _, ours := w.asks.spot(id); !ours {
			id = fmt.Sprint(w.session, c.at, c.nth)
		}
		if !c.done || tool.Via != script.Builtin || w.builtin[id] {
			continue
		}
		w.builtin[id], w.called[tool] = true, true
		e := Entry{Kind: expect.Called, Tool: tool.Name, CallID: c.ID, Args: object(c.Args), Outcome: "ok", Text: clip(c.result.Text)}
		switch {
		case c.result.Error:
			e.Outcome = "fail"
		case !w.answers(tool, c.result):
			e.Outcome = "unknown"
		}
		e.Command = shellLine(c.Name, e.Args)
		if tool.Need == script.Never {
			w.fail(HitNever, "tool "+tool.Name+" was called")
		}
		w.note(e)
	}
}
