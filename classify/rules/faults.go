package rules

import (
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// faultClass is what a harness or a provider states that went wrong around the
// agent, by whom it is owned. A statement has one class.
type faultClass string

const (
	noFault       faultClass = ""
	safetyStopped faultClass = "safety stop"
	overflowed    faultClass = "context overflow"
	truncated     faultClass = "truncated output"
	budgetSpent   faultClass = "budget"
	crashed       faultClass = "crash"
	providerError faultClass = "provider error"
)

// faultWords tell a class by the name that the source gives to its statement
// (letters and digits only) and by what the statement says: codes and the
// clients' own formulas. Other languages and clients are added as rows.
var faultWords = map[faultClass]struct{ name, text *phrase.Pattern }{
	safetyStopped: {
		phrase.MustCompile(`^(safetystop|refusal|contentfilter(ed)?|cyberpolicy|guardrailintervened|promptblocked|prohibitedcontent|blocklist|safety)$|policyviolation$|contentpolicy|usagepolicy`),
		phrase.MustCompile(`(?i)\b(content_filter(ed)?|\w*policy_?violation|cyber_policy|prohibited_content)\b|violate our usage polic|finish_?reason\W{1,4}(safety|refusal|content.?filter)\b`),
	},
	overflowed: {
		phrase.MustCompile(`contextlength|contextwindow|contextoverflow|contextlimit|exitcontext|modellength|prompttoolong|inputtoolong|^context$`),
		phrase.MustCompile(`(?i)context_(length|window)_exceeded|prompt is too long|input is too long|maximum context length|context window|exceeds? (the |its )?(model'?s )?(context|maximum number of (input )?tokens)|exceed context limit|model_context_window`),
	},
	truncated: {
		phrase.MustCompile(`^(truncated|maxtokens|length|stopmaxtokens)$|maxoutputtokens|outputlength`),
		phrase.MustCompile(`(?i)\boutput token (maximum|limit)\b|finish_?reason\W{1,4}(length|max_tokens)\b`),
	},
	budgetSpent: {
		phrase.MustCompile(`budget|exitcost|costlimit|tokenlimit|steplimit|messagelimit|max(imum)?(cost|turns?|steps?|iterations?)|limitsexceeded|graphrecursion`),
		phrase.MustCompile(`(?i)\bmax(imum)? (budget|cost|iterations?|steps|turns)\b|\b(budget|cost|token|turn|step|message|iteration)s? limit (was |has been )?(exceeded|reached)|\b(exceeded|reached) (the |its )?(\w+ )?(budget|(cost|token|turn|step|message|iteration)s? limit)`),
	},
	crashed: {
		phrase.MustCompile(`crash|workerlost|workerdied|killed|oomkill|^oom|outofmemory|(runtime|sandbox|container|worker|agent)(disconnected|lost|gone|died|exited)|exitenvironmenterror`),
		phrase.MustCompile(`(?i)\bOOM.?Killed\b|\bout of memory\b|\b(exit|exited|status|code)\b[^\n]{0,12}\b137\b|\bon signal 9\b|\bSIGKILL\b|\b(container|runtime|sandbox|worker|pod)\b[^\n]{0,40}\b(crashed|died|was killed|exited unexpectedly|disconnected|evicted)\b`),
	},
	providerError: {
		phrase.MustCompile(`apierror|servererror|overloaded|ratelimit|toomanyrequests|authenticat|autherror|unauthorized|invalidrequest|badrequest|internalserver|serviceunavailable|badgateway|httpconnection|responsestream|toomanyfailedattempts|usagelimit|quota|billing|resourceexhausted|apiretry|apicall|apitimeout|retryerror|^provider|^retry$|modelerror|exitapi|apiconnection|apistatus|^[45]\d\d$|^(litellm|openai|anthropic|googlegenai)`),
		phrase.MustCompile(`(?i)^\W*(API Error\b|litellm\.|(error code|unexpected status|status code|http)\W{0,3}[45]\d\d\b|[45]\d\d\b)|"(code|status|http_status_code)"\s*:\s*"?[45]\d\d\b`),
	},
}

// limitKinds are the names of Limit events that a budget alone has.
var limitKinds = wordSet("token tokens cost message messages turn turns step steps iteration iterations usd dollars credits")

// statementText bounds how much of a statement is read.
const statementText = 600

// faultIn classifies what a source states of a run: errors, limits and failed
// ends of the harness. Texts of the agent and of tools never count.
func faultIn(r *ingest.Run, i int) faultClass {
	e := &r.Events[i]
	if e.Copied || e.Agent != "" || e.Call != "" || e.Actor != ingest.Harness || e.Kind == ingest.Error && stoppedByHand(e.Reason) {
		return noFault
	}
	name, text := squash(e.Name), r.Text(e)
	text = text[:min(len(text), statementText)]
	switch e.Kind {
	case ingest.Claim:
		if e.Outcome != ingest.Fail {
			return noFault
		}
		name = "" // an agent's name or a subtype
	case ingest.Error, ingest.Limit:
	default:
		return noFault
	}
	if c := namedFault(name, text); c != noFault {
		return c
	}
	switch {
	case agentLimit(e):
		return noFault
	case e.Kind == ingest.Limit && limitKinds[name]:
		return budgetSpent
	}
	for _, c := range []faultClass{budgetSpent, crashed, providerError} {
		if faultWords[c].text.MatchString(text) {
			return c
		}
	}
	if e.Kind == ingest.Error && ofRequest(r, i) {
		return providerError
	}
	return noFault
}

// ofRequest reports that the source tells an error in one unit with the request
// to the model that met it.
func ofRequest(r *ingest.Run, i int) bool {
	e := &r.Events[i]
	for i--; e.Outcome == "" && i >= 0 && r.Events[i].Unit == e.Unit; i-- {
		if r.Events[i].Kind == ingest.ModelCall {
			return true
		}
	}
	return false
}

func stoppedByHand(r ingest.Reason) bool {
	return r == ingest.Interrupted || r == ingest.Denied || r == ingest.Cancelled
}

// namedFault tells a class by a name of its own, by a code in the text where
// the name is only that of the protocol, then by the protocol's name.
func namedFault(name, text string) faultClass {
	for _, c := range []faultClass{safetyStopped, overflowed, truncated, budgetSpent, crashed} {
		if name != "" && faultWords[c].name.MatchString(name) {
			return c
		}
	}
	for _, c := range []faultClass{safetyStopped, overflowed, truncated} {
		if faultWords[c].text.MatchString(text) {
			return c
		}
	}
	if name != "" && faultWords[providerError].name.MatchString(name) {
		return providerError
	}
	return noFault
}

// squash keeps the letters and digits of a name, in lower case.
func squash(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

// trouble is a fault of one class with all statements of it between which the
// agent did nothing: a request and its retries, an error and the end that it
// brought about.
type trouble struct {
	class     faultClass
	episode   *classify.Episode
	said      []int // positions of the statements
	recovered bool  // the agent acted again
}

// troubles are the last trouble of each class in each judged episode, in order.
// Those before it were got past, for the run came to the last.
func troubles(v *classify.View, class faultClass) []*trouble {
	return classify.Once(&v.Own, "troubles", func() map[faultClass][]*trouble {
		out := map[faultClass][]*trouble{}
		for _, e := range v.Judged() {
			for _, t := range troublesOf(v, e) {
				t.recovered = wentOn(v, t.said[len(t.said)-1])
				out[t.class] = append(out[t.class], t)
			}
		}
		return out
	})[class]
}

func troublesOf(v *classify.View, e *classify.Episode) []*trouble {
	last := map[faultClass]*trouble{}
	var order []*trouble
	acted := -1
	for i := e.First; i <= e.Episode.Last; i++ {
		ev, pos := &v.Run.Events[i], v.Start()+i
		if ev.Kind == ingest.ToolCall && ev.Actor == ingest.Agent && !ev.Copied {
			acted = pos
		}
		c := faultIn(v.Run, i)
		if c == noFault {
			continue
		}
		t := last[c]
		switch {
		case t == nil:
			t = &trouble{class: c, episode: e}
			last[c], order = t, append(order, t)
		case acted > t.said[len(t.said)-1]:
			t.said = t.said[:0]
		}
		t.said = append(t.said, pos)
	}
	return order
}

// wentOn reports that the agent acted or answered again after a position. A
// text with which a failed end follows is the harness's own.
func wentOn(v *classify.View, pos int) bool {
	acts := classify.Once(&v.Facts, "went on", func() classify.Positions { return goingOn(v) })
	return acts.Any(pos, never)
}

// goingOn are the positions at which the main agents of the thread act or
// answer.
func goingOn(v *classify.View) classify.Positions {
	var out classify.Positions
	answer := -1 // a text that may still turn out to be the harness's
	keep := func() {
		if answer >= 0 {
			out = append(out, answer)
		}
		answer = -1
	}
	for _, r := range v.Runs {
		for i := range r.Events {
			ev := &r.Events[i]
			if ev.Copied || ev.Agent != "" {
				continue
			}
			switch {
			case ev.Kind == ingest.Claim && ev.Outcome == ingest.Fail:
				answer = -1
			case ev.Kind == ingest.ToolCall, ev.Kind == ingest.Claim && ev.Outcome == ingest.OK:
				keep()
				out = append(out, v.PosOf(r, i))
			case ev.Kind == ingest.Message && ev.Actor == ingest.Agent && ev.Text.Len > 0:
				keep()
				answer = v.PosOf(r, i)
			}
		}
		keep()
	}
	return out
}

// severity is that of a neighbour. A result that an independent grader accepted
// got past it.
func (t *trouble) severity(v *classify.View) classify.Severity {
	return t.episode.Neighbour(t.recovered || v.Grader.Accepted())
}

// cites are the last statement, the one before it and the first.
func (t *trouble) cites(v *classify.View) []classify.Cite {
	n := len(t.said)
	out := []classify.Cite{v.Event(t.said[n-1])}
	if n > 1 {
		out = append(out, v.Event(t.said[n-2]), v.Event(t.said[0]))
	}
	return out
}

// reportTroubles reports the troubles of a class with one sentence.
func reportTroubles(v *classify.View, p *classify.Pass, class faultClass, message string) {
	for _, t := range troubles(v, class) {
		p.Report(classify.Hit{
			Severity: t.severity(v), Grade: classify.Observed, Episode: t.episode.Index, At: t.said[0],
			Cite: t.cites(v), Message: message, Structure: []string{string(class)},
		})
	}
}

// stopped reports that a fault ended the run: the last episode did not get past
// it, so that an unfinished result is no wrong one.
func stopped(v *classify.View) bool {
	for class := range faultWords {
		ts := troubles(v, class)
		if n := len(ts); n > 0 && !ts[n-1].recovered && ts[n-1].episode == v.Episodes[len(v.Episodes)-1] && (class != truncated || len(cutCalls(v)) > 0) {
			return true
		}
	}
	return false
}
