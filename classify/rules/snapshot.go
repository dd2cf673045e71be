package rules

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
)

// fewestDigits is how many digits of an id stand for the whole.
const fewestDigits = 7

var hexDigits = phrase.MustCompile(`^[0-9a-f]+$`)

// sameSnapshot reports that two ids name one state. Commits and digests may be
// abbreviated, and the kind before a colon may be left out.
func sameSnapshot(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	kindA, idA := kindOf(a)
	kindB, idB := kindOf(b)
	if a == b || kindA != "" && kindB != "" && kindA != kindB {
		return a == b
	}
	if len(idA) > len(idB) {
		idA, idB = idB, idA
	}
	return idA == idB || len(idA) >= fewestDigits && hexDigits.MatchString(idA) && strings.HasPrefix(idB, idA)
}

func kindOf(id string) (kind, rest string) {
	if i := strings.LastIndexByte(id, ':'); i >= 0 {
		return id[:i], id[i+1:]
	}
	return "", id
}

// hasState reports that a list of snapshots holds one.
func hasState(states []string, id string) bool {
	return slices.ContainsFunc(states, func(s string) bool { return sameSnapshot(s, id) })
}

// lastGreen is the last answer to the i-th required check of an episode where
// it is green, else nil. A run of what another requirement names counts for
// that one only.
func lastGreen(v *classify.View, e *classify.Episode, i int) *classify.Check {
	required := v.Required(e)
	for _, c := range slices.Backward(v.LastAnswers(e, required[i])) {
		if c.Runner != required[i].Runner && slices.ContainsFunc(required, func(r classify.Required) bool { return r.Runner == c.Runner && r.AnsweredBy(c) }) {
			continue
		}
		if c.Status != classify.Green {
			return nil
		}
		return c
	}
	return nil
}
