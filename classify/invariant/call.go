package invariant

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
)

// matches reports that an action is a call of the pattern.
func matches(c *config.Call, a *classify.Action) bool {
	if !a.Ran() || c.Outcome != "" && c.Outcome != string(a.Outcome) {
		return false
	}
	if c.Tool != "" && !config.Wild(c.Tool, a.Tool) && !config.Wild(c.Tool, ownName(a.Tool)) {
		return false
	}
	return (c.Command == "" || runs(c.Command, a)) && holds(c.Args, a.Args) && (len(c.Result) == 0 || holds(c.Result, jsontext.Value(a.Output())))
}

// ownName is a tool's name without what a harness or server puts before it.
func ownName(tool string) string {
	for _, sep := range []string{"__", "."} {
		if i := strings.LastIndex(tool, sep); i >= 0 {
			tool = tool[i+len(sep):]
		}
	}
	return tool
}

func runs(pattern string, a *classify.Action) bool {
	for _, cmd := range a.Commands {
		if config.Wild(pattern, strings.Join(cmd.Argv, " ")) {
			return true
		}
	}
	return false
}

// holds reports that a JSON object has all members with their values.
func holds(want map[string]any, v jsontext.Value) bool {
	if len(want) == 0 {
		return true
	}
	have := object(v)
	for name, value := range want {
		if got, ok := have[name]; !ok || text(got) != fmt.Sprint(value) {
			return false
		}
	}
	return true
}

func object(v jsontext.Value) map[string]jsontext.Value {
	var m map[string]jsontext.Value
	if json.Unmarshal(v, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	return m
}

// text is a scalar as YAML would write it, and other values as canonical JSON.
func text(v jsontext.Value) string {
	if v.Kind() == '"' {
		s, _ := jsontext.AppendUnquote(nil, v)
		return string(s)
	}
	c := v.Clone()
	if c.Canonicalize() != nil {
		return string(v)
	}
	return string(c)
}

// values are the arguments that two calls must have in common, as one string;
// ok is false when the call lacks one. "*" stands for the tool and all its
// arguments. What the arguments do not name the reply may.
func values(names []string, a *classify.Action) (key string, ok bool) {
	if slices.Contains(names, "*") {
		return a.Key(), true
	}
	if len(names) == 0 {
		return "", true
	}
	args, reply := object(a.Args), object(jsontext.Value(a.Output()))
	var b strings.Builder
	for _, name := range names {
		v, found := args[name]
		if !found {
			v, found = reply[name]
		}
		if !found {
			return "", false
		}
		fmt.Fprintf(&b, "%d:%s", len(v), text(v))
	}
	return b.String(), true
}
