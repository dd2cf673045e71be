package rules

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// What decides whether two successes were two intentions lies in the request,
// in the state that the effect works on and in what a look-up between told.

// repeatWords ask for one thing more than once, whatever the thing.
var repeatWords = phrase.MustCompile(`(?i)\b(twice|thrice|(two|three|four|five|several|\d+) times|identical|separately|copies|one each|once more|one more|another one)\b`)

// counted is a number with the words that it may count.
var counted = phrase.MustCompile(`(?i)\b(two|three|four|five|six|seven|eight|nine|ten|[2-9]|[1-9]\d|several|multiple|a few|a couple of)((?: (?:[\w-]+)){1,3})`)

var numerals = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10"}

// severalAsked reports that the request asks for more than one of what the
// effect makes. A number that the arguments hold is a quantity, not a count of
// calls.
func severalAsked(v *classify.View, x *classify.Effect) bool {
	e := v.EpisodeAt(x.Action.Pos)
	if e == nil {
		return false
	}
	asked := classify.Once(&v.Own, "asked "+strconv.Itoa(e.Index), func() askedFor { return readAsked(e.Prompt) })
	if asked.repeat {
		return true
	}
	for _, m := range asked.counted {
		if counts(m.words, x) && !holdsNumber(string(x.Action.Args)+x.Action.Shell, m.number) {
			return true
		}
	}
	return false
}

// askedFor is what a request says of numbers: that it asks for one thing
// again, or how many of which.
type askedFor struct {
	repeat  bool
	counted []count
}

type count struct{ number, words string }

func readAsked(prompt string) askedFor {
	prompt = classify.Clip(prompt, 4000)
	out := askedFor{repeat: repeatWords.MatchString(prompt)}
	for _, m := range counted.FindAllStringSubmatch(prompt, 32) {
		n := strings.ToLower(m[1])
		if digit := numerals[n]; digit != "" {
			n = digit
		}
		out.counted = append(out.counted, count{n, m[2]})
	}
	return out
}

// counts reports that one of the words is the plural of what the effect makes,
// or "of it".
func counts(words string, x *classify.Effect) bool {
	nouns := strings.FieldsFunc(x.Resource+"-"+x.Yields, func(r rune) bool { return r == '-' || r == '/' })
	for i, w := range strings.Fields(strings.ToLower(words)) {
		if i == 0 && w == "of" {
			return true
		}
		for _, noun := range nouns {
			if len(noun) > 2 && w != noun && strings.HasPrefix(w, strings.TrimSuffix(noun, "y")) && strings.HasSuffix(w, "s") {
				return true
			}
		}
	}
	return false
}

func holdsNumber(args, n string) bool {
	for i := strings.Index(args, n); i >= 0; {
		end := i + len(n)
		if (i == 0 || !alnum(args[i-1])) && (end == len(args) || !alnum(args[end])) {
			return true
		}
		next := strings.Index(args[end:], n)
		if next < 0 {
			return false
		}
		i = end + next
	}
	return false
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_'
}

// startsAnew reports that the workspace changed between two starts of one
// thing: a workflow, job or deployment runs on what is there, so it is another.
func startsAnew(v *classify.View, a, b *classify.Effect) bool {
	if a.Contract != nil || a.Verb != effect.Start && a.Verb != effect.Deploy {
		return false
	}
	return classify.Once(&v.Facts, "work changed", func() classify.Positions {
		var out classify.Positions
		for _, c := range v.Changes {
			if c.Candidate() && !c.Cosmetic {
				out = append(out, c.Action.Pos)
			}
		}
		return out
	}).Any(a.Action.Pos, b.Action.Pos)
}

// fellWords are states of a thing that does not stand any more, or never did.
var fellWords = phrase.MustCompile(`(?i)(?:\b|_)(fail(ed|ure|ing)?|cancell?ed|expired|rejected|declined|voided|not[ _]found|no such|does not exist|deleted|errored|timed[ _]?out|released)\b`)

// fellThrough reports that a look-up says of the effect that it came to
// nothing.
func fellThrough(a, look *classify.Effect) bool {
	out := look.Action.Output()
	if _, id, ok := strings.Cut(effect.ResultID(a.Action.Output()), "="); ok && id != "" {
		if i := strings.Index(out, id); i >= 0 {
			out = out[max(0, i-100):min(len(out), i+len(id)+200)]
		}
	}
	return fellWords.MatchString(classify.Clip(out, 2000))
}

// listed counts the things in a look-up's answer that fit the identity of a
// write, the one that the retry gave among them.
func listed(answer, identity string, again *classify.Effect) int {
	_, id, _ := strings.Cut(effect.ResultID(again.Action.Output()), "=")
	var want map[string]jsontext.Value
	if id == "" || !strings.Contains(answer, id) || json.Unmarshal([]byte(identity), &want) != nil {
		return 0
	}
	n := 0
	for _, item := range itemsOf(jsontext.Value(answer)) {
		if fits(item, want) {
			n++
		}
	}
	return n
}

// itemsOf finds the objects of a list, or of the list in an envelope.
func itemsOf(v jsontext.Value) []map[string]jsontext.Value {
	var list []map[string]jsontext.Value
	if json.Unmarshal(v, &list) == nil {
		return list
	}
	var envelope map[string]jsontext.Value
	if json.Unmarshal(v, &envelope) == nil {
		for _, key := range slices.Sorted(maps.Keys(envelope)) {
			if len(envelope) <= 3 && json.Unmarshal(envelope[key], &list) == nil && len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// fits: one member at least is equal, and none differs.
func fits(item, want map[string]jsontext.Value) bool {
	equal := false
	for name, w := range want {
		if have, ok := item[name]; ok {
			if ingest.TextOf(have) != ingest.TextOf(w) {
				return false
			}
			equal = true
		}
	}
	return equal
}
