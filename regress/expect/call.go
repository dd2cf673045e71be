package expect

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/config"
)

// matches reports that an act is of the pattern; no pattern matches any.
func (c *Call) matches(a *Act) bool {
	if c == nil {
		return true
	}
	if c.Tool != "" && !config.Wild(c.Tool, a.Tool) && !config.Wild(c.Tool, ownName(a.Tool)) {
		return false
	}
	if c.Command != "" && !config.Wild(c.Command, a.Command) {
		return false
	}
	for name, want := range c.Args {
		if got, ok := a.Args[name]; !ok || text(got) != text(want) {
			return false
		}
	}
	return true
}

// String is the pattern in words.
func (c *Call) String() string {
	switch {
	case c == nil:
		return "any call"
	case c.Tool != "":
		return strconv.Quote(c.Tool)
	default:
		return strconv.Quote(c.Command)
	}
}

// ownName is a tool's name without what a harness or server puts before it.
func ownName(tool string) string {
	for _, sep := range []string{"__", "/", "."} {
		if i := strings.LastIndex(tool, sep); i >= 0 {
			tool = tool[i+len(sep):]
		}
	}
	return tool
}

// group names the calls that intend one thing: equal arguments of these names.
// ok is false where the act lacks one, so that nothing can be said of it.
func group(names []string, a *Act) (key string, ok bool) {
	if len(names) == 1 && names[0] == "*" {
		return ownName(a.Tool) + "\n" + a.Command + "\n" + text(a.Args), true
	}
	var b strings.Builder
	for _, name := range names {
		v, found := a.Args[name]
		if !found {
			return "", false
		}
		b.WriteString(strconv.Quote(text(v)))
	}
	return b.String(), true
}

// text is a value as canonical JSON, a string as it is: arguments come from
// JSON or from words of a command line, where 17 is "17".
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return ""
	}
	if c := jsontext.Value(data); c.Canonicalize() == nil {
		return string(c)
	}
	return string(data)
}
