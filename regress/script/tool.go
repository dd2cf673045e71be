package script

import (
	"fmt"
	"slices"
	"strings"
)

// Find returns the tool of a name: its own, or SERVER/NAME where two servers
// have one of that name.
func (s *Script) Find(name string) (*Tool, error) {
	var found *Tool
	for i := range s.Tools {
		t := &s.Tools[i]
		if t.Name != name && t.Server+"/"+t.Name != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%.60q is a tool of %q and of %q: write SERVER/NAME", name, found.Server, t.Server)
		}
		found = t
	}
	if found == nil {
		return nil, fmt.Errorf("no tool is called %.60q", name)
	}
	return found, nil
}

// Writes reports that the tool changes resources.
func (t *Tool) Writes() bool { return t.Effect == Create || t.Effect == Update || t.Effect == Cancel }

func (c *checker) tools() {
	seen := map[string]bool{}
	for i := range c.s.Tools {
		t := &c.s.Tools[i]
		id := t.Server + "/" + t.Name
		switch {
		case !nameForm.MatchString(t.Name):
			c.fail(fmt.Sprintf("%.60q is no name", t.Name), "tools", i, "name")
		case seen[id]:
			c.fail(fmt.Sprintf("%q stands here twice", t.Name), "tools", i, "name")
		case t.Server != "" && !nameForm.MatchString(t.Server):
			c.fail(fmt.Sprintf("%.60q is no name", t.Server), "tools", i, "server")
		case len(t.Schema) > 0 && !isObject(t.Schema):
			c.fail("is no object", "tools", i, "schema")
		case len(t.Reply) > 0 && !t.Reply.IsValid():
			c.fail("is no JSON", "tools", i, "reply")
		case t.Task && t.Via != MCP:
			c.fail("only a tool via mcp is answered as a task", "tools", i, "task")
		case slices.Contains(t.Identity, ""):
			c.fail("an argument has a name", "tools", i, "identity")
		}
		seen[id] = true
		c.need(t.Need, "tools", i, "need")
		c.reached(t, i)
		c.effect(t, i)
	}
}

// reached checks what each way of reaching a tool needs.
func (c *checker) reached(t *Tool, i int) {
	switch t.Via {
	case MCP, Command:
		if t.Server == "" {
			c.fail("is missing: the MCP server, or the command's name", "tools", i, "server")
		}
	case HTTP:
		if !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, t.Method) {
			c.fail(fmt.Sprintf("%.60q is not known (known: GET, POST, PUT, PATCH, DELETE)", t.Method), "tools", i, "method")
		}
		if t.Server == "" {
			c.fail("is missing: the base path", "tools", i, "server")
		}
		if !strings.HasPrefix(t.Path, "/") {
			c.fail(fmt.Sprintf("%.60q does not begin with /", t.Path), "tools", i, "path")
		}
	case Builtin:
		if t.Effect != "" || len(t.Reply) > 0 || t.Key != "" {
			c.fail("a tool of the harness itself has no effect, key or reply here", "tools", i, "via")
		}
	default:
		c.fail(fmt.Sprintf("%.60q is not known (known: mcp, http, command, builtin)", string(t.Via)), "tools", i, "via")
	}
	if t.Via != HTTP && (t.Method != "" || t.Path != "") {
		c.fail("method and path are for a tool via http", "tools", i, "via")
	}
	if t.Via != Command && len(t.Words) > 0 {
		c.fail("words are for a tool via command", "tools", i, "words")
	}
}

func (c *checker) effect(t *Tool, i int) {
	switch {
	case !slices.Contains([]Effect{"", Create, Lookup, Update, Cancel}, t.Effect):
		c.fail(fmt.Sprintf("%.60q is not known (known: create, lookup, update, cancel)", string(t.Effect)), "tools", i, "effect")
	case t.Effect != "" && !nameForm.MatchString(t.Resource):
		c.fail("an effect is on a resource, a singular noun", "tools", i, "resource")
	case t.Effect == "" && t.Resource != "":
		c.fail("a resource needs an effect", "tools", i, "resource")
	case t.Effect != "" && len(t.Reply) > 0:
		c.fail("a tool with an effect is answered by its resources", "tools", i, "reply")
	case t.Key != "" && !t.Writes():
		c.fail("only an effect is told apart by a key", "tools", i, "key")
	}
}
