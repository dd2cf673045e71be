package claim

import (
	"slices"
	"strings"
)

// claimsOf finds the claims of one sentence, in the order of the text and one
// per kind, or one per file for the file kinds.
func claimsOf(s *sentence) []Claim {
	if s.mood.unreal || s.mood.instruct && !s.marked() {
		return nil
	}
	var out []Claim
	seen := map[Kind]bool{}
	for i := range s.tokens {
		claimTable.each(s.tokens, i, func(k Kind, end int) {
			if seen[k] || !s.real(i, end) {
				return
			}
			if k = s.refine(k, i, end); k == "" || seen[k] {
				return
			}
			seen[k] = true
			c := Claim{Kind: k, Number: -1, Total: -1, Start: s.start, End: s.end, Negated: s.denied(i, end)}
			out = append(out, s.subjects(c, i, end)...)
		})
	}
	return withoutEcho(out)
}

// withoutEcho drops the generic claim of a sentence that makes a definite one.
func withoutEcho(list []Claim) []Claim {
	definite := slices.ContainsFunc(list, func(c Claim) bool { return c.Kind != Done && succeeds(c.Kind) && !c.Negated })
	if !definite {
		return list
	}
	return slices.DeleteFunc(list, func(c Claim) bool { return c.Kind == Done })
}

// marked: a check mark leads the sentence.
func (s *sentence) marked() bool { return s.tokens[0].word == okMark }

// refine decides between kinds that share their words.
func (s *sentence) refine(k Kind, i, end int) Kind {
	switch k {
	case FileWritten, FileDeleted:
		if len(s.paths) == 0 && !s.ofFiles {
			if classes["<be>"][s.tokens[i].word] {
				return "" // "it was created in May" tells of somebody's past
			}
			return Done
		}
	case PROpened:
		if s.wordAt(end-1) == "up" && s.wordAt(end) == "to" {
			return "" // "the PR is up to you"
		}
	case Committed, Pushed, Deployed:
		if s.past {
			return "" // a fact of the past
		}
	case EffectDone, Sent:
		if s.past || s.wordAt(i+1) == "or" {
			return "" // a fact of the past, or a name of a state
		}
	case TestsPass:
		if n, total := s.counts(i, end); n == 0 && total <= 0 {
			return ""
		}
	case Done:
		for _, t := range s.tokens[end:min(len(s.tokens), end+3)] {
			if mistakes[t.word] {
				return "" // "I made a mistake"
			}
		}
		if s.tokens[i].word == okMark && (i > 0 || !s.first) {
			return "" // a tick inside a line is part of an argument
		}
		if s.explains && s.wordAt(i+1) == "works" {
			return "" // how it works
		}
	}
	return k
}

// denied: a denial inside the match or up to three words before it in its
// clause.
func (s *sentence) denied(i, end int) bool {
	for j := max(0, i-3); j < end && j < len(s.tokens); j++ {
		w := s.tokens[j].word
		if w == pause && j < i {
			i = max(i, j)
		}
		if denials[w] && !s.pausedBetween(j, i) && !positive(s.tokens, j) && !attribute(s.tokens, j) && !s.over(j, i) {
			return true
		}
	}
	return false
}

// over: "two tests failed and were fixed".
func (s *sentence) over(j, i int) bool {
	if w := s.tokens[j].word; w != "failing" && w != "failed" && w != "fails" && w != "fail" {
		return false
	}
	return slices.ContainsFunc(s.tokens[j:max(i, j)], func(t token) bool { return t.word == "and" || t.word == "which" || t.word == "that" })
}

// attribute: "the failing test is fixed" denies nothing.
func attribute(tokens []token, j int) bool {
	if w := tokens[j].word; w != "failing" && w != "failed" || j+1 >= len(tokens) {
		return false
	}
	next := tokens[j+1].word
	return classes["<tests>"][next] || classes["<build>"][next] || classes["<lint>"][next] || next == "check" || next == "checks"
}

// positive: "no errors", "without issues", "not only" deny a trouble.
func positive(tokens []token, j int) bool {
	for _, t := range tokens[j+1 : min(len(tokens), j+4)] {
		switch t.word {
		case "error", "errors", "issue", "issues", "warning", "warnings", "problem", "problems", "failures", "failure", "only", "longer", "regressions", "changes":
			return true
		}
	}
	if j > 0 && tokens[j-1].word == "0" {
		return true
	}
	return j > 0 && (tokens[j].word == "failed" || tokens[j].word == "failing") && j+1 < len(tokens) && tokens[j-1].word == "previously"
}

func (s *sentence) pausedBetween(j, i int) bool {
	for ; j < i; j++ {
		if s.tokens[j].word == pause || s.tokens[j].word == "but" {
			return true
		}
	}
	return false
}

// counts reads "3 of 5", "3/5", "42 tests", "12 passed, 1 failed" around a
// match; -1 for none. Passed and failed counts add up to the total.
func (s *sentence) counts(i, end int) (n, total int) {
	n, failed := -1, -1
	labelled := false
	for j := max(0, i-4); j < min(len(s.tokens), end+6); j++ {
		if a, b, ok := fraction(s.tokens[j].word); ok {
			return a, b
		}
		v, ok := number(s.tokens[j].word)
		if !ok {
			continue
		}
		if t, ok := s.totalAfter(j); ok {
			return v, t
		}
		switch label := s.label(j); {
		case label == failing:
			failed = max(failed, 0) + v
		case label == passing && !labelled:
			n, labelled = v, true
		case label == unsaid && n < 0 && j < end:
			n = v
		}
	}
	if n >= 0 && failed >= 0 {
		return n, n + failed
	}
	return n, -1
}

// totalAfter reads the 5 of "3 of 5" and "3 out of 5".
func (s *sentence) totalAfter(j int) (int, bool) {
	switch s.wordAt(j + 1) {
	case "of", "von", "de", "sur":
		return number(s.wordAt(j + 2))
	case "out":
		return number(s.wordAt(j + 3))
	}
	return 0, false
}

type countLabel int

const (
	unsaid countLabel = iota
	passing
	failing
	skipped
)

// label says what a number counts: "10 passed" or "passed: 10".
func (s *sentence) label(j int) countLabel {
	next := s.wordAt(j + 1)
	if classes["<tests>"][next] {
		next = s.wordAt(j + 2)
	}
	if l := labelOf(next); l != unsaid {
		return l
	}
	if j > 1 && s.tokens[j-1].word == pause {
		return labelOf(s.tokens[j-2].word)
	}
	return unsaid
}

func labelOf(w string) countLabel {
	switch {
	case classes["<passed>"][w]:
		return passing
	case classes["<failed>"][w]:
		return failing
	case w == "skipped" || w == "ignored" || w == "pending":
		return skipped
	}
	return unsaid
}

func (s *sentence) wordAt(i int) string {
	if i < len(s.tokens) {
		return s.tokens[i].word
	}
	return ""
}

func fraction(w string) (a, b int, ok bool) {
	x, y, cut := strings.Cut(w, "/")
	if !cut {
		return 0, 0, false
	}
	a, ok1 := number(x)
	b, ok2 := number(y)
	return a, b, ok1 && ok2 && b > 0
}

// gapsOf finds the admissions of one sentence, one per sort.
func gapsOf(s *sentence, text string, claims []Claim) []Disclosure {
	if s.question {
		return nil
	}
	var out []Disclosure
	seen := map[Gap]bool{}
	add := func(g Gap) {
		if !seen[g] {
			seen[g] = true
			out = append(out, Disclosure{g, cutText(text[s.start:s.end]), s.start, s.end})
		}
	}
	if s.open {
		add(Open)
	}
	if s.table && cellsRed[s.lastWord()] {
		add(Failing)
	}
	for i := range s.tokens {
		gapTable.each(s.tokens, i, func(g Gap, end int) {
			if !seen[g] && s.admits(g, i, end) {
				add(g)
			}
		})
	}
	for _, c := range claims {
		if c.Kind == TestsPass && (c.Negated || c.Total > c.Number && c.Number >= 0) || c.Negated && (c.Kind == BuildOK || c.Kind == Done) {
			add(Failing)
		}
	}
	return out
}

// cellsRed are table cells that tell of a failure by themselves.
var cellsRed = words("failing failed fails red broken rot fallando")

// lastWord is the last word of a sentence that is no pause.
func (s *sentence) lastWord() string {
	for i := len(s.tokens) - 1; i >= 0; i-- {
		if w := s.tokens[i].word; w != pause {
			return w
		}
	}
	return ""
}

// admits drops conditions, plans and troubles that are over.
func (s *sentence) admits(g Gap, i, end int) bool {
	if s.mood.unreal {
		return false
	}
	for _, at := range []int{i, end - 1} { // "0 failed", "failures: 0"
		if n, ok := number(s.wordAt(at)); ok && n == 0 {
			return false
		}
	}
	if g != NeedsUser && g != Unable && !s.real(i, i+1) && !s.lasting(i, end) {
		return false
	}
	if s.easedAfter(end) || g == Partial && s.whole(i, end) {
		return false
	}
	w := s.tokens[i].word
	if w == badMark && (i > 0 && !s.table && !s.counted(i) || s.negates(i)) || (g == Failing && s.conditionAfter(end)) {
		return false
	}
	for j := max(0, i-6); j < i; j++ {
		if g == Unable && others[s.tokens[j].word] && j == i-1 {
			return false
		}
		if ifs[s.tokens[j].word] && !s.pausedBetween(j, i) {
			return false
		}
		if healed[s.tokens[j].word] && !s.pausedBetween(j, i) && !(g == NotRun || g == TimedOut || g == Unable && unlucky[s.tokens[j].word] || s.lasting(i, end)) {
			return false
		}
	}
	return true
}

// easedAfter: "could not find it at first", "the failing test is fixed".
func (s *sentence) easedAfter(end int) bool {
	for j := end; j < min(len(s.tokens), end+8); j++ {
		w := s.tokens[j].word
		if w == pause || w == "but" || denials[w] || modals[w] {
			return false
		}
		if eased[w] || w == "until" && (s.wordAt(j+1) == "i" || s.wordAt(j+1) == "we") {
			return true
		}
	}
	return false
}

// whole: "5 of 5 items" leaves no part out.
func (s *sentence) whole(i, end int) bool {
	var seen []int
	for _, t := range s.tokens[i:min(end, len(s.tokens))] {
		if n, ok := number(t.word); ok {
			seen = append(seen, n)
		}
	}
	return len(seen) == 2 && seen[0] >= seen[1]
}

// counted: "7 ✅ 1 ❌".
func (s *sentence) counted(i int) bool {
	n, ok := number(s.wordAt(i - 1))
	return ok && n > 0
}

// lasting: "because the test keeps failing" gives a reason that is still there.
func (s *sentence) lasting(i, end int) bool {
	return !s.mood.unreal && slices.ContainsFunc(s.tokens[i:min(end, len(s.tokens))], func(t token) bool { return persisting[t.word] }) &&
		!slices.ContainsFunc(s.tokens[:i], func(t token) bool { return modals[t.word] && !reasons[t.word] || over[t.word] })
}

var (
	persisting = words("still keeps continues stays remains currently weiterhin noch")
	reasons    = words("because since to")
	over       = words("was were had been")
)

// unlucky words heal nothing before "unable": "I was unable to".
var unlucky = words("was were had because")

func cutText(s string) string {
	if len(s) <= 300 {
		return s
	}
	return strings.ToValidUTF8(s[:300], "")
}

var mistakes = words("mistake mistakes error errors typo wrong assumption assumptions")

// others: what somebody else could not do is no admission.
var others = words("you they users user he she customers clients callers")

var ifs = words("if when whenever whether unless once wenn falls si cuando quand 如 若")

// negates: "❌ we don't …" lists what is not done on purpose.
func (s *sentence) negates(i int) bool {
	for _, t := range s.tokens[i+1 : min(len(s.tokens), i+4)] {
		if denials[t.word] {
			return true
		}
	}
	return false
}

// conditionAfter: "tests fail if …" speaks of a case, not of this run.
func (s *sentence) conditionAfter(end int) bool {
	for _, t := range s.tokens[min(end, len(s.tokens)):min(end+6, len(s.tokens))] {
		if ifs[t.word] {
			return true
		}
	}
	return false
}
