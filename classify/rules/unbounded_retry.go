package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

var unboundedRetry = classify.Rule{
	Name:    "idempotency/unbounded-retry",
	Highest: classify.Medium,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A write was retried more often or faster than agreed",
		Text:     "Attempts at one external write exceed the limit of the tool's contract, or follow each other without the pauses that it asks for. Every layer that retries multiplies the attempts of the one below, and a service that struggles is hit hardest.",
		Fires:    "The contract allows three retries; the record of one operation holds seven dispatches.",
		NearMiss: "Within the policy; different arguments; polling; asked for again by the user.",
		Occasion: "an external write with a contract on retries",
		Needs:    "a contract with a limit or a back-off; times, for the back-off",
		Owner:    classify.Idempotency,
		Change:   "Retry in one layer only, with a limit, growing pauses and jitter.",
		Metric:   "attempts per intended effect",
	},
	Occasion: func(v *classify.View) bool {
		limited := func(x *classify.Effect) bool { return policyOf(x.Contract) != (policy{}) && x.Writes() }
		return len(kept(v)) > 0 || slices.ContainsFunc(v.EffectsIn(v.Start()-1, v.End()+1), limited)
	},
	Check: func(v *classify.View, p *classify.Pass) {
		for _, chain := range retriedUnderContract(v) {
			judgeChain(v, p, chain)
		}
		for _, r := range kept(v) {
			judgeDispatches(v, p, r)
		}
		judgeRequests(v, p)
	},
}

// policy is what a contract says of retries.
type policy struct {
	attempts int // at most, the first one included; 0 for no limit
	backoff  string
}

func policyOf(c *record.Contract) policy {
	if c == nil {
		return policy{}
	}
	p := policy{backoff: c.Retry.Backoff}
	if c.Retry.Max > 0 {
		p.attempts = c.Retry.Max + 1
	}
	return p
}

// retriedUnderContract are the chains of attempts at one effect: each follows
// one that had not succeeded, and nobody asked for it again.
func retriedUnderContract(v *classify.View) [][]*classify.Effect {
	return classify.Once(&v.Own, "retried under contract", func() [][]*classify.Effect {
		var order []string
		chains := map[string][]*classify.Effect{}
		var out [][]*classify.Effect
		end := func(key string) {
			if len(chains[key]) > 1 {
				out = append(out, chains[key])
			}
			chains[key] = nil
		}
		for _, x := range v.EffectsIn(v.Start()-1, v.End()+1) {
			if !x.Writes() || !v.Owns(x.Action) || !judged(v, x) || policyOf(x.Contract) == (policy{}) {
				continue
			}
			key := x.Action.Tool + "\x00" + x.Identity
			chain, known := chains[key]
			if !known {
				order = append(order, key)
			}
			if n := len(chain); n > 0 && (chain[n-1].Outcome == ingest.OK || chain[n-1].Outcome == ingest.Pending || v.AskedAnew(chain[n-1].Action.End, x.Action.Pos)) {
				end(key)
			}
			chains[key] = append(chains[key], x)
		}
		for _, key := range order {
			end(key)
		}
		return out
	})
}

func judgeChain(v *classify.View, p *classify.Pass, chain []*classify.Effect) {
	limits := policyOf(chain[0].Contract)
	if n := limits.attempts; n > 0 && len(chain) > n {
		reportChain(v, p, chain[n], chain, fmt.Sprintf("was attempted %d times, and its contract allows %d", len(chain), n))
		return
	}
	var pauses []time.Duration
	for i := 1; i < len(chain); i++ {
		from, to := chain[i-1].Action.CiteEnd().Event.At, dispatched(chain[i])
		if from.IsZero() || to.IsZero() {
			if len(chain) >= fewest && (limits.backoff == "exponential" || limits.backoff == "fixed") {
				p.Abstain("times of calls: the pauses between attempts cannot be seen")
			}
			return
		}
		pauses = append(pauses, to.Sub(from))
	}
	if why := rushed(limits, pauses); why != "" {
		reportChain(v, p, chain[len(chain)-1], chain, fmt.Sprintf("was attempted %d times %s", len(chain), why))
	}
}

const (
	fewest  = 3                      // pauses that show whether they grow
	noPause = 500 * time.Millisecond // a shorter pause is none
)

// rushed says in which way pauses are none of the kind that a contract asks
// for, "" where they are or where too few tell. Jitter makes single pauses
// shorter, not all of them.
func rushed(limits policy, pauses []time.Duration) string {
	if len(pauses) < fewest {
		return ""
	}
	switch longest, shortest := slices.Max(pauses), slices.Min(pauses); limits.backoff {
	case "exponential":
		if longest < 2*max(shortest, noPause) {
			return fmt.Sprintf("with pauses of %s to %s where its contract asks for growing ones", shortest.Round(time.Millisecond), longest.Round(time.Millisecond))
		}
	case "fixed":
		if longest < noPause {
			return fmt.Sprintf("with pauses of at most %s where its contract asks for fixed ones", longest.Round(time.Millisecond))
		}
	}
	return ""
}

func reportChain(v *classify.View, p *classify.Pass, at *classify.Effect, chain []*classify.Effect, what string) {
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: at.Grade(), Episode: v.EpisodeAt(at.Action.Pos).Index, At: at.Action.Pos,
		Cite:      []classify.Cite{at.Action.Cite(), chain[0].Action.Cite(), chain[len(chain)-1].Action.Cite()},
		Message:   fmt.Sprintf("%q %s", classify.Clip(tool(at), 40), what),
		Structure: []string{tool(at), string(at.Verb), at.Resource},
	})
}

// judgeDispatches judges the dispatches that only a record knows.
func judgeDispatches(v *classify.View, p *classify.Pass, r classify.Record) {
	op := r.Operation
	limits := policyOf(v.ContractOf(op.Tool))
	if limits == (policy{}) || inTrace(v, op) || mayRepeat(v, op) && limits.attempts == 0 {
		return
	}
	why := ""
	if n := limits.attempts; n > 0 && len(op.Dispatches) > n {
		why = fmt.Sprintf("was dispatched %d times, and its contract allows %d", len(op.Dispatches), n)
	} else {
		var pauses []time.Duration
		for i := 1; i < len(op.Dispatches); i++ {
			if a, b := op.Dispatches[i-1].At, op.Dispatches[i].At; !a.IsZero() && !b.IsZero() {
				pauses = append(pauses, b.Sub(a))
			}
		}
		if how := rushed(limits, pauses); how != "" {
			why = fmt.Sprintf("was dispatched %d times %s", len(op.Dispatches), how)
		}
	}
	if why == "" {
		return
	}
	p.Report(classify.Hit{
		Severity: classify.Medium, Grade: classify.Recorded, Episode: lastIndex(v), At: v.End(),
		Cite:      append([]classify.Cite{r.Cite}, dispatchCites(v, op)...),
		Message:   fmt.Sprintf("operation %q %s", classify.Clip(op.ID, 40), why),
		Structure: []string{op.Tool, "operation"},
	})
}

// judgeRequests judges how often a client below one call sent its request.
func judgeRequests(v *classify.View, p *classify.Pass) {
	for _, x := range v.EffectsIn(v.Start()-1, v.End()+1) {
		limits := policyOf(x.Contract)
		if limits.attempts == 0 || !x.Writes() || x.Action.Run != v.Run || !judged(v, x) {
			continue
		}
		sent := requestsBelow(v)[x.Action.Cite().Event.ID]
		if len(sent) <= limits.attempts {
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.Medium, Grade: x.Grade(), Episode: v.EpisodeAt(x.Action.Pos).Index, At: x.Action.Pos,
			Cite:      []classify.Cite{x.Action.Cite(), {Run: v.Run, Event: sent[limits.attempts]}, {Run: v.Run, Event: sent[len(sent)-1]}},
			Message:   fmt.Sprintf("below one call of %s its request was sent %d times, and the contract allows %d", what(x), len(sent), limits.attempts),
			Structure: []string{tool(x), string(x.Verb), x.Resource, "request"},
		})
	}
}

// requestsBelow are the writing requests under each span: those equal to the
// first one in method and address, until one succeeded.
func requestsBelow(v *classify.View) map[string][]*ingest.Event {
	return classify.Once(&v.Own, "requests below", func() map[string][]*ingest.Event {
		out := map[string][]*ingest.Event{}
		for i := range v.Run.Events {
			e := &v.Run.Events[i]
			method, _, _ := strings.Cut(e.Name, " ")
			if e.Kind != ingest.Request || e.Parent == "" || e.Copied || method == "" || method == "GET" || method == "HEAD" || method == "OPTIONS" {
				continue
			}
			list := out[e.Parent]
			if n := len(list); n == 0 || list[0].Name == e.Name && list[n-1].Outcome != ingest.OK {
				out[e.Parent] = append(list, e)
			}
		}
		return out
	})
}
