package rules

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// speakers tells which agent of a run acts in an event.
type speakers struct {
	spans   map[string]string // names of agents by the span that holds their events
	parents map[string]string
	names   map[string]string // names of sub-agents by the id that the source gives them
}

// mostNested bounds how many spans are gone up to find an agent's.
const mostNested = 16

// of is the name of the agent that an event belongs to, "" for the only one.
func (s *speakers) of(e *ingest.Event) string {
	if e.Agent != "" {
		if name, ok := s.names[e.Agent]; ok {
			return name
		}
		return e.Agent
	}
	id := e.Parent
	for range mostNested {
		if name, ok := s.spans[id]; ok || id == "" || len(s.spans) == 0 {
			return name
		}
		id = s.parents[id]
	}
	return ""
}

func speakersOf(v *classify.View) *speakers {
	return classify.Once(&v.Own, "speakers", func() *speakers {
		s := &speakers{spans: map[string]string{}, parents: map[string]string{}, names: map[string]string{}}
		for i := range v.Run.Events {
			e := &v.Run.Events[i]
			if e.Kind == ingest.Claim && e.Actor == ingest.Harness && e.ID != "" && e.Name != "" && e.Parent != "" {
				s.spans[e.ID] = e.Name
			}
		}
		for i := range v.Run.Events {
			if e := &v.Run.Events[i]; len(s.spans) > 0 && e.ID != "" && e.Parent != "" {
				s.parents[e.ID] = e.Parent
			}
		}
		for _, a := range v.Actions {
			if name := delegateName(a); name != "" && a.Run == v.Run && a.Result >= 0 {
				if id := a.CiteEnd().Event.Agent; id != "" {
					s.names[id] = name
				}
			}
		}
		return s
	})
}

// delegateName is the name under which a call starts another agent, "" for a
// call that starts none.
func delegateName(a *classify.Action) string {
	if a.Kind != classify.Delegates {
		return ""
	}
	args := stringsOf(a.Args)
	for _, key := range []string{"subagent_type", "agent_type", "agent_name", "agent", "role", "name", "assistant_name", "recipient", "description"} {
		if s := args[key]; s != "" {
			return s
		}
	}
	return a.Tool
}

// stringsOf are the string members of a call's arguments.
func stringsOf(args jsontext.Value) map[string]string {
	var members map[string]jsontext.Value
	if json.Unmarshal(args, &members, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	out := map[string]string{}
	for key, v := range members {
		if v.Kind() == '"' {
			if s, err := jsontext.AppendUnquote(nil, v); err == nil {
				out[key] = string(s)
			}
		}
	}
	return out
}

// requesters are programs that send a request or open a page.
var requesters = wordSet("curl wget http https xh httpie nc ncat telnet grpcurl websocat lynx w3m links openssl hurl ab hey wrk k6 chromium chrome google-chrome firefox open xdg-open")

// sendsRequest reports that a command asks a service, even if it only reads.
func sendsRequest(c shell.Command) bool {
	return len(c.Argv) > 0 && requesters[shell.Program(c.Argv[0])]
}
