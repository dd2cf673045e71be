package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/ingest"
)

// saidAlike reports that one message of the user or of the agent, after a point
// and up to another, has half of some words or more. It looks only at messages
// with one of the rarer words, of which such a message has at least one.
func saidAlike(v *classify.View, words []string, after, until int) bool {
	said := wordsSaid(v)
	lists := make([]classify.Positions, 0, len(words))
	for _, w := range words {
		lists = append(lists, said[w])
	}
	slices.SortFunc(lists, func(a, b classify.Positions) int { return cmp.Compare(len(a), len(b)) })
	need := (len(lists) + 1) / 2
	for k := 0; need > 0 && k <= len(lists)-need; k++ {
		for pos := lists[k].After(after); pos >= 0 && pos <= until; pos = lists[k].After(pos) {
			n := 1
			for _, l := range lists[k+1:] {
				if l.Any(pos-1, pos+1) {
					n++
				}
			}
			if n >= need {
				return true
			}
		}
	}
	return false
}

// wordsSaid are the positions of the messages of the user and the agent that
// hold each word, in one pass over the thread.
func wordsSaid(v *classify.View) map[string]classify.Positions {
	return classify.Once(&v.Facts, "words said", func() map[string]classify.Positions {
		out := map[string]classify.Positions{}
		for _, r := range v.Runs {
			for i := range r.Events {
				e := &r.Events[i]
				if e.Kind != ingest.Message || e.Actor != ingest.Agent && e.Actor != ingest.User {
					continue
				}
				pos := v.PosOf(r, i)
				for _, w := range handover.Words(r.Text(e)) {
					at, known := out[w]
					if !known {
						w = strings.Clone(w) // not the whole text
					}
					if len(at) == 0 || at[len(at)-1] != pos {
						out[w] = append(at, pos)
					}
				}
			}
		}
		return out
	})
}
