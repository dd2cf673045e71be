package classify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/toolerr"
)

// What a reply says of an effect is asked again here, because the flag of a
// call is about the call: a tool returns "504 Gateway Timeout" or "the card was
// declined" as its ordinary result, and a command fails with status 1 after the
// connection broke. The tables hold the words of HTTP servers and clients, of
// the MCP, gRPC, AWS, PostgreSQL and MySQL clients, ssh and kubectl.

// lostReply matches what is said when no answer came to a request that left.
var lostReply = phrase.MustCompile(`(?i)` + strings.Join([]string{
	`\btimed?[ -]?outs?\b`, `\btime-out\b`, `zeit(ü|ue)berschreitung`, `tiempo de espera`, `délai d.attente`, `\b\w*timeout(error|exception)?\b`, `deadline[ _]?exceeded`, `\be\w*timedout\b`, `\bexceeded (its|the|a) [^.\n]{0,20}(seconds?|minutes?|time)\b`,
	`\b(502|504|499|524)\b:? (bad gateway|gateway)`, `\b(http|status|code|error)(["' :=]|/[\d.]+)*(502|504|499|524)\b`, `\bbad gateway\b`,
	`\b(connection|transport|socket|session|stream|channel|pipe)\b[^.\n]{0,40}\b(reset|closed|lost|aborted|dropped|broken|terminated|disconnected|interrupted)\b`,
	`\blost (the )?connection\b`, `\bbroken pipe\b`, `\bh[au]ng up\b`, `\beconnreset\b`, `\bdisconnected before\b`, `\bother side closed\b`, `\bremote end closed\b`, `disconnect/reset before headers`,
	`\bempty reply\b`, `\bunexpected eof\b`, `-3200[01]\b`, `server closed the connection`, `\btime allotted\b`,
	`\bno (response|answer|reply)\b`, `\b(did|does|has|had|is) ?n[o']t (respond|answer|reply|return|responding|answering)(ed)?\b`,
	`\b(before|without|awaiting|waiting for|while reading)( sending| receiving| getting)?( an?| the| its| any)? (response|reply|answer|headers)\b`,
	`\b(outcome|state|result|status) (is |was )?(unknown|unclear|undetermined)\b`, `may (still )?(have been|be) process`,
}, "|"))

// notSent matches failures before anything left.
var notSent = phrase.MustCompile(`(?i)(connection refused|econnrefused|could not resolve|name resolution|enotfound|eai_again|getaddrinfo|no such host|network is unreachable|no route to host|failed to connect|tls handshake|ssl handshake|certificate|connect timeout|connecttimeout|kex_exchange_identification|banner exchange)`)

// aboutOptions matches a complaint about an option that happens to be called
// time-out.
var aboutOptions = phrase.MustCompile(`(?i)(-timeout\b|\b(unknown|invalid|unrecognized) \w+:? .{0,12}time-?out|time-?out\w* (must|should|is not|value|option|argument|parameter))`)

// refused matches the first sentence of a reply that says no.
var refused = phrase.MustCompile(`(?i)\b(failed|failure|cannot|can't|could not|couldn't|unable to|invalid|denied|declined|rejected|refused|not (found|available|allowed|permitted|possible|enough|authori[sz]ed|supported|eligible)|unavailable|insufficient|forbidden|unauthori[sz]ed|already (exists?|registered|booked|taken|in use|cancelled|canceled|refunded)|no such|does not exist|must be|is required|out of stock|sold out|has expired|(log|sign) in (again|first)|please (log|sign) in|exceeds|no (seats?|rooms?|slots?|stock)|no \w+ (left|available|free)|is empty|missing)\b`)

// granted matches words that say that something was done.
var granted = phrase.MustCompile(`(?i)\b(created?|booked|confirmed|confirmation|sent|succeeded|success(ful(ly)?)?|accepted|placed|issued|scheduled|transferred|refunded|charged|paid|added|queued|done|ok|completed?|processed|updated|cancelled|canceled|deleted|removed|saved|submitted|opened|closed)\b`)

// absent matches what a look-up says when the thing is not there. That is an
// answer.
var absent = phrase.MustCompile(`(?i)(not[ _]found|\b404\b|no such|does not exist|doesn't exist|could not find|no \w+ found|unknown \w+ id|no [\w ]{1,30}found|no matching|nosuch\w+)`)

const (
	shortOutput  = 2000     // bytes; longer output is content, not a report of an error
	largestReply = 64 << 10 // bytes of an object whose members are asked
	firstWords   = 200      // bytes in which a plain text says how it went
)

// unknownExits are exit statuses after which a request may have been served:
// curl's operation time-out, empty reply, send and receive failures; timeout's
// 124; kills.
var unknownExits = []int{28, 52, 55, 56, 124, 137, 143}

// effectOutcome corrects the outcome of an effect by what the reply says.
func effectOutcome(a *Action, e effect.Effect, o ingest.Outcome) ingest.Outcome {
	if a.Result < 0 || o == ingest.Pending || !a.Ran() {
		return o
	}
	out := a.Output()
	switch {
	case o == ingest.OK:
		return sayOutcome(a, e, out)
	case len(out) > shortOutput:
		return o
	case e.Class == effect.Read:
		if o == ingest.Fail && absent.MatchString(out) && !lost(out) {
			return ingest.OK
		}
	case notSent.MatchString(out):
		return ingest.Fail
	case o == ingest.Fail && a.Reason != ingest.Rejected && lost(out):
		return ingest.Unknown
	}
	return o
}

// lost reports that a text of an error says that no answer came.
func lost(text string) bool {
	return lostReply.MatchString(text) && !aboutOptions.MatchString(text)
}

// NoAnswer reports that a text of an error says that no answer came to a
// request that had left: nobody knows what became of it.
func NoAnswer(text string) bool {
	return len(text) <= shortOutput && lost(text) && !notSent.MatchString(text)
}

// sayOutcome reads a reply that no flag calls an error.
func sayOutcome(a *Action, e effect.Effect, out string) ingest.Outcome {
	trimmed := strings.TrimSpace(out)
	if strings.HasPrefix(trimmed, "{") && len(trimmed) <= largestReply && jsontext.Value(trimmed).IsValid() {
		return saidByObject(jsontext.Value(trimmed), a.Tool, e.Class == effect.Read, 0)
	}
	if len(out) > shortOutput || e.Class == effect.Read && (a.Kind == RunsShell || a.Kind == Looks) {
		return ingest.OK // what a file or a page holds is no word about the call
	}
	if o, ok := saidByStatus(a, e, trimmed); ok {
		return o
	}
	head := trimmed[:min(len(trimmed), firstWords)]
	if a.Kind == RunsShell {
		head = trimmed
	}
	return saidByText(head, a.Kind == RunsShell, e.Class)
}

// saidByStatus reads the status that curl was asked to print; it prints 000
// when no reply came.
func saidByStatus(a *Action, e effect.Effect, out string) (ingest.Outcome, bool) {
	if e.Tool != "http" || !strings.Contains(a.Shell, "http_code") || len(out) < 3 {
		return "", false
	}
	switch code := out[len(out)-3:]; {
	case code == "000" || code == "502" || code == "504":
		return ingest.Unknown, true
	case code >= "400" && code <= "599":
		return ingest.Fail, true
	case code >= "200" && code <= "399":
		return ingest.OK, true
	}
	return "", false
}

// saidByText: the error stands first, before any word of success. Only a
// tool's own sentence can refuse; a command's output may be about anything.
func saidByText(head string, command bool, class effect.Class) ingest.Outcome {
	done := doneAt(head)
	before := func(at []int) bool { return at != nil && (at[0] < done || command) }
	if at := lostReply.FindStringIndex(head); before(at) && !aboutOptions.MatchString(head) {
		if notSent.MatchString(head) {
			return ingest.Fail
		}
		return ingest.Unknown
	}
	sentence, _, _ := strings.Cut(head, "\n")
	if at := refused.FindStringIndex(sentence); !command && class != effect.Read && before(at) {
		return ingest.Fail
	}
	return ingest.OK
}

// doneAt is where a text first says that something was done, not that it was
// not; its length when it never does.
func doneAt(text string) int {
	for _, at := range granted.FindAllStringIndex(text, 8) {
		if lead := strings.ToLower(text[:at[0]]); !strings.HasSuffix(lead, "not ") && !strings.HasSuffix(lead, "n't ") && !strings.HasSuffix(lead, " be ") {
			return at[0]
		}
	}
	return len(text)
}

// badStates are states of a reply in which the effect did not happen.
var badStates = set("failed", "failure", "error", "rejected", "declined", "denied", "refused", "invalid", "notfound", "unauthorized", "forbidden", "unavailable", "blocked", "fail", "timeout", "timedout", "unknown")

// saidByObject reads the members of a reply by which services say that they
// failed. A tool that is meant to reject or to deny says so when it is done; a
// look-up's states are those of what it looked up, and "not found" answers it.
func saidByObject(obj jsontext.Value, toolName string, look bool, depth int) ingest.Outcome {
	bad, why := false, ""
	if !look {
		bad, why = badState(obj, toolName)
	}
	for _, key := range []string{"status", "code", "statusCode", "status_code", "http_status"} {
		if n, err := strconv.Atoi(string(value(obj, key))); err == nil && n >= 400 && n < 600 {
			bad, why = true, why+" status "+strconv.Itoa(n)
		}
	}
	for _, key := range []string{"isError", "is_error"} {
		if string(value(obj, key)) == "true" {
			bad, why = true, why+" "+string(obj[:min(len(obj), shortOutput)])
		}
	}
	for _, key := range []string{"error", "errors"} {
		if v := value(obj, key); len(v) > 0 && !slices.Contains([]string{"null", "false", `""`, "{}", "[]", "0"}, string(v)) {
			bad, why = true, why+" "+string(v)
		}
	}
	if !bad {
		return saidInside(obj, toolName, look, depth)
	}
	for _, key := range []string{"message", "detail", "reason", "title"} {
		why += " " + member(obj, key)
	}
	switch {
	case lost(why), !look && plain(member(obj, "status")) == "unknown":
		return ingest.Unknown
	case look && absent.MatchString(why):
		return ingest.OK
	}
	return ingest.Fail
}

// saidInside asks the object that an envelope holds.
func saidInside(obj jsontext.Value, toolName string, look bool, depth int) ingest.Outcome {
	for _, key := range []string{"result", "data", "response", "body"} {
		if inner := value(obj, key); depth < 3 && len(inner) > 0 && inner[0] == '{' {
			if o := saidByObject(inner, toolName, look, depth+1); o != ingest.OK {
				return o
			}
		}
	}
	return waitsForGo(obj, look)
}

// waitsForGo is pending where a reply asks to confirm first.
func waitsForGo(obj jsontext.Value, look bool) ingest.Outcome {
	for _, key := range []string{"confirm_required", "confirmation_required", "requires_confirmation", "needs_confirmation", "requires_approval", "approval_required"} {
		if !look && string(value(obj, key)) == "true" {
			return ingest.Pending
		}
	}
	return ingest.OK
}

func badState(obj jsontext.Value, toolName string) (bad bool, why string) {
	for _, key := range []string{"status", "state", "result", "outcome"} {
		s := member(obj, key)
		if p := plain(s); badStates[p] && !strings.Contains(plain(toolName), strings.TrimSuffix(p, "ed")) {
			bad, why = true, why+" "+s
		}
	}
	for _, key := range []string{"success", "ok", "succeeded"} {
		bad = bad || string(value(obj, key)) == "false"
	}
	return bad, why
}

// commandOutcome is the outcome of one command of a script.
func commandOutcome(a *Action, i int) ingest.Outcome {
	cmd := a.Commands[i]
	if a.Outcome == ingest.Fail && a.Exit != nil && slices.Contains(unknownExits, *a.Exit) && a.mayBeLast(i) {
		return ingest.Unknown
	}
	if a.Outcome == ingest.Fail && !cmd.ExitSeen {
		return ingest.OK
	}
	return a.Outcome
}

// mayBeLast reports that no later command of the script reaches outside, so
// that the exit status can be the i-th command's.
func (a *Action) mayBeLast(i int) bool {
	for _, c := range a.Commands[i+1:] {
		if len(effect.FromCommand(c.Argv, "")) > 0 {
			return false
		}
	}
	return true
}

// leadingExit reads the exit status that a shell tool writes before its output.
func leadingExit(out string) *int {
	if n := toolerr.ExitCode(out); n != nil && *n != 0 {
		return n
	}
	return nil
}
