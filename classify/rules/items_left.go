package rules

import (
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/todo"
	"github.com/faultline-dev/faultline/ingest"
)

// leftItems are the items of the agent's own list on which work is left when an
// episode ends, and the last change of the list in it.
type leftItems struct {
	items []classify.TodoChange
	last  *classify.TodoChange
}

// itemsLeft are the items that an episode leaves open for good: on a list that
// it worked with, not closed later in the thread, not dropped by the user, and
// more than telling what was done.
func itemsLeft(v *classify.View, e *classify.Episode) leftItems {
	return classify.Once(&v.Own, "items left", func() map[int]leftItems { return findLeft(v) })[e.Index]
}

func findLeft(v *classify.View) map[int]leftItems {
	out := map[int]leftItems{}
	changes := v.TodoChanges()
	if len(changes) == 0 {
		return out
	}
	end, walk := v.Todos(), v.Todos()
	end.To(changes[len(changes)-1].Pos + 1)
	k := 0
	for _, e := range v.Episodes {
		var last *classify.TodoChange
		until := e.Last
		if e.Accepted {
			until = e.AtPos // a second log of the trial may follow
		}
		for ; k < len(changes) && changes[k].Pos <= until; k++ {
			if c := &changes[k]; c.Pos >= e.Begin && c.List == "" {
				last = c
			}
		}
		if last == nil {
			continue
		}
		walk.To(until + 1)
		left := leftItems{last: last}
		for _, c := range walk.Left() {
			if c.List == "" && (c.Pos >= e.Begin || rewrites(last.Action)) && !closedBy(end, c) && !dropped(v, c) && !tells.MatchString(c.Text) {
				left.items = append(left.items, c)
			}
		}
		out[e.Index] = left
	}
	return out
}

// rewrites reports that a call states the whole list.
func rewrites(a *classify.Action) bool {
	return !strings.Contains(strings.ToLower(a.Tool), "create") && !strings.EqualFold(strings.ReplaceAll(a.Tool, "_", ""), "taskupdate")
}

func closedBy(end *classify.Todos, c classify.TodoChange) bool {
	now, ok := end.Item(c.List, c.Key())
	return ok && now.State == todo.Done
}

// tells matches items that are done by the closing text itself.
var tells = phrase.MustCompile(`(?i)\b(?:summar\w+|report|explain|present|answer|respond|reply|tell|inform|conclu\w+|wrap up|final|deliver|zusammenfass\w*|resumir|résumer|expliquer)\b|总结|汇报|まとめ`)

// drops matches words by which a user takes something back; a language is added
// by adding rows.
var drops = phrase.MustCompile(`(?i)\b(?:leave (?:out|\w+(?: \w+){0,4} out)|skip|drop|forget|omit|without|not needed|no need|don'?t need|do not need|no longer|cancel|remove|instead|lass|weglassen|brauchen (?:wir )?nicht|nicht nötig|überspring\w*|omite|omitir|no hace falta|sin|laisse|pas besoin|sans)\b|不需要|不用|跳过|いらない`)

// dropped reports that the user took an item back after it was put on the list:
// a message that says so and names a word of it.
func dropped(v *classify.View, c classify.TodoChange) bool {
	words := wordsOf(c.Text)
	for _, d := range dropTexts(v) {
		if d.pos <= c.Pos {
			continue
		}
		for w := range words {
			if d.words[w] {
				return true
			}
		}
	}
	return false
}

type saidWords struct {
	pos   int
	words map[string]bool
}

// mostDrops bounds how many messages that take something back are looked at.
const mostDrops = 200

// dropTexts are the user's messages that take something back.
func dropTexts(v *classify.View) []saidWords {
	return classify.Once(&v.Facts, "user drops", func() (out []saidWords) {
		for _, r := range v.Runs {
			for i := range r.Events {
				e := &r.Events[i]
				if e.Kind != ingest.Message || e.Actor != ingest.User || e.Copied || len(out) == mostDrops {
					continue
				}
				if t := r.Text(e); len(t) < 1<<14 && drops.MatchString(t) {
					out = append(out, saidWords{v.PosOf(r, i), wordsOf(t)})
				}
			}
		}
		return out
	})
}

// wordsOf are the words of a text that carry a meaning, cut to their stems.
func wordsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range wordSplit.Split(strings.ToLower(text), -1) {
		if len(w) < 4 {
			continue
		}
		w = strings.TrimSuffix(w, "s")
		out[w[:min(len(w), 7)]] = true
	}
	return out
}

var wordSplit = phrase.MustCompile(`[^\p{L}\p{N}]+`)
