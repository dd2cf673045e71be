package effect

import "strings"

// graph is what a GraphQL document does.
type graph struct {
	mutation bool
	field    string // the first field of the operation
}

// graphQL finds a GraphQL document in a request body or tool arguments.
func graphQL(body value) (graph, bool) {
	m, ok := body.(map[string]value)
	if !ok {
		return graph{}, false
	}
	for _, k := range []string{"query", "mutation", "document", "graphql"} {
		if s, ok := m[k].(string); ok {
			if g, ok := parseGraph(s); ok {
				return g, true
			}
		}
	}
	return graph{}, false
}

// parseGraph accepts "query …{", "mutation …{" and "{ field". Fragments before
// the operation are skipped over by looking for the first mutation at the
// start of a line.
func parseGraph(s string) (graph, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 64<<10 {
		s = s[:64<<10]
	}
	open := strings.IndexByte(s, '{')
	if open < 0 {
		return graph{}, false
	}
	word := strings.FieldsFunc(s[:open]+" ", func(r rune) bool { return r == ' ' || r == '(' || r == '\n' || r == '\t' })
	g := graph{field: firstField(s[open+1:])}
	switch {
	case len(word) == 0:
		return g, g.field != "" && !strings.HasPrefix(strings.TrimSpace(s[1:]), `"`)
	case word[0] == "mutation":
		g.mutation = true
		return g, true
	case word[0] == "query" || word[0] == "subscription":
		return g, true
	case word[0] == "fragment":
		if i := strings.Index(s, "\nmutation"); i >= 0 {
			return parseGraph(s[i+1:])
		}
		return g, true
	}
	return graph{}, false
}

func firstField(s string) string {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(r rune) bool { return r > 127 || !isWord(byte(r)) })
	if end < 0 {
		end = len(s)
	}
	return s[:end]
}

// onto refines an effect with what the document does.
func (g graph) onto(e Effect) Effect {
	p := parseName(g.field)
	if !g.mutation {
		if p.resource != "" {
			e.Resource = p.resource
		}
		return e.asRead("GraphQL query")
	}
	e.Class, e.Verb, e.Why = ExternalWrite, Create, "GraphQL mutation "+g.field
	if p.at >= 0 && p.m.write {
		e = p.apply(e)
		e.Why = "GraphQL mutation " + g.field
	}
	return e
}
