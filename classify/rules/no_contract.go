package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/criteria"
	"github.com/faultline-dev/faultline/ingest"
)

var noContract = classify.Rule{
	Name:    "acceptance/no-contract",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "The work began before it was fixed what done means, or a criterion has no check",
		Text:     "A planner or evaluator wrote acceptance criteria, and edits came before them, so that they describe what was there already; or a criterion names no check that could prove it.",
		Fires:    "Two source files are written, then the evaluator writes the sprint contract.",
		NearMiss: "Planning files; a contract amended with both roles' consent; criteria that the user gave; the contract record of a tool.",
		Occasion: "acceptance criteria that a planner or evaluator wrote",
		Needs:    "tool calls",
		Owner:    classify.Acceptance,
		Change:   "Let the harness hold back edits until a contract stands that maps each criterion to a check.",
		Metric:   "sprints whose first edit is older than their contract",
	},
	Occasion: func(v *classify.View) bool { return len(contractsOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		if !v.Has(ingest.HasTools) {
			p.Abstain("tool calls with their arguments")
			return
		}
		all := contractsOf(v)
		reportLate(v, p, all)
		reportUnmapped(v, p, all)
	},
}

// reportLate reports the first contract when edits of the same request came
// before it, and later ones that were rewritten to what was done since.
func reportLate(v *classify.View, p *classify.Pass, all []*sprintContract) {
	for i, k := range all {
		from := lastRequest(v, k.pos)
		if i > 0 {
			was := earlierVersion(all[:i], k)
			if was == nil || k.Agreed >= 2 || bothSpoke(v, was.pos, k.pos) {
				continue
			}
			from = was.pos
		}
		for _, c := range v.ChangesIn(from, k.pos) {
			if !c.Candidate() || c.Cosmetic || c.Formatter || plans(c.Path) || c.Path == "." {
				continue
			}
			p.Report(classify.Hit{
				Severity: classify.Medium, Grade: classify.Observed, Episode: episodeOf(v, k.pos).Index, At: c.Action.Pos,
				Cite:      []classify.Cite{k.cite, c.Action.Cite()},
				Message:   fmt.Sprintf("%s was edited before the contract said what done means", classify.Clip(c.Path, 60)),
				Structure: []string{"late"},
			})
			break
		}
	}
}

// earlierVersion is the last version of a contract that a later one amends: the
// same file with a criterion in common and others beside it. Another sprint's
// contract amends none.
func earlierVersion(before []*sprintContract, k *sprintContract) *sprintContract {
	for _, was := range slices.Backward(before) {
		if was.file != k.file || k.file == "" {
			continue
		}
		common := 0
		for _, c := range k.Criteria {
			if slices.ContainsFunc(was.Criteria, func(d criteria.Criterion) bool { return d.Name == c.Name }) {
				common++
			}
		}
		if common == 0 || common == len(k.Criteria) && common == len(was.Criteria) {
			return nil
		}
		return was
	}
	return nil
}

// bothSpoke reports that two agents spoke between two points.
func bothSpoke(v *classify.View, after, before int) bool {
	who, seen := speakersOf(v), map[string]bool{}
	for i := max(0, after-v.Start()+1); i < before-v.Start() && i < len(v.Run.Events); i++ {
		if e := &v.Run.Events[i]; e.Kind == ingest.Message && e.Actor == ingest.Agent {
			seen[who.of(e)] = true
		}
	}
	return len(seen) >= 2
}

// lastRequest is the position of the user's last request before a point. What
// one agent tells another is none.
func lastRequest(v *classify.View, before int) int {
	requests := classify.Once(&v.Own, "requests", func() (out []int) {
		who := speakersOf(v)
		for i := range v.Run.Events {
			if e := &v.Run.Events[i]; e.Kind == ingest.Message && e.Actor == ingest.User && who.of(e) == "" {
				out = append(out, v.Start()+i)
			}
		}
		return out
	})
	n, _ := slices.BinarySearch(requests, before)
	if n == 0 {
		return v.Start() - 1
	}
	return requests[n-1]
}

// reportUnmapped reports contracts whose last version leaves a criterion without
// a check.
func reportUnmapped(v *classify.View, p *classify.Pass, all []*sprintContract) {
	last := map[string]*sprintContract{}
	for _, k := range all {
		last[k.file] = k
	}
	for _, k := range all {
		open := k.Unmapped()
		if last[k.file] != k || len(open) == 0 || !k.Maps && !k.Titled {
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.Medium, Grade: classify.Observed, Episode: episodeOf(v, k.pos).Index, At: k.pos,
			Cite:      []classify.Cite{k.cite},
			Message:   fmt.Sprintf("criterion %q names no check (%d of %d)", classify.Clip(open[0].Name, 60), len(open), len(k.Criteria)),
			Structure: []string{"unmapped"},
		})
	}
}
