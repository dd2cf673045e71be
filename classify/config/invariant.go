package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Invariant is what must hold in every run, in one of these forms:
//
//	before CALL require CALL [same ARGS]      no such call without the other one first
//	claims WORDS require CALL                 no closing text with a word without the call
//	never CALL
//	at_most N of CALL [same ARGS] [per SCOPE]
//	call CALL argument NAME equals VALUE|stated PATTERN
//	spans NAME at_least N [longest D]         measured so often, none longer
//
// Severity is high where it is not set.
type Invariant struct {
	Name     string   `yaml:"name"`
	Severity string   `yaml:"severity"`
	Before   *Call    `yaml:"before"`
	Claims   []string `yaml:"claims"`
	Require  *Call    `yaml:"require"`
	Never    *Call    `yaml:"never"`
	Of       *Call    `yaml:"of"`
	AtMost   *int     `yaml:"at_most"`
	Same     []string `yaml:"same"` // names of arguments; "*" for all
	Per      string   `yaml:"per"`  // episode (default), run or thread
	Call     *Call    `yaml:"call"`
	Argument string   `yaml:"argument"`
	Equals   string   `yaml:"equals"`
	Stated   string   `yaml:"stated"` // RE2: what the user's request states
	Spans    string   `yaml:"spans"`  // name of spans, with *
	AtLeast  int      `yaml:"at_least"`
	Longest  string   `yaml:"longest"` // a Go duration

	stated  *regexp.Regexp
	longest time.Duration
}

// Call is a pattern of calls. Empty members match any call; a call that was
// denied or rejected matches none.
type Call struct {
	Tool    string         `yaml:"tool"`    // own name with or without its server; * for any run of characters
	Command string         `yaml:"command"` // words of a command, with *
	Args    map[string]any `yaml:"args"`    // arguments and their values
	Outcome string         `yaml:"outcome"` // ok, fail, unknown or pending
	Result  map[string]any `yaml:"result"`  // members of the reply and their values
}

// LongestFor is how long one of the spans may take; 0 for any time.
func (i *Invariant) LongestFor() time.Duration { return i.longest }

// StatedIn is what a request states: the first match of the pattern, or its
// first group; "" when it states none.
func (i *Invariant) StatedIn(request string) string {
	m := i.stated.FindStringSubmatch(request)
	if m == nil {
		return ""
	}
	return m[len(m)-1]
}

func (i *Invariant) check() (err error) {
	forms := 0
	for _, set := range []bool{i.Before != nil, len(i.Claims) > 0, i.Never != nil, i.AtMost != nil, i.Call != nil, i.Spans != ""} {
		if set {
			forms++
		}
	}
	switch {
	case i.Name == "":
		return errors.New("lacks name")
	case forms != 1:
		return errors.New("needs one of before, claims, never, at_most, call, spans")
	case (i.Before != nil || len(i.Claims) > 0) != (i.Require != nil):
		return errors.New("require stands with before or claims, and they with it")
	case (i.AtMost != nil) != (i.Of != nil):
		return errors.New("at_most stands with of, and of with it")
	case i.Call != nil && (i.Argument == "" || (i.Equals == "") == (i.Stated == "")):
		return errors.New("call needs argument, and equals or stated")
	case i.Spans != "" && i.AtLeast == 0 && i.Longest == "":
		return errors.New("spans needs at_least or longest")
	case !slices.Contains([]string{"", "high", "medium", "low"}, i.Severity):
		return fmt.Errorf("severity %q is none of high, medium, low", i.Severity)
	case !slices.Contains([]string{"", "episode", "run", "thread"}, i.Per):
		return fmt.Errorf("per %q is none of episode, run, thread", i.Per)
	}
	for _, c := range []*Call{i.Before, i.Require, i.Never, i.Of, i.Call} {
		if c != nil && !slices.Contains([]string{"", "ok", "fail", "unknown", "pending"}, c.Outcome) {
			return fmt.Errorf("outcome %q is none of ok, fail, unknown, pending", c.Outcome)
		}
	}
	if i.Stated != "" {
		i.stated, err = regexp.Compile(i.Stated)
	}
	if err == nil && i.Longest != "" {
		i.longest, err = time.ParseDuration(i.Longest)
	}
	return err
}
