package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// kinds are the checks that a claim speaks of.
var kinds = map[claim.Kind][]runner.Kind{
	claim.TestsPass: {runner.Test},
	claim.TestsRun:  {runner.Test},
	claim.BuildOK:   {runner.Build, runner.Types},
	claim.LintOK:    {runner.Lint, runner.Types, runner.Format},
}

func isCheck(k claim.Kind) bool { return kinds[k] != nil }

// checked is the standing of a claim about checks of a kind. A finding about
// another check is none about this claim.
func (a *auditor) checked(k claim.Kind) (Standing, []ingest.Ref) {
	standing, ground := a.ofKind(k)
	for _, r := range ofRule {
		for _, f := range a.found {
			if f.Rule == r.rule && (shares(f.Refs, ground) || len(ground) == 0 && r.standing != SelfAuthored) {
				return r.standing, f.Refs
			}
		}
	}
	return standing, ground
}

func shares(a, b []ingest.Ref) bool {
	return slices.ContainsFunc(a, func(r ingest.Ref) bool { return slices.Contains(b, r) })
}

func (a *auditor) ofKind(k claim.Kind) (Standing, []ingest.Ref) {
	return a.byChecks(func(c *classify.Check) bool {
		if !isCheck(k) {
			return true
		}
		for _, kind := range kinds[k] {
			if c.Kind == kind {
				return true
			}
		}
		return false
	})
}

// byChecks judges by the last check of the episode that passes.
func (a *auditor) byChecks(pass func(*classify.Check) bool) (Standing, []ingest.Ref) {
	var last *classify.Check
	for _, c := range a.v.ChecksIn(a.e.Begin-1, a.e.Last+1) {
		if pass(c) {
			last = c
		}
	}
	switch {
	case last == nil && a.recorded():
		return Verified, refs(a.e.Record.Cite)
	case last == nil && (!a.v.Has(ingest.HasTools) || !a.v.Has(ingest.HasResults)):
		return CannotTell, nil
	case last == nil:
		return Absent, nil
	}
	ground := refs(last.Event)
	switch last.Status {
	case classify.Red:
		return Contradicted, ground
	case classify.Nothing:
		return NotRun, ground
	case classify.Green:
		if late := a.changedAfter(last); late != nil {
			return Stale, append(ground, refs(late.Action.Cite())...)
		}
		return Verified, ground
	}
	if last.Masked != "" {
		return Masked, ground
	}
	return CannotTell, ground
}

// recorded reports that the record which accepted the episode lists checks that
// all passed.
func (a *auditor) recorded() bool {
	if a.e.Record == nil || len(a.e.Record.Completion.Checks) == 0 {
		return false
	}
	for _, c := range a.e.Record.Completion.Checks {
		if c.ExitCode == nil || *c.ExitCode != 0 {
			return false
		}
	}
	return true
}

// changedAfter is a change after a check that it could have read.
func (a *auditor) changedAfter(last *classify.Check) *classify.Change {
	for _, c := range a.v.ChangesIn(last.Pos, a.e.AtPos+1) {
		if c.Candidate() && !c.Formatter && !c.Cosmetic && c.Op != shell.OpMode && last.Covers(c.Path) &&
			len(a.v.Remaining(c.Path, last.Pos, a.e.AtPos+1)) > 0 {
			return c
		}
	}
	return nil
}

// acted is the standing of a claim that something was done.
func (a *auditor) acted(c claim.Claim) (Standing, []ingest.Ref) {
	var last *classify.Action
	outcome := ingest.Unknown
	for _, act := range a.v.EpisodeActions(a.e) {
		if !act.Ran() {
			continue
		}
		if o, ok := does(act, c); ok {
			last, outcome = act, o
		}
	}
	if last == nil {
		for _, f := range a.found {
			if f.Rule == "acceptance/claim-without-action" {
				return Absent, f.Refs
			}
		}
		return CannotTell, nil
	}
	switch outcome {
	case ingest.OK:
		return Verified, refs(last.CiteEnd())
	case ingest.Fail:
		return Contradicted, refs(last.CiteEnd())
	}
	return CannotTell, refs(last.CiteEnd())
}

// does reports that an action is of the kind that a claim names, and how it
// ended.
func does(a *classify.Action, c claim.Claim) (ingest.Outcome, bool) {
	switch c.Kind {
	case claim.FileWritten, claim.FileDeleted:
		base := path.Base(c.Subject)
		for _, ch := range a.Changes() {
			if c.Subject != "" && path.Base(ch.Path) == base && (ch.Op == shell.OpDelete) == (c.Kind == claim.FileDeleted) {
				return a.Outcome, true
			}
		}
	case claim.Committed:
		return a.Outcome, runsGit(a, "commit", "merge", "cherry-pick", "revert")
	case claim.Pushed:
		return a.Outcome, runsGit(a, "push") || strings.Contains(strings.ToLower(a.Tool), "push")
	case claim.PROpened, claim.Deployed, claim.Sent, claim.EffectDone:
		for _, x := range a.Effects() {
			if x.Writes() {
				return x.Outcome, true
			}
		}
	}
	return "", false
}

func runsGit(a *classify.Action, subs ...string) bool {
	for _, cmd := range a.Commands {
		sub, _, ok := cmd.Git()
		for _, s := range subs {
			if ok && s == sub {
				return true
			}
		}
	}
	return false
}

// model is the run's model, else that of its first call.
func model(r *ingest.Run) string {
	if r.Meta.Model != "" {
		return r.Meta.Model
	}
	for i := range r.Events {
		if m := r.Events[i].Model; m != "" {
			return m
		}
	}
	return ""
}

// week is the ISO week of a claim, or of the last event of its episode with a
// time.
func (a *auditor) week(c classify.Cite) string {
	at := c.Event.At
	for i := a.e.Episode.Last; i >= a.e.First && at.IsZero(); i-- {
		at = a.v.Run.Events[i].At
	}
	if at.IsZero() {
		return ""
	}
	y, w := at.UTC().ISOWeek()
	return fmt.Sprintf("%d-W%02d", y, w)
}
