package audit

import (
	"slices"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/ingest"
)

// Standing is what stands behind a claim.
type Standing string

// The standings, best first.
const (
	Verified     Standing = "verified"
	SelfAuthored Standing = "self-authored"
	Stale        Standing = "stale"
	Masked       Standing = "masked"
	NotRun       Standing = "not run"
	Absent       Standing = "absent"
	Contradicted Standing = "contradicted"
	CannotTell   Standing = "cannot tell"
)

// Standings lists all, in the order in which they are shown.
func Standings() []Standing {
	return []Standing{Verified, Stale, Masked, Contradicted, SelfAuthored, NotRun, Absent, CannotTell}
}

// Claim is one closing claim with its standing.
type Claim struct {
	Run      string         `json:"run"`
	Source   string         `json:"source"`
	Episode  int            `json:"episode"` // counts from 1
	Kind     claim.Kind     `json:"kind"`
	Subject  string         `json:"subject,omitzero"`
	Standing Standing       `json:"standing"`
	Grade    classify.Grade `json:"grade"` // of the acceptance
	Harness  string         `json:"harness,omitzero"`
	Model    string         `json:"model,omitzero"`
	Week     string         `json:"week,omitzero"` // ISO 8601 week of the claim, "2026-W49"
	// Refs are the claim, then what decided.
	Refs []ingest.Ref `json:"refs"`
}

// Run audits the claims of one run. found are the findings of its verdict.
func Run(v *classify.View, found []classify.Finding) []Claim {
	var out []Claim
	for _, e := range v.Judged() {
		if !e.Accepted {
			continue
		}
		a := auditor{v: v, e: e}
		for _, f := range found {
			if f.Episode == e.Index+1 {
				a.found = append(a.found, f)
			}
		}
		out = append(out, a.claims()...)
	}
	return out
}

// auditor works on one accepted episode.
type auditor struct {
	v     *classify.View
	e     *classify.Episode
	found []classify.Finding
}

// claims are the episode's own end, and each kind and subject that its closing
// text names.
func (a *auditor) claims() []Claim {
	var out []Claim
	if a.changed() || a.v.Grader.Present {
		out = append(out, a.claim(claim.Claim{Kind: claim.Done}))
	}
	type key struct {
		kind    claim.Kind
		subject string
	}
	seen := map[key]bool{{claim.Done, ""}: true}
	for _, c := range a.e.Statement.Claims {
		k := key{c.Kind, c.Subject}
		if c.Kind == claim.Done || c.Kind == claim.Verified || isCheck(c.Kind) {
			k.subject = "" // "all 12 tests pass" and "the tests pass" are one claim
		}
		if c.Negated || seen[k] {
			continue
		}
		seen[k] = true
		if c.Kind == claim.Done || c.Kind == claim.EffectDone && !a.sent() {
			continue // "the change is made" is the episode's end
		}
		out = append(out, a.claim(c))
	}
	return out
}

// changed reports that the episode did something that could be verified.
func (a *auditor) changed() bool {
	if len(a.v.CandidateChanges(a.e)) > 0 {
		return true
	}
	return a.sent()
}

// sent reports that the episode wrote outside the workspace.
func (a *auditor) sent() bool {
	return slices.ContainsFunc(a.v.EffectsIn(a.e.Begin-1, a.e.Last+1), (*classify.Effect).Writes)
}

func (a *auditor) claim(c claim.Claim) Claim {
	at := a.e.At
	if c.Kind != claim.Done && a.e.Closing.Event != nil {
		at = a.e.Closing
	}
	standing, ground := a.standing(c)
	out := Claim{
		Run: a.v.Run.ID, Source: a.v.Run.File(), Episode: a.e.Index + 1, Kind: c.Kind, Subject: c.Subject,
		Standing: standing, Grade: a.e.Grade, Harness: a.v.Run.Meta.Harness, Model: model(a.v.Run), Week: a.week(at),
		Refs: []ingest.Ref{at.Run.Ref(at.Event)},
	}
	if out.Harness == "" {
		out.Harness = a.v.Run.Format
	}
	for _, ref := range ground {
		if !slices.Contains(out.Refs, ref) {
			out.Refs = append(out.Refs, ref)
		}
	}
	return out
}

// standing decides by what kind of thing is claimed.
func (a *auditor) standing(c claim.Claim) (Standing, []ingest.Ref) {
	switch {
	case c.Kind == claim.Done:
		return a.done()
	case isCheck(c.Kind) || c.Kind == claim.Verified:
		return a.checked(c.Kind)
	}
	return a.acted(c)
}

// ofRule says what a finding of a rule makes of the claims of its episode.
var ofRule = []struct {
	rule     string
	standing Standing
}{
	{"acceptance/false-success", Contradicted},
	{"acceptance/claim-contradicts-result", Contradicted},
	{"acceptance/failed-check-accepted", Contradicted},
	{"acceptance/summary-contradicts-exit", Contradicted},
	{"acceptance/masked-exit", Masked},
	{"acceptance/stale-check", Stale},
	{"acceptance/split-snapshot", Stale},
	{"acceptance/wrong-workspace", Stale},
	{"acceptance/check-not-run", NotRun},
	{"acceptance/missing-check", Absent},
	{"acceptance/self-authored-check", SelfAuthored},
}

// byFinding is the standing that a finding about the episode's checks gives.
func (a *auditor) byFinding() (Standing, []ingest.Ref) {
	for _, r := range ofRule {
		for _, f := range a.found {
			if f.Rule == r.rule {
				return r.standing, f.Refs
			}
		}
	}
	return "", nil
}

// done is the standing of the episode's end: a grader decides where there is
// one.
func (a *auditor) done() (Standing, []ingest.Ref) {
	if s, refs := a.byFinding(); s != "" {
		return s, refs
	}
	switch g := a.v.Grader; {
	case g.Accepted():
		return Verified, refs(g.Score)
	case g.Rejected():
		return Contradicted, refs(g.Score)
	}
	if len(a.v.CandidateChanges(a.e)) == 0 {
		return a.acted(claim.Claim{Kind: claim.EffectDone}) // the effect is the work
	}
	return a.byChecks(func(*classify.Check) bool { return true })
}

func refs(cites ...classify.Cite) []ingest.Ref {
	var out []ingest.Ref
	for _, c := range cites {
		if c.Event != nil {
			out = append(out, c.Run.Ref(c.Event))
		}
	}
	return out
}
