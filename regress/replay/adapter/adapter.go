package adapter

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrTemplate is wrapped by errors of a template, with which one.
var ErrTemplate = errors.New("malformed template")

// Adapter says how one harness is driven. Every text in it but Name and
// Shortened is a template.
type Adapter struct {
	Name    string
	Command []string          // the words of the first session
	Resume  []string          // the words of a session after a restart; nil: it cannot go on
	Env     []string          // NAME=VALUE
	Files   map[string]string // path below the scratch home → text
	Logs    []string          // files and folders below the scratch home, to be ingested afterwards

	Shortened []string // the settings that shorten a time-out, and from what
	// SlowTools: no setting shortens how long a tool's reply is waited for.
	SlowTools bool
}

// Values are what templates are filled with.
type Values struct {
	Program     string // the harness's program
	ModelURL    string // http://127.0.0.1:PORT, without a path
	ToolsURL    string // the same for tools; /mcp/SERVER and /http/SERVER below it
	Servers     []Server
	Tools       []Tool
	Check       string // the command that the work has to pass, or ""
	Workspace   string // the folder that the harness works in
	Home        string
	Prompt      string
	Shim        []string // the words that reach the world's control socket; then: mcp SERVER, or command NAME -- ARGS
	Control     string   // path of that socket
	ToolSeconds int      // after which a tool's reply is given up
	IdleSeconds int      // after which a silent model is given up
}

// Server is an MCP server of the world.
type Server struct {
	Name    string
	URL     string   // streamable HTTP
	Command []string // stdio
}

// Tool is a tool of the world with its contract, for a harness that is told such
// things by a file.
type Tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Server      string         `json:"server,omitzero"` // MCP, or the command's name
	Schema      jsontext.Value `json:"schema,omitempty"`
	Method      string         `json:"method,omitzero"` // HTTP
	URL         string         `json:"url,omitzero"`    // HTTP; with {argument} for a segment
	Effect      string         `json:"effect"`          // read or external_write
	Identity    []string       `json:"identity,omitempty"`
	Lookup      string         `json:"lookup,omitzero"` // the tool that finds what this one made
	Key         string         `json:"key,omitzero"`    // argument, or header:NAME, of the operation's id
}

// Plan is an adapter with everything filled in.
type Plan struct {
	Command, Resume []string
	Env             []string
	Files           map[string]string
	Logs            []string
}

// Find returns the adapter of a harness.
func Find(name string) (Adapter, bool) {
	i := slices.IndexFunc(All(), func(a Adapter) bool { return a.Name == name })
	if i < 0 {
		return Adapter{}, false
	}
	return All()[i], true
}

// Names lists the harnesses that have an adapter.
func Names() (names []string) {
	for _, a := range All() {
		names = append(names, a.Name)
	}
	return names
}

// Plan fills the adapter in. A template that cannot be filled gives an error
// that wraps ErrTemplate.
func (a Adapter) Plan(v Values) (*Plan, error) {
	f := filler{name: a.Name, values: v}
	p := &Plan{Command: f.all(a.Command), Resume: f.all(a.Resume), Env: f.all(a.Env), Logs: f.all(a.Logs), Files: map[string]string{}}
	for _, path := range slices.Sorted(maps.Keys(a.Files)) {
		p.Files[f.text(path)] = f.text(a.Files[path])
	}
	if f.err != nil {
		return nil, f.err
	}
	return p, nil
}

// filler keeps the first error.
type filler struct {
	name   string
	values Values
	err    error
}

func (f *filler) all(texts []string) (out []string) {
	for _, t := range texts {
		out = append(out, f.text(t))
	}
	return out
}

func (f *filler) text(s string) string {
	if !strings.Contains(s, "{{") {
		return s
	}
	t, err := template.New(f.name).Funcs(functions).Option("missingkey=error").Parse(s)
	var b strings.Builder
	if err == nil {
		err = t.Execute(&b, f.values)
	}
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("%w: %w", ErrTemplate, err)
	}
	return b.String()
}

// functions of the templates. It is read only.
var functions = template.FuncMap{
	"json": func(v any) (string, error) {
		b, err := json.Marshal(v, json.FormatNilSliceAsNull(false), jsontext.EscapeForHTML(false))
		return string(b), err
	},
	"shell": shell,
	"ms":    func(seconds int) int { return seconds * 1000 },
}

// shell quotes words for a POSIX shell.
func shell(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	return strings.Join(out, " ")
}
