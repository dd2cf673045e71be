package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/ingest"
)

// failedEffect: an effect that the claim calls done and whose only calls
// failed. Anything that may have done it another way keeps it silent.
func failedEffect(v *classify.View, e *classify.Episode) *contradiction {
	text := classify.Clip(closingText(e), longestClosing)
	effects := v.EffectsIn(e.Begin-1, e.ClosePos+1)
	for n, x := range slices.Backward(effects) {
		if len(effects)-n > mostOpen || x.Outcome == ingest.OK && x.Writes() {
			break // what came before may have been made good
		}
		if x.Class != effect.ExternalWrite || x.Local != "" || x.Outcome != ingest.Fail || x.Action.Kind == classify.RunsShell {
			continue
		}
		if alreadyThere.MatchString(classify.Clip(x.Action.Output(), 600)) || succeededBefore(v, x) || actedAfter(v, e, x) {
			continue
		}
		if (claimsEffect(e, text, mentions, x) || tellsOf(text, x)) && !failedWords.MatchString(text) && !notDone.MatchString(text) && !leftOpen(v, e) {
			return &contradiction{"state", fmt.Sprintf("claims that it is done, but %s failed", describe(x.Action)), x.Action.CiteEnd()}
		}
	}
	return nil
}

// alreadyThere matches replies that refuse a write because its effect exists.
var alreadyThere = regexp.MustCompile(`(?i)\b(already|exists?|duplicate\w*|conflict|409|bereits|schon|ya|déjà|já|già)\b|已`)

// succeededBefore reports that the same kind of effect succeeded before in the thread.
func succeededBefore(v *classify.View, x *classify.Effect) bool {
	first := classify.Once(&v.Facts, "first successful effects", func() map[string]int {
		out := map[string]int{}
		for _, y := range v.Effects {
			key := string(y.Verb) + " " + y.Resource
			if _, known := out[key]; !known && y.Writes() && y.Outcome == ingest.OK {
				out[key] = y.Action.Pos
			}
		}
		return out
	})
	pos, ok := first[string(x.Verb)+" "+x.Resource]
	return ok && pos < x.Action.Pos
}

// actedAfter reports that something that can have had the effect another way
// ended well between a call and the closing text.
func actedAfter(v *classify.View, e *classify.Episode, x *classify.Effect) bool {
	return slices.ContainsFunc(v.ActionsIn(x.Action.Pos, e.ClosePos), func(a *classify.Action) bool {
		return a != x.Action && a.Outcome != ingest.Fail && a.Kind != classify.Notes && !a.ReadOnly()
	})
}

// unsaid matches what takes a sentence about an effect back: a condition, the
// future, an offer.
var unsaid = regexp.MustCompile(`(?i)\b(will|would|can|could|may|might|should|shall|if|once|unless|please|whether|wanted|try|tried|trying|attempt\w*|to be)\b|\?`)

// tellsOf reports a sentence that says of an effect that it happened, by the
// participle of the tool's own name: reserve_stock, "are reserved".
func tellsOf(text string, x *classify.Effect) bool {
	forms := participles(ownToolName(x.Action.Tool))
	if len(forms) == 0 {
		return false
	}
	told := regexp.MustCompile(`(?i)(\b(is|are|was|were|been|have|has)|['’](ve|s|re))\s+(\w+\s+){0,2}(` + strings.Join(forms, "|") + `)\b`)
	for s := range sentences(text) {
		if told.MatchString(s) && !unsaid.MatchString(s) && !denial.MatchString(s) {
			return true
		}
	}
	return false
}

// irregular are the participles of verbs that tools are named after and that do
// not end in -ed.
var irregular = map[string]string{"send": "sent", "buy": "bought", "pay": "paid", "make": "made", "put": "put", "set": "set", "sell": "sold", "give": "given", "withdraw": "withdrawn", "write": "written"}

// participles are the past forms of the verb that a tool's name begins with.
func participles(tool string) []string {
	words := strings.FieldsFunc(strings.ToLower(tool), func(r rune) bool { return r < 'a' || r > 'z' })
	if len(words) == 0 || len(words[0]) < 3 || len(words[0]) > 20 {
		return nil
	}
	verb := words[0]
	last := verb[len(verb)-1]
	switch {
	case irregular[verb] != "":
		return []string{irregular[verb]}
	case last == 'e':
		return []string{verb + "d"}
	case last == 'y' && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return []string{verb[:len(verb)-1] + "ied"}
	}
	return []string{verb + "ed", verb + string(last) + "ed"}
}
