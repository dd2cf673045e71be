package claim

import "strings"

// Kind is the sort of action or state that a claim names.
type Kind string

// The kinds of claims. Verified and Done are the generic ones.
const (
	TestsPass      Kind = "tests-pass"
	TestsRun       Kind = "tests-run"
	BuildOK        Kind = "build-ok"
	LintOK         Kind = "lint-ok"
	FileWritten    Kind = "file-written"
	FileDeleted    Kind = "file-deleted"
	Committed      Kind = "committed"
	Pushed         Kind = "pushed"
	PROpened       Kind = "pr-opened"
	PageChecked    Kind = "page-checked"
	Deployed       Kind = "deployed"
	ServiceRunning Kind = "service-running"
	Sent           Kind = "sent"
	EffectDone     Kind = "effect-done"
	Verified       Kind = "verified"
	Done           Kind = "done"
)

// Claim is one thing that a sentence states as fact.
type Claim struct {
	Kind Kind
	// Subject is the path, command, address or object as far as the sentence
	// gives it, without quotes: "/app/run.py", "npm test", "reservation AB12".
	Subject string
	// Number and Total are counts of a test claim ("3 of 5"), -1 for none.
	Number, Total int
	// Negated: the sentence denies it ("the tests do not pass").
	Negated bool
	// Start and End are byte offsets of the sentence in the text.
	Start, End int
}

// Gap is the sort of thing that a text admits.
type Gap string

// The gaps.
const (
	Failing    Gap = "failing"     // a check or the work is red
	Skipped    Gap = "skipped"     // checks were left out
	NotRun     Gap = "not-run"     // nothing was run or verified
	Open       Gap = "open"        // work remains
	Partial    Gap = "partial"     // done in part
	Unable     Gap = "unable"      // could not, blocked
	NeedsUser  Gap = "needs-user"  // the user has to act
	KnownIssue Gap = "known-issue" // a limit or defect is named
	TimedOut   Gap = "timed-out"   // a step ran out of time
)

// Disclosure is one admission.
type Disclosure struct {
	Gap Gap
	// Text is the sentence, at most 300 bytes of it.
	Text string
	// Start and End are byte offsets of the sentence in the text.
	Start, End int
}

// Statement is what one text says.
type Statement struct {
	// Success: it claims that the work asked for, or an action of it, is done.
	// Disclosures beside it do not take it back.
	Success   bool
	Disclosed []Disclosure
	// Asks: it ends by asking the user or by waiting for an answer.
	Asks bool
	// Announces: its last act announces a next step.
	Announces bool
	Claims    []Claim
}

// maxItems: when a text has given so many claims and disclosures each, the rest
// is not looked at but for how it ends.
const maxItems = 1000

// Read reads a text. It never fails; a text that says nothing gives the zero
// Statement.
func Read(text string) Statement {
	var st Statement
	sentences := split(text)
	for i := range sentences {
		s := &sentences[i]
		s.mood = moodOf(s)
		if len(st.Claims) >= maxItems && len(st.Disclosed) >= maxItems {
			continue
		}
		claims := claimsOf(s)
		st.Claims = append(st.Claims, claims...)
		st.Disclosed = append(st.Disclosed, gapsOf(s, text, claims)...)
	}
	st.Claims = listed(sentences, st.Claims)
	st.Asks = asks(sentences)
	st.Announces = !st.Asks && announces(sentences)
	for _, c := range st.Claims {
		if !c.Negated && succeeds(c.Kind) && (!st.Announces || concludes(text[c.Start:c.End])) {
			st.Success = true
		}
	}
	return st
}

// concludes: before an announced step only a plain "done" is a result; the rest
// is the report of a step on the way.
func concludes(sentence string) bool {
	first, _, _ := strings.Cut(strings.ToLower(sentence), " ")
	switch strings.Trim(first, ".!,:*") {
	case "done", "complete", "completed", "finished", "all", "task", "everything":
		return true
	}
	return false
}

// succeeds: to have run or checked something is not yet to be done.
func succeeds(k Kind) bool {
	return k != TestsRun && k != Verified && k != PageChecked
}
