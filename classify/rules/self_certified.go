package rules

import (
	"cmp"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/opinion"
)

var selfCertified = classify.Rule{
	Name:    "acceptance/self-certified",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "Who made the work accepted it",
		Text:     "A Completion record says that the model took the decision, or the evaluator shares the session of the generator: it judges with all that led to the work in view, and tends to pass it.",
		Fires:    "The session that wrote the page answers with scores of its own and \"decision\": \"accept\".",
		NearMiss: "An evaluator that is another agent, sub-agent or run; a model that calls the work eligible and waits for a person; a second look without a verdict.",
		Occasion: "a record that accepts, or an evaluator's verdict",
		Needs:    "the record, or who says what in the trace",
		Owner:    classify.Acceptance,
		Change:   "Give the evaluator a fresh context and let the harness or a person decide.",
		Metric:   "decisions taken by the session that made the work",
	},
	Occasion: func(v *classify.View) bool { return hasRecordedAcceptance(v) || len(evaluationsOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range recordedAcceptances(v) {
			reportRecordOfOne(v, p, e)
		}
		for _, e := range v.Judged() {
			if e.Record == nil {
				reportOwnVerdict(v, p, e)
			}
		}
	},
}

// reportRecordOfOne reports a record that the model decided, or that is of an
// evaluator where the generator's record names the same run and only one agent
// acts in it.
func reportRecordOfOne(v *classify.View, p *classify.Pass, e *classify.Episode) {
	c := e.Record.Completion
	if c.Decision != "accepted" {
		return
	}
	if c.DecidedBy == "model" {
		reportOfRecord(p, e, classify.High, "the record says that the model accepted the work", "decided by model")
		return
	}
	if c.Role != "evaluator" || !oneSpeaker(v) {
		return
	}
	for _, r := range e.Completions {
		if d := r.Completion; d.Role == "generator" && d.Task.ID == c.Task.ID {
			p.Report(classify.Hit{
				Severity: classify.High, Grade: classify.Recorded, Episode: e.Index, At: e.AtPos,
				Cite:      []classify.Cite{e.Record.Cite, r.Cite},
				Message:   "generator and evaluator are one session: both records name one run, in which one agent acts",
				Structure: []string{"one session"},
			})
			return
		}
	}
}

// oneSpeaker reports that one agent alone speaks in the run.
func oneSpeaker(v *classify.View) bool {
	return classify.Once(&v.Own, "one speaker", func() bool {
		who, seen := speakersOf(v), map[string]bool{}
		for i := range v.Run.Events {
			if e := &v.Run.Events[i]; e.Actor == "agent" && !e.Copied {
				seen[who.of(e)] = true
			}
		}
		for _, a := range v.Actions {
			if v.Owns(a) && (a.Sub || a.Kind == classify.Delegates) {
				return false
			}
		}
		return len(seen) <= 1
	})
}

// reportOwnVerdict reports the verdict that an agent gives as data on what it
// made itself, where nobody else judged it after that.
func reportOwnVerdict(v *classify.View, p *classify.Pass, e *classify.Episode) {
	var own *evaluation
	for _, x := range passedIn(v, e) {
		switch {
		case !selfJudged(v, x):
			own = nil // somebody else judged it too
		case x.Role || opinion.Evaluator(x.asked):
			own = x
		}
	}
	if own == nil {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Observed, Episode: e.Index, At: own.pos,
		Cite:      []classify.Cite{own.cite, lastMade(v, own).Action.Cite(), e.At},
		Message:   "the agent that made the work scored and accepted it in the same context",
		Structure: []string{"own verdict"},
	})
}

func selfJudged(v *classify.View, x *evaluation) bool {
	return x.call == nil && x.Data && lastMade(v, x) != nil
}

// lastMade is the last change of the candidate that the evaluator itself made
// before its verdict, nil if it made none.
func lastMade(v *classify.View, x *evaluation) *classify.Change {
	made := classify.Once(&v.Own, "made by", func() map[string][]*classify.Change {
		out := map[string][]*classify.Change{}
		for by, acts := range callsBySpeaker(v) {
			for _, a := range acts {
				for _, c := range a.Changes() {
					if c.Candidate() {
						out[by] = append(out[by], c)
					}
				}
			}
		}
		return out
	})[x.by]
	n, _ := slices.BinarySearchFunc(made, x.pos, func(c *classify.Change, pos int) int { return cmp.Compare(c.Action.Pos, pos) })
	if n == 0 {
		return nil
	}
	return made[n-1]
}
