package rules

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

var reasoningLoss = classify.Rule{
	Name:    "handoff/reasoning-loss",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "After a pause, earlier reasoning was dropped from request after request",
		Text:     "After an idle gap two or more following requests hold less of the earlier reasoning than before it and do not gather new, while the tokens read from the cache fall from the second request on: the harness clears at every turn, so that the model forgets and each request is paid for anew.",
		Fires:    "Two items of reasoning before lunch; none in any request after it, and fewer cached tokens each time.",
		NearMiss: "Cleared once, by policy; a cache that expired while all reasoning is there; no pause; a compaction.",
		Occasion: "a pause of an hour in a run with reasoning, and two requests after it",
		Needs:    "captured requests",
		Owner:    classify.Handoff,
		Change:   "Clear reasoning at most once after a pause, and keep what follows, so that the prefix stays the same.",
		Metric:   "requests after a pause without the earlier reasoning; cached tokens per request",
	},
	Occasion: func(v *classify.View) bool { return pausedInThought(v) },
	Check: func(v *classify.View, p *classify.Pass) {
		reqs := requestsOf(v)
		if len(reqs) < 3 {
			p.Abstain("captured requests")
			return
		}
		for i := 1; i+1 < len(reqs); i++ {
			if loses(v, reqs, i) {
				reportLoss(v, p, reqs, i)
				return
			}
		}
	},
}

// idle is the pause after which harnesses clear and caches expire.
const idle = time.Hour

// pausedInThought reports that the run shows reasoning, then a pause, then two
// answers or more.
func pausedInThought(v *classify.View) bool {
	thought, paused, answers := false, false, 0
	var last time.Time
	for i := range v.Run.Events {
		e := &v.Run.Events[i]
		if e.Copied || e.Agent != "" || e.At.IsZero() {
			continue
		}
		if thought && !last.IsZero() && e.At.Sub(last) >= idle {
			paused = true
		}
		last = e.At
		if e.Kind == ingest.ModelCall && e.Text.Len > 2 || e.Usage != nil && e.Usage.Reasoning > 0 {
			thought = true
		}
		if paused && e.Usage != nil {
			answers++
		}
	}
	return answers >= 2
}

// captured is a request with the tokens that its answer read from the cache, -1
// where that is not known.
type captured struct {
	*classify.Record
	cached int64
}

// requestsOf are the run's captured requests that count their reasoning, in
// order.
func requestsOf(v *classify.View) []captured {
	var out []captured
	for i := range v.Records {
		if r := v.Records[i].Request; r != nil && isRun(v, r.RunID) && r.ReasoningItems != nil && !r.At.IsZero() {
			out = append(out, captured{&v.Records[i], -1})
		}
	}
	slices.SortStableFunc(out, func(a, b captured) int {
		return cmp.Or(a.Request.At.Compare(b.Request.At), cmp.Compare(a.Request.Seq, b.Request.Seq))
	})
	k := 0
	for _, i := range v.Run.Billed() {
		e := &v.Run.Events[i]
		if e.At.IsZero() || e.Agent != "" {
			continue
		}
		for k+1 < len(out) && !out[k+1].Request.At.After(e.At) {
			k++
		}
		if len(out) > 0 && out[k].cached < 0 && !e.At.Before(out[k].Request.At) {
			out[k].cached = e.Usage.CacheRead
		}
	}
	return out
}

// loses reports that before the i-th request lies a pause, and that it and the
// next hold less reasoning than the last one before it and gather none, while
// the cache falls.
func loses(v *classify.View, reqs []captured, i int) bool {
	before, first, second := reqs[i-1], reqs[i], reqs[i+1]
	had := *before.Request.ReasoningItems
	if had == 0 || first.Request.At.Sub(before.Request.At) < idle || before.Request.Model != first.Request.Model {
		return false
	}
	one, two := *first.Request.ReasoningItems, *second.Request.ReasoningItems
	if one >= had || two > one || first.cached < 0 || second.cached < 0 || second.cached >= first.cached {
		return false
	}
	for _, b := range v.Boundaries {
		if at := b.Cite.Event.At; b.Kind == "compaction" && b.Run == v.Run && at.After(before.Request.At) && !at.After(second.Request.At) {
			return false
		}
	}
	return true
}

func reportLoss(v *classify.View, p *classify.Pass, reqs []captured, i int) {
	before, first, second := reqs[i-1], reqs[i], reqs[i+1]
	pos := v.Start()
	for k := range v.Run.Events {
		if at := v.Run.Events[k].At; !at.IsZero() && !at.After(second.Request.At) {
			pos = v.Start() + k
		}
	}
	e := v.EpisodeAt(pos)
	if e == nil || e.Open {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: classify.Recorded, Episode: e.Index, At: pos,
		Cite: []classify.Cite{second.Cite, first.Cite, before.Cite},
		Message: fmt.Sprintf("after a pause of %d minutes requests hold %d and %d items of reasoning in place of %d, and cached tokens fall from %d to %d",
			int(first.Request.At.Sub(before.Request.At).Minutes()), *first.Request.ReasoningItems, *second.Request.ReasoningItems, *before.Request.ReasoningItems, first.cached, second.cached),
		Structure: []string{"request"},
	})
}
