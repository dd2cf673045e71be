package classify

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// Effect is an entry of the effect ledger: a dispatch that was meant to write
// outside the workspace, or a look-up that may tell about one.
type Effect struct {
	effect.Effect
	Action   *Action
	Outcome  ingest.Outcome
	Contract *record.Contract // nil: derived from name and arguments
	// Operation is the record that the application kept of it, if any.
	Operation *record.Operation

	index  int  // in the thread's ledger
	parsed bool // the identity was
}

// parse reads the identity once.
func (e *Effect) parse() effect.Effect {
	if !e.parsed {
		e.Effect, e.parsed = e.Effect.Parsed(), true
	}
	return e.Effect
}

func (e *Effect) position() int { return e.Action.Pos }

// Grade is recorded with a contract or an operation's record, else inferred.
func (e *Effect) Grade() Grade {
	if e.Contract != nil || e.Operation != nil {
		return Recorded
	}
	return Inferred
}

// Writes reports that the entry is an external write that was dispatched.
func (e *Effect) Writes() bool {
	return e.Class == effect.ExternalWrite && e.Local == "" && e.Action.Ran()
}

// readEffects fills the ledger from all actions.
func (th *Thread) readEffects() {
	operations := th.Records.operations()
	for _, a := range th.Actions {
		switch a.Kind {
		case RunsShell:
			for i, cmd := range a.Commands {
				th.commandEffects(a, i, cmd)
			}
		case Other, Looks, Delegates:
			e := effect.FromTool(a.Tool, a.Args)
			if e.Class == effect.ExternalWrite && worksOnFiles(e, a.Args) {
				e.Class, e.Local = effect.LocalWrite, "file"
			}
			said := th.agreedOn(a.Tool)
			if e.Class == effect.Unknown {
				e.Class = said.role
			}
			c := said.contract
			if c != nil {
				e = underContract(e, c, a.Args)
			}
			op, d := operations.of(a)
			if op != nil {
				e = underOperation(e, op, d)
			}
			if e.Class == effect.Read || e.Class == effect.ExternalWrite {
				th.Effects = append(th.Effects, &Effect{Effect: e, Action: a, Outcome: effectOutcome(a, e, a.Outcome), Contract: c, Operation: op})
			}
		}
	}
}

// agreement is what the thread's contracts say of a tool.
type agreement struct {
	contract *record.Contract
	role     effect.Class
}

// ContractOf is the contract that governs a tool, or nil.
func (th *Thread) ContractOf(tool string) *record.Contract { return th.agreedOn(tool).contract }

func (th *Thread) agreedOn(tool string) agreement {
	return Once(&th.Facts, "agreed on "+tool, func() agreement {
		return agreement{th.Records.contract(tool), th.Records.roleOf(tool)}
	})
}

// worksOnFiles reports that the arguments of a derived write name files as its
// target: then it is work in the workspace, whatever the tool is called.
func worksOnFiles(e effect.Effect, args jsontext.Value) bool {
	switch e.Verb {
	case effect.Create, effect.Update, effect.Set, effect.Delete, effect.Start:
	default:
		return false
	}
	keys := []string{"target", "output", "output_path", "out", "dest", "destination", "path", "file", "filename", "file_path", "artifact"}
	if strings.HasSuffix(e.Why, " make") { // make_thumbnail of an image
		keys = append(keys, "source", "src", "input", "image")
	}
	for _, key := range keys {
		if looksLikePath(member(args, key)) {
			return true
		}
	}
	return false
}

func (th *Thread) commandEffects(a *Action, i int, cmd shell.Command) {
	argv := cmd.Argv
	if cmd.Host != "" { // what runs in a container or a pod stays there
		if !slices.Contains(cmd.Wrappers, "ssh") {
			return
		}
		argv = append([]string{"ssh", cmd.Host}, argv...)
	}
	for _, e := range effect.FromCommand(argv, cmd.Stdin) {
		if e.Class != effect.Read && e.Class != effect.ExternalWrite {
			continue
		}
		th.Effects = append(th.Effects, &Effect{Effect: e, Action: a, Outcome: effectOutcome(a, e, commandOutcome(a, i))})
	}
}

// underContract lets a contract overrule what the name suggests.
func underContract(e effect.Effect, c *record.Contract, args jsontext.Value) effect.Effect {
	if c.Effect != "" {
		e.Class = effect.Class(c.Effect)
		if e.Class == effect.ExternalWrite {
			e.Local = ""
		}
	}
	e.Repeatable, e.Append, e.Inferred, e.Why = c.Repeatable, false, false, "contract"
	if len(c.Identity) > 0 {
		named := map[string]jsontext.Value{}
		for _, name := range c.Identity {
			if v := value(args, name).Clone(); v != nil {
				if v.Canonicalize() == nil {
					named[name] = v
				}
			}
		}
		if b, err := json.Marshal(named, json.Deterministic(true)); err == nil {
			e.Identity = string(b)
		}
	}
	if c.KeyArgument != "" {
		e.OperationID = member(args, c.KeyArgument)
	}
	return e
}

// underOperation lets the application's own record overrule the name, and
// takes its key as the operation id.
func underOperation(e effect.Effect, op *record.Operation, d *record.Dispatch) effect.Effect {
	if op.Effect != "" {
		e.Class, e.Local = effect.Class(op.Effect), ""
	}
	e.Inferred, e.Why = false, "operation record"
	if e.OperationID == "" && d != nil {
		e.OperationID = d.ServiceKey
	}
	return e
}

// SameIntent reports that two entries intend one effect.
func (e *Effect) SameIntent(f *Effect) bool {
	if e.Contract != nil && f.Contract != nil {
		return sameTool(e.Action.Tool, f.Action.Tool) && e.Identity == f.Identity
	}
	return effect.SameIntent(e.Effect, f.Effect)
}

// Reveals reports that the entry is a look-up that came back and would have
// told whether w happened.
func (e *Effect) Reveals(w *Effect) bool {
	if e.Class != effect.Read || e.Outcome != ingest.OK {
		return false
	}
	if w.Contract != nil && len(w.Contract.Lookup) > 0 {
		for _, name := range w.Contract.Lookup {
			if sameTool(name, e.Action.Tool) {
				return !contradicts(e.Action, w)
			}
		}
	}
	return effect.Reveals(e.parse(), w.parse())
}

// contradicts reports that the look-up names another thing than the write: an
// identity argument of the same name with another value.
func contradicts(look *Action, w *Effect) bool {
	for _, name := range w.Contract.Identity {
		mine, theirs := w.Action.argument(name), look.argument(name)
		if mine != "" && theirs != "" && mine != theirs {
			return true
		}
	}
	return false
}

// Undoes reports that the entry took w's effect back. An undo that names
// another resource than w's reply gave is another's.
func (e *Effect) Undoes(w *Effect) bool {
	if !e.Writes() || e.Outcome != ingest.OK {
		return false
	}
	named := w.Contract != nil && slices.ContainsFunc(w.Contract.Undo, func(name string) bool { return sameTool(name, e.Action.Tool) })
	return (named || effect.Undo(w.parse(), e.parse())) && e.namesResultOf(w)
}

// namesResultOf reports that the arguments hold the id that w's reply gave, or
// that the reply gave none.
func (e *Effect) namesResultOf(w *Effect) bool {
	_, id, ok := strings.Cut(w.Action.givenID(), "=")
	id = id[strings.LastIndexByte(id, '/')+1:] // "…/issues/7" is closed as 7
	if !ok || id == "" {
		return true
	}
	text := string(e.Action.Args) + e.Action.Shell
	return strings.Contains(text, id) || !strings.ContainsAny(text, "0123456789")
}

// EffectsIn returns the entries dispatched after one point and before another.
func (th *Thread) EffectsIn(after, before int) []*Effect { return between(th.Effects, after, before) }
