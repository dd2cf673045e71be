package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
)

// States by which a reply says that nothing came of a request, and the members
// that hold a state.
var (
	deniedStates = regexp.MustCompile(`(?i)^(rejected|refused|denied|declined|failed|failure|error|not[ _-]?(found|allowed|possible|cancell?ed|completed|created)|aborted|invalid|unsuccessful|blocked|expired|abgelehnt|fehlgeschlagen|rechazad[oa]|refusée?|rifiutat[oa]|recusad[oa]|отклонен\w*|拒绝|失败)$`)
	stateMembers = []string{"status", "state", "result", "outcome", "decision"}
	okMembers    = []string{"success", "ok", "succeeded", "successful"}
)

// deniedState: an effect that the claim calls done and that the tool's last
// reply denies.
func deniedState(v *classify.View, e *classify.Episode) *contradiction {
	text := closingText(e)
	effects := v.EffectsIn(e.Begin-1, e.ClosePos+1)
	for n, x := range slices.Backward(effects) {
		if len(effects)-n > mostOpen {
			break
		}
		if !x.Writes() || x.Action.Settled >= 0 || triedAgain(v, e, x) {
			continue
		}
		if why := denies(x.Action, text); why != "" && (claimsEffect(e, text, speaksOf, x) || tellsOf(text, x)) {
			return &contradiction{"state", fmt.Sprintf("claims that it is done, but the last reply of %s says %s", classify.Clip(x.Action.Tool, 40), why), x.Action.CiteEnd()}
		}
	}
	return nil
}

// claimsEffect reports a claim of an effect's kind that speaks of the effect.
func claimsEffect(e *classify.Episode, text string, about func(string, *classify.Effect) bool, x *classify.Effect) bool {
	return slices.ContainsFunc(e.Statement.Claims, func(c claim.Claim) bool {
		return (c.Kind == claim.EffectDone || c.Kind == claim.Sent || c.Kind == claim.Deployed) && !c.Negated && c.End <= len(text) && about(text[c.Start:c.End], x)
	})
}

// triedAgain reports that the same was tried again, or read back, after it.
func triedAgain(v *classify.View, e *classify.Episode, x *classify.Effect) bool {
	for _, y := range x.After(v.EffectsIn(x.Action.Pos-1, e.ClosePos+1)) {
		if y.Outcome == ingest.OK && (y.Writes() && y.Verb == x.Verb && y.Resource == x.Resource && denies(y.Action, "") == "" || y.Class == effect.Read && y.Reveals(x)) {
			return true
		}
	}
	return false
}

// denies tells which member of a reply says that nothing was done, "" for none.
// A member that is named like the participle of the claim counts, too.
func denies(a *classify.Action, text string) string {
	out := strings.TrimSpace(a.Output())
	if !strings.HasPrefix(out, "{") {
		return ""
	}
	var reply map[string]jsontext.Value
	if json.Unmarshal([]byte(out), &reply) != nil {
		return ""
	}
	for _, k := range stateMembers {
		var s string
		if json.Unmarshal(reply[k], &s) == nil && deniedStates.MatchString(s) {
			return k + " " + strings.ToLower(s)
		}
	}
	for _, k := range okMembers {
		if string(reply[k]) == "false" {
			return k + " false"
		}
	}
	lower := strings.ToLower(text)
	keys := make([]string, 0, len(reply))
	for k := range reply {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		name := strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(k, "is_"), "was_"))
		if string(reply[k]) == "false" && strings.HasSuffix(name, "ed") && strings.Contains(lower, strings.ReplaceAll(name, "_", " ")) {
			return k + " false"
		}
	}
	return ""
}

// speaksOf reports that a sentence is about an effect: it names its resource,
// what it yields, or its verb.
func speaksOf(sentence string, x *classify.Effect) bool {
	lower := strings.ToLower(sentence)
	for _, w := range []string{x.Resource, x.Yields, x.Effect.Undoes, string(x.Verb)} {
		if len(w) > 2 && strings.Contains(lower, strings.TrimSuffix(w, "e")) {
			return true
		}
	}
	for w := range strings.FieldsFuncSeq(x.Tool, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if len(w) > 3 && strings.Contains(lower, strings.ToLower(strings.TrimSuffix(w, "e"))) {
			return true
		}
	}
	return false
}
