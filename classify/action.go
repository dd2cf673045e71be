package classify

import (
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// Action is an execution as the classifier sees it: what was called, with
// which arguments, and which commands it ran. Copied executions are left out.
type Action struct {
	ingest.Execution
	Run      *ingest.Run
	Pos, End int  // positions of its first and last event in the thread
	Sub      bool // a sub-agent's
	Args     jsontext.Value
	Shell    string          // the command text, for shell tools
	Commands []shell.Command // parsed; nil when it does not parse
	Kind     ActionKind

	thread  *Thread
	joined  *Action  // the same dispatch in a later run, which holds the result
	paths   []string // of edit and read tools
	changes []*Change
	effects []*Effect
	checks  bool // it runs a check

	// what was computed once; an action belongs to one goroutine
	members  []argument
	key      string
	readOnly *bool
	resultID *string
	named    map[string]string // arguments, canonical
}

// ActionKind sorts tools by what they do to the workspace.
type ActionKind string

// The kinds of actions. Other tools are judged by the effect ledger.
const (
	RunsShell ActionKind = "shell"
	Edits     ActionKind = "edit"
	Looks     ActionKind = "look"
	Notes     ActionKind = "note" // plans, todo lists, thoughts: no state outside
	Delegates ActionKind = "delegate"
	Other     ActionKind = "other"
)

func (a *Action) position() int { return a.Pos }

// lead is the call, or the result where the source shows no call.
func (a *Action) lead() *ingest.Event {
	if a.Call >= 0 {
		return &a.Run.Events[a.Call]
	}
	return &a.Run.Events[a.Result]
}

// Cite is the action's call; CiteEnd is what ended it, or the call.
func (a *Action) Cite() Cite { return Cite{a.Run, a.lead()} }

// CiteEnd is the event that told the outcome.
func (a *Action) CiteEnd() Cite {
	switch {
	case a.joined != nil:
		return a.joined.CiteEnd()
	case a.Settled >= 0:
		return Cite{a.Run, &a.Run.Events[a.Settled]}
	case a.Result >= 0:
		return Cite{a.Run, &a.Run.Events[a.Result]}
	}
	return a.Cite()
}

// Output is what the tool returned, or what settled it. An envelope with the
// streams of a process is opened.
func (a *Action) Output() string {
	if a.joined != nil {
		return a.joined.Output()
	}
	out := ""
	if a.Result >= 0 {
		out = streams(a.Run.Text(&a.Run.Events[a.Result]))
	}
	if a.Settled >= 0 {
		out += "\n" + a.Run.Text(&a.Run.Events[a.Settled])
	}
	return out
}

// streams joins the text members of a process envelope; anything else is
// returned as it is.
func streams(out string) string {
	if !strings.HasPrefix(out, "{") {
		return out
	}
	var parts []string
	for _, key := range []string{"stdout", "output", "stderr"} {
		if s := member(jsontext.Value(out), key); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return out
	}
	return strings.Join(parts, "\n")
}

// exitMember reads the exit status out of a process envelope.
func exitMember(out string) *int {
	if !strings.HasPrefix(out, "{") {
		return leadingExit(out)
	}
	if m := value(jsontext.Value(out), "metadata"); len(m) > 0 && m[0] == '{' {
		if n := exitMember(string(m)); n != nil {
			return n
		}
	}
	for _, key := range []string{"exit_code", "exitCode", "returncode", "return_code", "exit_status", "exit"} {
		v := value(jsontext.Value(out), key)
		if n, err := strconv.Atoi(string(v)); err == nil {
			return &n
		}
	}
	return nil
}

// statusFrame is the frame in which shell tools tell a status in plain text:
// "[exit code: 1]", "Process exited with code 1", "<returncode>1</returncode>".
var statusFrame = phrase.MustCompile(`(?i)^[\[<(]?(?:(?:the |your )?(?:process|command|program|script) )?(?:(?:has )?(?:exited|completed|finished|failed|terminated) with )?(?:exit |return ?)?(?:code|status|returncode)\s*[:=>]?\s*(-?\d{1,3})\b`)

// exitText reads the frame at either end of an output; what stands in between
// is the command's own.
func exitText(out string) *int {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i, line := range lines {
		if i >= 4 && i < len(lines)-3 {
			continue
		}
		if m := statusFrame.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				return &n
			}
		}
	}
	return nil
}

// Overlaps reports that two actions are unordered: one was called before the
// other's result was there (parallel calls of one message).
func (a *Action) Overlaps(b *Action) bool {
	return a != b && !a.Sub && !b.Sub && a.Run == b.Run && a.Pos < b.End && b.Pos < a.End && a.Result >= 0 && b.Result >= 0
}

// interpret reads tool and arguments.
func (a *Action) interpret() {
	if a.Call >= 0 {
		a.Args = unquoteArgs(a.Run.Args(&a.Run.Events[a.Call]))
		if len(a.Args) == 0 && a.Asked >= 0 {
			a.Args = unquoteArgs(a.Run.Args(&a.Run.Events[a.Asked]))
		}
	}
	if a.Result >= 0 && a.Run.Events[a.Result].Args.Len > 0 { // what it ran with, where the source tells
		a.Args = unquoteArgs(a.Run.Args(&a.Run.Events[a.Result]))
	}
	a.Kind = toolKind(a.Tool, a.Args)
	if a.Exit == nil && a.Result >= 0 && a.Kind == RunsShell {
		out := a.Run.Text(&a.Run.Events[a.Result])
		if a.Exit = exitMember(out); a.Exit == nil {
			a.Exit = exitText(out)
		}
		if a.Exit != nil && *a.Exit != 0 && a.Outcome == ingest.OK {
			a.Outcome = ingest.Fail
		}
	}
	switch a.Kind {
	case RunsShell:
		a.Shell = commandText(a.Tool, a.Args)
		if cmds, err := shell.Parse(a.Shell); err == nil {
			a.Commands = cmds
		}
	case Edits, Looks:
		a.paths = pathsOf(a.Args)
		for i, p := range a.paths {
			a.paths[i] = relative(a.Run.Meta.Cwd, p)
		}
	}
}

// unquoteArgs turns arguments that a format writes as a JSON string into the
// JSON they hold.
func unquoteArgs(v jsontext.Value) jsontext.Value {
	if len(v) > 1 && v[0] == '"' {
		if s, err := jsontext.AppendUnquote(nil, v); err == nil {
			return s
		}
	}
	return v
}

// Changes are the action's own changes of the workspace.
func (a *Action) Changes() []*Change { return a.changes }

// Effects are the action's own entries of the ledger.
func (a *Action) Effects() []*Effect { return a.effects }

// Checks reports that the action runs a check.
func (a *Action) Checks() bool { return a.checks }

// givenID is the id of the resource that the action's reply gave.
func (a *Action) givenID() string {
	if a.resultID == nil {
		id := effect.ResultID(a.Output())
		a.resultID = &id
	}
	return *a.resultID
}

// argument is a top-level member of the arguments.
type argument struct {
	name  string
	value jsontext.Value
}

// value is an argument as it stands, or nil.
func (a *Action) value(name string) jsontext.Value {
	if a.members == nil {
		a.members = []argument{}
		eachMember(a.Args, func(name string, v jsontext.Value) bool {
			a.members = append(a.members, argument{name, v})
			return true
		})
	}
	for _, m := range a.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text is the text of an argument that is a string, or "".
func (a *Action) text(name string) string { return text(a.value(name)) }

// argument is the canonical JSON of an argument, or "".
func (a *Action) argument(name string) string {
	v, ok := a.named[name]
	if !ok {
		raw := a.value(name).Clone()
		if len(raw) > 0 && raw.Canonicalize() == nil {
			v = string(raw)
		}
		if a.named == nil {
			a.named = map[string]string{}
		}
		a.named[name] = v
	}
	return v
}

// ReadOnly reports that the action changes nothing by its own nature.
func (a *Action) ReadOnly() bool {
	if a.readOnly == nil {
		only := a.onlyReads()
		a.readOnly = &only
	}
	return *a.readOnly
}

func (a *Action) onlyReads() bool {
	switch a.Kind {
	case Looks, Notes:
		return true
	case RunsShell:
		if len(a.Commands) == 0 {
			return false
		}
		for _, c := range a.Commands {
			if !c.ReadOnly() {
				return false
			}
		}
		return true
	}
	return false
}

// relative shortens a path to the working directory and cleans it.
func relative(cwd, p string) string {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	if cwd != "" {
		cwd = path.Clean(strings.ReplaceAll(cwd, `\`, "/"))
		if p == cwd {
			return "."
		}
		if rest, ok := strings.CutPrefix(p, cwd+"/"); ok {
			return rest
		}
	}
	return p
}

// Paths are the files that an edit or read tool names.
func (a *Action) Paths() []string { return a.paths }
