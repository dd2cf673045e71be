package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var approvedOtherArguments = classify.Rule{
	Name:    "permission/approved-other-arguments",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "What ran is not what was approved",
		Text:     "The approval of a call shows arguments, or an Operation record their hash, and the call ran with others.",
		Fires:    "A refund of 12.50 is approved and one of 125.00 is dispatched.",
		NearMiss: "A human edited the arguments and approved the edit; another spelling of the same arguments; asked again after the change. Taken back: low.",
		Occasion: "an approval that shows arguments, or a contract that demands a confirmation",
		Needs:    "approvals with arguments, or Operation records with their hashes",
		Owner:    classify.Permission,
		Change:   "Bind an approval to a hash of the arguments and compare it at the dispatch.",
		Metric:   "calls that ran with other arguments than the approved ones",
	},
	Occasion: func(v *classify.View) bool {
		return len(approvedOperations(v)) > 0 || slices.ContainsFunc(v.Actions, func(a *classify.Action) bool {
			return decisionOn(v, a).asked.Event != nil || confirmedTools(v)[squash(ownToolName(a.Tool))]
		})
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range v.Judged() {
			for _, a := range v.EpisodeActions(e) {
				if !v.Owns(a) || !a.Ran() {
					continue
				}
				d := decisionOn(v, a)
				switch {
				case d.asked.Event != nil && !d.denied(): // a request that waits and then runs was let through
					if !sameArguments(d.asked.Run.Args(d.asked.Event), a.Args) {
						reportOtherArguments(v, p, e, a, d)
					}
				case d.last.Event == nil && !v.Has(ingest.HasApprovals) && confirmedTools(v)[squash(ownToolName(a.Tool))] && !approvedByRecord(v, a):
					p.Abstain("approvals")
				}
			}
		}
		for _, r := range approvedOperations(v) {
			otherHash(v, p, r)
		}
	},
}

// confirmedTools are the tools whose contract demands a confirmation.
func confirmedTools(v *classify.View) map[string]bool {
	return classify.Once(&v.Facts, "confirmed tools", func() map[string]bool {
		out := map[string]bool{}
		for _, r := range v.Records {
			if c := r.Contract; c != nil && c.Permission == "confirm" {
				out[squash(ownToolName(c.Tool))] = true
			}
		}
		return out
	})
}

// aboutCall are arguments that say how a call is made, not what it does:
// a client or the model writes them anew.
var aboutCall = wordSet("confirmation_state thought security_risk is_input hidden blocking description justification explanation reason safetyassessment _meta")

// sameArguments reports that two lists of arguments ask for the same, whatever
// their spelling.
func sameArguments(a, b jsontext.Value) bool {
	x, y := plainArguments(a), plainArguments(b)
	return x == nil || y == nil || bytes.Equal(x, y)
}

// plainArguments is the canonical form of arguments, nil when they cannot be
// read.
func plainArguments(v jsontext.Value) []byte {
	if v.Kind() == '"' {
		s, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return nil
		}
		v = s
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(v, &members, jsontext.AllowInvalidUTF8(true)) != nil || members == nil {
		return nil
	}
	for name := range members {
		if aboutCall[strings.ToLower(name)] {
			delete(members, name)
		}
	}
	out, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return nil
	}
	plain := jsontext.Value(out)
	if plain.Canonicalize() != nil {
		return nil
	}
	return plain
}

func reportOtherArguments(v *classify.View, p *classify.Pass, e *classify.Episode, a *classify.Action, d decision) {
	p.Report(classify.Hit{
		Severity: e.Neighbour(a.Outcome == ingest.Fail || undone(v, e, a)), Grade: classify.Observed, Episode: e.Index, At: a.Pos,
		Cite:      []classify.Cite{a.Cite(), d.asked, d.last, a.CiteEnd()},
		Message:   fmt.Sprintf("%s ran with other arguments than those that were approved", describe(a)),
		Structure: []string{a.Tool, commandClass(a)},
	})
}

// approvedOperations are the Operation records of the run that were dispatched
// and hold hashes of what was approved.
func approvedOperations(v *classify.View) []classify.Record {
	return classify.Once(&v.Own, "approved operations", func() []classify.Record {
		var out []classify.Record
		for _, r := range v.Records {
			o := r.Operation
			if o == nil || o.RunID != v.Run.ID && o.RunID != v.Run.Meta.Native || len(o.Dispatches) == 0 {
				continue
			}
			for _, ok := range o.Approvals {
				if ok.ArgumentsSHA256 != "" {
					out = append(out, r)
					break
				}
			}
		}
		return out
	})
}

// approvedByRecord reports that an Operation record holds the approval of a
// call.
func approvedByRecord(v *classify.View, a *classify.Action) bool {
	id := a.Cite().Event.Call
	return id != "" && slices.ContainsFunc(approvedOperations(v), func(r classify.Record) bool {
		return slices.ContainsFunc(r.Operation.Dispatches, func(d record.Dispatch) bool { return d.CallID == id })
	})
}

// otherHash reports an operation none of whose approvals has the hash of the
// arguments that were dispatched.
func otherHash(v *classify.View, p *classify.Pass, r classify.Record) {
	op := r.Operation
	sent := op.ArgumentsSHA256
	if sent == "" {
		sent = argumentsHash(op.Arguments)
	}
	if sent == "" {
		p.Abstain("the dispatched arguments or their hash")
		return
	}
	for _, ok := range op.Approvals {
		if ok.ArgumentsSHA256 == "" || strings.EqualFold(ok.ArgumentsSHA256, sent) {
			return
		}
	}
	e := v.Episodes[len(v.Episodes)-1]
	cites := append([]classify.Cite{r.Cite}, dispatchCites(v, op)...)
	if a := actionOf(v, op.Dispatches[0].CallID); a != nil {
		if of := v.EpisodeAt(a.Pos); of != nil {
			e = of
		}
	}
	p.Report(classify.Hit{
		Severity: e.Neighbour(false), Grade: classify.Recorded, Episode: e.Index, At: e.Begin,
		Cite:      cites[:min(len(cites), 5)],
		Message:   fmt.Sprintf("operation %q was dispatched with other arguments than those that were approved", classify.Clip(op.ID, 40)),
		Structure: []string{op.Tool, "record"},
	})
}

// pseudonym begins what stands in the place of a secret.
const pseudonym = "«"

// argumentsHash is the hash of arguments over their canonical form, "" where
// they are not whole.
func argumentsHash(args jsontext.Value) string {
	v := jsontext.Value(bytes.Clone(args))
	if len(v) == 0 || v.Canonicalize() != nil || bytes.Contains(v, []byte(pseudonym)) {
		return ""
	}
	sum := sha256.Sum256(v)
	return hex.EncodeToString(sum[:])
}
