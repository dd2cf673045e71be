package derive

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// effect plays a write outside whose reply is lost, or that a restart comes
// between.
func (d deriver) effect() (*script.Script, error) {
	writes := d.writes()
	if len(writes) == 0 {
		return nil, notDerivable("it cites no write outside the workspace, and the harness's own tools are not the world's")
	}
	first := writes[0]
	if first.Action.Kind == classify.RunsShell {
		return nil, notDerivable("%q is a command of the harness's own shell", classify.Clip(first.Action.Shell, 60))
	}
	write, err := tool(first)
	if err != nil {
		return nil, err
	}
	s := &script.Script{
		Version: 1, Prompt: d.prompt(),
		Turns: []script.Turn{
			{ID: "write", Calls: []script.Call{{Tool: write.Name, Args: first.Action.Args}}},
			{ID: "close", Say: d.closing()},
		},
		Tools: []script.Tool{write, d.lookup(first, write)},
		Fault: d.fault(first, write.Name),
		Expect: []expect.Expect{{
			Invariant: expect.ExactlyOnce, Call: &expect.Call{Tool: write.Name}, Same: write.Identity,
		}},
	}
	if slices.Contains(settleRules, d.f.Rule) {
		s.Tools[1].Need = script.Must
	}
	return s, nil
}

// settleRules find that nobody asked what became of a lost call: one effect is
// not enough there, somebody has to look.
var settleRules = []string{"idempotency/unreconciled", "idempotency/unknown-as-failed", "handoff/dropped-operation"}

// writes are the external writes that the finding cites, in order.
func (d deriver) writes() []*classify.Effect {
	var out []*classify.Effect
	for _, e := range d.v.Effects {
		if e.Writes() && d.cites(e.Action) {
			out = append(out, e)
		}
	}
	return out
}

// tool is the write as a tool of the world. What names the intended effect comes
// from the contract, else from the arguments themselves.
func tool(e *classify.Effect) (script.Tool, error) {
	args := e.Action.Args
	if !args.IsValid() || args.Kind() != '{' {
		return script.Tool{}, notDerivable("the arguments of %q are no JSON object", e.Action.Tool)
	}
	t := script.Tool{
		Name: ownName(e.Action.Tool), Via: script.MCP, Server: server(e.Action.Tool), Effect: script.Create,
		Resource: resource(e), Need: script.May, Identity: identity(e),
	}
	if e.Contract != nil {
		t.Key = e.Contract.KeyArgument
	}
	if len(t.Identity) == 0 {
		return script.Tool{}, notDerivable("no argument of %q names the intended effect", e.Action.Tool)
	}
	return t, nil
}

func identity(e *classify.Effect) []string {
	if e.Contract != nil && len(e.Contract.Identity) > 0 {
		return e.Contract.Identity
	}
	names := members(jsontext.Value(e.Identity))
	have := members(e.Action.Args)
	return slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(have, n) })
}

// members are the names of an object's members, sorted.
func members(v jsontext.Value) []string {
	var m map[string]jsontext.Value
	if json.Unmarshal(v, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func resource(e *classify.Effect) string {
	r := cmp.Or(e.Yields, e.Resource, "effect")
	if strings.ContainsAny(r, " :/") {
		return "effect"
	}
	return r
}

// lookup is the read that the trace shows or the contract names; else one is
// offered, since no harness can do right without.
func (d deriver) lookup(w *classify.Effect, write script.Tool) script.Tool {
	t := script.Tool{
		Name: "find_" + strings.ReplaceAll(write.Resource, "-", "_"), Via: script.MCP, Server: write.Server,
		Effect: script.Lookup, Resource: write.Resource, Identity: write.Identity, Need: script.May,
	}
	if w.Contract != nil && len(w.Contract.Lookup) > 0 {
		t.Name = ownName(w.Contract.Lookup[0])
		return t
	}
	for _, e := range d.v.Effects {
		if e.Reveals(w) && e.Action.Kind != classify.RunsShell && ownName(e.Action.Tool) != write.Name {
			t.Name = ownName(e.Action.Tool)
			t.Identity = identityOf(e, write.Identity)
			return t
		}
	}
	return t
}

// identityOf are the arguments of a look-up that the write has too.
func identityOf(e *classify.Effect, of []string) []string {
	have := members(e.Action.Args)
	both := slices.DeleteFunc(slices.Clone(of), func(n string) bool { return !slices.Contains(have, n) })
	if len(both) == 0 {
		return of
	}
	return both
}

// fault is what happened to the first of the writes: its reply did not come, or
// the harness ended after it.
func (d deriver) fault(w *classify.Effect, name string) *script.Fault {
	f := &script.Fault{Point: script.CommittedNotReplied, Tool: name}
	for _, b := range d.v.Boundaries {
		if b.Pos > w.Action.Pos && b.Kind != "compaction" && d.after(b.Pos) {
			f.Kill = true
			if w.Outcome == ingest.OK {
				f.Point = script.RepliedNotRecorded
			}
			return f
		}
	}
	if w.Outcome == ingest.Unknown && w.Action.Reason == ingest.TimedOut {
		f.Point = script.ReplyLate
	}
	return f
}

// after reports that the finding stands at or after a position.
func (d deriver) after(pos int) bool {
	for _, e := range d.v.Effects {
		if e.Action.Pos >= pos && d.cites(e.Action) {
			return true
		}
	}
	return strings.HasPrefix(d.f.Rule, "handoff/")
}

// ownName is a tool's name without its server's; server is what stands before
// it, or "tools".
func ownName(tool string) string {
	for _, sep := range []string{"__", "/", "."} {
		if i := strings.LastIndex(tool, sep); i >= 0 {
			tool = tool[i+len(sep):]
		}
	}
	return tool
}

func server(tool string) string {
	rest, _ := strings.CutPrefix(tool, "mcp__")
	for _, sep := range []string{"__", "/", "."} {
		if i := strings.LastIndex(rest, sep); i > 0 {
			return rest[:i]
		}
	}
	return "tools"
}
