package opinion

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// Opinion is what an evaluator's answer says of a piece of work.
type Opinion struct {
	// Decided: it states a decision; Pass says which.
	Decided, Pass bool
	Data          bool     // it is data, not prose
	Scored        bool     // it gives scores
	Role          bool     // it says itself that an evaluator speaks
	Criteria      []string // names of what was scored
	Below         []string // criteria below their minimum
	Defects       []string // listed, and neither mild, fixed nor out of scope
}

// Faults counts what speaks against a pass.
func (o *Opinion) Faults() int { return len(o.Below) + len(o.Defects) }

// Words of decisions, lower case; a language is added by adding rows.
var (
	passWords = wordSet("pass passed passes passing accept accepted accepts approve approved approves ok okay lgtm go ship success succeeded true yes " +
		"bestanden angenommen genehmigt freigegeben aprobado aprobada aceptado aceptada accepté acceptée approuvé approuvée validé 通过 合格 合格です")
	failWords = wordSet("fail failed fails failing reject rejected rejects deny denied block blocked false no revise retry open " +
		"abgelehnt durchgefallen rechazado rechazada rejeté rejetée refusé 不通过 不合格")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// decisionOf reads a word of decision: "PASS", "accepted ✅".
func decisionOf(s string) (pass, ok bool) {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), ".!*_`\"'✅❌☑🎉 "))
	if passWords[s] {
		return true, true
	}
	return false, failWords[s]
}

// longestVerdict bounds a text that is read as a verdict, in bytes.
const longestVerdict = 1 << 17

// decisionLine is a line, or a sentence, that states a decision under its name.
var decisionLine = phrase.MustCompile(`(?im)(?:^|[.;] )[\s#>*_|-]*(?:overall|final|gesamt)?\s*(?:verdict|decision|overall|outcome|assessment|result|urteil|entscheidung|ergebnis|veredicto|decisión|verdict|décision|结论|判定)\s*[*_]*\s*[:：=|]\s*[*_]*\s*([\p{L}]+)`)

// decisionWords are the names of decisionLine.
var decisionWords = phrase.NewWords("verdict", "decision", "overall", "outcome", "assessment", "result", "urteil", "entscheidung", "ergebnis", "veredicto", "decisión", "décision", "结论", "判定")

// namesDecision spares texts the expression in which no name of a decision has
// something like a colon and a word of decision behind it.
func namesDecision(text string) bool {
	const between = "\t\n\f\r *_"
	for end := range decisionWords.Ends(text) {
		rest := strings.TrimLeft(text[end:], between)
		mark, size := utf8.DecodeRuneInString(rest)
		if !strings.ContainsRune(":：=|", mark) {
			continue
		}
		value := strings.TrimLeft(rest[size:], between)
		if i := strings.IndexFunc(value, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
			value = value[:i]
		}
		if _, ok := decisionOf(value); ok {
			return true
		}
	}
	return false
}

// scoredText matches a score out of a maximum: "9/10", "5 of 5".
var scoredText = phrase.MustCompile(`\b\d+(?:\.\d+)?\s*(?:/|of|out of|von|de|sur)\s*(?:5|10|100)\b`)

// defectHead is a line that heads a list of defects.
var defectHead = phrase.MustCompile(`(?i)^[\s#>*_-]*(?:open |remaining |found |known )?(?:defects?|issues?|problems?|bugs?|findings?|blockers?|mängel|fehler|defectos?|problemas?|défauts?|problèmes?|缺陷|问题|不具合)(?: found)?\s*(?:\(\d+\))?\s*[*_]*\s*[:：]?\s*[*_]*\s*$`)

// listItem is an item of a list, by number or mark.
var listItem = phrase.MustCompile(`^\s*(?:[-*+•]|\d+[.)])\s+(.+)$`)

// noDefect is an item that says there is none.
var noDefect = phrase.MustCompile(`(?i)^[\s*_]*(?:none|no|n/?a|nothing|keine?|ninguno|aucun)\b|^\s*(?:无|没有|なし)`)

// outOfScope marks a defect that nobody asked to be free of, or that is gone.
var outOfScope = phrase.MustCompile(`(?i)\b(?:out[ -]of[ -]scope|won'?t[ -]?fix|waived|deferred|accepted by|by design|not in scope|fixed|resolved|außerhalb|nicht im umfang|fuera (?:del|de) alcance|hors (?:du )?périmètre)\b|范围外|対象外`)

// Read reads an answer as a verdict: data first, else lines that state a
// decision and list defects. ok is false for any other text.
func Read(text string) (o Opinion, ok bool) {
	if len(text) == 0 || len(text) > longestVerdict {
		return o, false
	}
	if strings.IndexByte(text, '{') >= 0 {
		if o, ok = ofData(text); ok {
			return o, true
		}
		o = Opinion{}
	}
	if !namesDecision(text) {
		return o, false
	}
	m := decisionLine.FindAllStringSubmatch(text, -1)
	if len(m) == 0 {
		return o, false
	}
	if o.Pass, o.Decided = decisionOf(m[len(m)-1][1]); !o.Decided {
		return o, false
	}
	o.Scored = scoredText.MatchString(text)
	o.Defects = listedDefects(text)
	o.Below = belowInText(text)
	return o, true
}

// listedDefects are the items under a heading of defects.
func listedDefects(text string) (out []string) {
	under := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch m := listItem.FindStringSubmatch(line); {
		case defectHead.MatchString(line):
			under = true
		case under && m != nil:
			if !noDefect.MatchString(m[1]) && !outOfScope.MatchString(m[1]) {
				out = append(out, m[1])
			}
		case under && strings.TrimSpace(line) != "" && line[0] != ' ' && line[0] != '\t':
			under = false
		}
	}
	return out
}
