package replay

import (
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/regress/replay/adapter"
	"github.com/faultline-dev/faultline/regress/script"
)

// values are what the adapter's templates are filled with.
func (p *play) values(prompt string) adapter.Values {
	model, tools := "http://"+p.box.Listeners[0].Addr().String(), "http://"+p.box.Listeners[1].Addr().String()
	v := adapter.Values{
		ModelURL: model, ToolsURL: tools, Workspace: p.scratch.workspace(), Home: p.scratch.home(), Prompt: prompt, Shim: p.shim(),
		Control: p.scratch.control(), ToolSeconds: max(1, int(p.options.ToolTimeout/time.Second)), IdleSeconds: idleSeconds,
		Check: p.subject.Script.Check, Tools: contracts(p.subject.Script, tools),
	}
	for _, t := range p.subject.Script.Tools {
		if t.Via == script.MCP && !slices.ContainsFunc(v.Servers, func(s adapter.Server) bool { return s.Name == t.Server }) {
			v.Servers = append(v.Servers, adapter.Server{Name: t.Server, URL: tools + "/mcp/" + t.Server, Command: append(p.shim(), "mcp", t.Server)})
		}
	}
	return v
}

// contracts are the tools that reach the world, as a harness is told of them.
func contracts(s *script.Script, url string) (out []adapter.Tool) {
	for i := range s.Tools {
		t := &s.Tools[i]
		if t.Via == script.Builtin {
			continue
		}
		c := adapter.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema, Effect: "read", Identity: t.Identity}
		if t.Writes() {
			c.Effect, c.Lookup, c.Key = "external_write", lookup(s, t), t.Key
		}
		if t.Via == script.HTTP {
			c.Method, c.URL = t.Method, url+"/http/"+t.Server+t.Path
			if strings.Contains(c.Key, "-") { // as in Idempotency-Key: no argument is called so
				c.Key = "header:" + c.Key
			}
		} else {
			c.Server = t.Server
		}
		out = append(out, c)
	}
	return out
}

// lookup is the tool that finds what another made.
func lookup(s *script.Script, made *script.Tool) string {
	for _, t := range s.Tools {
		if t.Effect == script.Lookup && t.Resource == made.Resource && t.Server == made.Server {
			return t.Name
		}
	}
	return ""
}
