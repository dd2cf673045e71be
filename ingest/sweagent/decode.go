package sweagent

import (
	"strconv"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// Decode reads a trajectory, or each attempt of a retry loop.
func Decode(in *decode.Input, w *decode.Writer) error {
	attempts := decode.Document{Lists: []string{"attempts"}, Heads: []string{}}
	if o, err := attempts.Outline(in, w); err != nil {
		return err
	} else if o.Units > 0 {
		return decodeAttempts(in, w)
	}
	return decodeOne(in, w)
}

// decodeAttempts reads each attempt as a run. What stands outside of them
// repeats the one that was chosen.
func decodeAttempts(in *decode.Input, w *decode.Writer) error {
	d := decode.Document{
		Heads: []string{},
		Aside: map[string]string{"trajectory": secondView, "history": secondView},
		Parts: map[string]func(*decode.Input) error{"attempts": func(part *decode.Input) error { return decodeOne(part, w) }},
	}
	return d.Decode(in, w)
}

const secondView = "second-view"

func decodeOne(in *decode.Input, w *decode.Writer) error {
	d := &decoder{w: w}
	steps := decode.Document{Lists: []string{"trajectory"}, Heads: heads, Member: d.head.member, Look: d.lookStep}
	so, err := steps.Outline(in, w)
	if err != nil {
		return err
	}
	history := decode.Document{Lists: []string{"history"}, Heads: []string{}, Look: d.lookMessage}
	ho, err := history.Outline(in, w)
	if err != nil {
		return err
	}
	d.calls.done()
	switch {
	case so.Units+ho.Units == 0 && so.Whole:
		w.SkipAt(in.Lines+1, in.Base, "no-steps", "")
		return nil
	case !so.Whole:
		return d.broken(in, so.Units > 0)
	}
	return d.whole(in, so.Units > 0)
}

// whole reads a document in the order of the run: the messages that set the
// task, the steps, how it ended.
func (d *decoder) whole(in *decode.Input, steps bool) error {
	message := d.prompt
	if !steps {
		message = d.message
	}
	for _, doc := range []decode.Document{
		{Lists: []string{"history"}, Heads: []string{}, Unit: message},
		{Lists: []string{"trajectory"}, Heads: []string{}, Unit: d.step},
		{Heads: []string{}, Whole: map[string]decode.LineDecoder{"info": d.info}},
	} {
		if err := doc.Decode(in, d.w); err != nil {
			return err
		}
	}
	return nil
}

// broken reads a document that breaks off in one walk, in its own order.
func (d *decoder) broken(in *decode.Input, steps bool) error {
	doc := decode.Document{Lists: []string{"history"}, Heads: []string{}, Unit: d.message,
		Whole: map[string]decode.LineDecoder{"info": d.info}}
	if steps {
		doc.Lists, doc.Unit = []string{"trajectory"}, d.step
		doc.Aside = map[string]string{"history": secondView}
	}
	return doc.Decode(in, d.w)
}

type decoder struct {
	w      *decode.Writer
	head   header
	prefix []byte // content ids of what names the run, of idLength each
	named  bool   // prefix holds what no other run can have
	run    string // hash of what names the run; "" before it begins
	calls  callIDs
	steps  int
	read   int    // messages of the history
	acted  bool   // the first pass met a message with an action
	past   bool   // so did the second
	last   string // id of the call that waits for its result
	tool   string // its name
}

// idLength is how many hex digits a content id has.
const idLength = 2 * len(ingest.UnitID{})

func (d *decoder) begin() {
	if d.run != "" {
		return
	}
	name := append(make([]string, 0, 2+len(d.prefix)/idLength), "content", d.head.task)
	for prefix := string(d.prefix); prefix != ""; prefix = prefix[idLength:] {
		name = append(name, prefix[:idLength])
	}
	d.prefix = nil
	d.run = ingest.RunID("swe-agent-traj", name...)
	d.w.Begin(name...)
	d.head.meta(d.w.Meta())
}

// place names a unit by its place in the run: the events of equal steps differ
// in the ids that stand for those which they lack.
func (d *decoder) place(u *decode.Unit, list string, n int) {
	u.Native = list + " " + strconv.Itoa(n) + " of " + d.run
}
