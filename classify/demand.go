package classify

import (
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
)

// longText bounds how much of a text is read for demands, in bytes.
const longText = 64 << 10

// mostDemands bounds how many checks one text can demand.
const mostDemands = 100

// named finds the checks that a text demands without a condition: in a
// sentence ("Run `npm test` before you finish"), in a list or a code block
// that a demand introduces ("Before every commit, run:").
func named(text string, at Cite) []Required {
	if len(text) > longText {
		text = text[:longText]
	}
	d := demands{at: at}
	for line := range strings.Lines(text) {
		d.line(strings.TrimSpace(line))
	}
	return d.found
}

// demands reads a text line by line.
type demands struct {
	found []Required
	at    Cite
	fence bool // inside a code block
	gate  bool // what the last heading or label introduces is required
	soft  bool // the same, where it says that it shall pass
}

func (d *demands) line(line string) {
	switch {
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		d.fence = !d.fence
	case d.fence:
		if d.gate {
			command, _, _ := strings.Cut(line, " #")
			d.add(command)
		}
	case line == "":
	case isLabel(line):
		d.gate = gate.MatchString(line) || strings.HasSuffix(line, ":") && demanded(line)
		d.soft = !d.gate && softGate.MatchString(line)
		d.sentences(line)
	case isItem(line):
		if d.gate || d.soft && passes.MatchString(outsideCode(line)) {
			d.item(line)
		} else if !glossary.MatchString(line) {
			d.sentences(line)
		}
	default:
		d.gate, d.soft = false, false
		d.sentences(line)
	}
}

// item reads an entry of a list of required checks: a command alone, or one
// that shall pass.
func (d *demands) item(line string) {
	around := outsideCode(line)
	if condition.MatchString(around) || !passes.MatchString(around) && len(strings.Fields(around)) > 3 {
		return
	}
	for _, command := range codeSpans(line) {
		d.add(command)
	}
	if command := bareItem.FindStringSubmatch(line); command != nil {
		d.add(command[1])
	}
}

func (d *demands) sentences(line string) {
	if !mayHoldCommand(line) {
		return
	}
	for _, s := range sentences(line) {
		if !mayHoldCommand(s) || !demanded(s) {
			continue
		}
		for _, command := range commandsIn(settled(s)) {
			d.add(command)
		}
	}
}

// mayHoldCommand spares most prose the grammar of demands: a command stands in a
// code span, in parentheses or behind one of the words of bareCommands.
func mayHoldCommand(s string) bool {
	return strings.ContainsAny(s, "`(") || beforeCommand.In(s)
}

var beforeCommand = phrase.NewWords("run", "execut", "check", "verify", "validate", "confirm", "test", "ensure", "make sure")

func (d *demands) add(command string) {
	cmds, err := shell.Parse(command)
	if err != nil {
		return
	}
	for _, cmd := range cmds {
		if len(d.found) == mostDemands {
			return
		}
		rc, ok := runner.Recognize(cmd.Argv)
		if !ok || slices.ContainsFunc(d.found, func(r Required) bool { return slices.Equal(r.Argv, rc.Argv) }) {
			continue
		}
		rc.Dir = cmd.Dir
		d.found = append(d.found, Required{Check: rc, Name: strings.Join(cmd.Argv, " "), Grade: Inferred, Cite: d.at})
	}
}

// The words by which a sentence demands, and those that take it back.
var (
	demand = phrase.MustCompile(`(?i)\b(run|execute|must|make sure|ensure|has to|have to|needs? to|should|required?|verify|validate|confirm|check|before (you|each|every|any|the|commit|hand|finish|submit|push|merg|open|report|declar)\w*|until|prove|expect|keep|get|(finish|end|close) with|test with|at the end|afterwards|finally|lastly)\b` +
		`|\b(führe|stelle sicher|muss|müssen|ejecuta|ejecute|asegúrate|debe|deben|exécute[rz]?|lance[rz]?|assure|doit|doivent|am ende|ausführen|laufen lassen|al final|à la fin)|最后|请|必须|运行|执行|确保|実行`)
	// condition counts anywhere in the sentence.
	condition = phrase.MustCompile(`(?i)\b(if|when|whenever|once|unless|optional(ly)?|in case|e\.g|for example|such as|instead of|don'?t|do not|never|no need|needn'?t|not (need|have) to|not necessary|falls|wenn|si|cuando|quand|no (hace falta|es necesario|ejecut\w+|necesit\w+)|nicht (nötig|ausführen|auszuführen)|brauchst du nicht|pas besoin|inutile|n'exécut\w+|only run)\b|如果|不需要|不用|不要|无需|别`)
	// doubt counts in the clause of the command only.
	doubt = phrase.MustCompile(`(?i)\b(may|might|can|could|already|previously|i ran|i've run|i tried|fails?|failed|failing|failure|errors?|output|skip|leave|without|avoid)\b`)
	// told is what others do, or are told: a description, no demand.
	told = phrase.MustCompile(`(?i)\b((ci|it|that|which|who|they|users?|people|contributors|developers|customers|workflow|pipeline|job|script|target|hook|docs?|readme|page|step)\s+((also|now|then|already|automatically|should|must|can|will)\s+)?(run|runs|ran|executes?|calls?|checks?|says?)|the \w+ (run|runs)|we (also )?run|i('ll| will| can| would|'d|'m going to| am going to)? (also |then |just )?(run|check|verify)|how (to|we|you|do|does|it)|(is|are) (run|executed|checked) (by|in|on|with)|(report|say|state|complain)s? (that|to))\b`)
	// purpose explains what a command is for: "To run a single test: `x`".
	purpose = phrase.MustCompile(`(?i)^[-*+•\s\d.)]*to \w+[^,` + "`" + `]*:`)
	// endings are the times at which work ends; they are no conditions.
	endings = phrase.MustCompile(`(?i)\b(when|whenever|once|as soon as|wenn|sobald|cuando|quand|une fois)\s+([\w']+\s+){0,4}?(done|finish\w*|ready|completed?|through|in place|fertig( bist| ist)?|abgeschlossen|termin\w+|acab\w+|fini|prêt)\b`)
	// accepted ties acceptance itself to a check: "done when `x` passes".
	accepted = phrase.MustCompile(`(?i)\b(accepted|acceptable|done|complete|finished|merged|mergeable|fertig|abgenommen)( only)? (when|if|once|wenn)\b`)
	// notBefore is a double negation: do not stop before the check is green.
	notBefore = phrase.MustCompile("(?i)\\b(do not|don'?t|never)\\s+(forget( to)?|(finish|stop|commit|push|merge|submit|open|create|raise|send|hand|declare|report|claim|mark|consider|call|say|end)\\b[^`]{0,60}?\\b(until|unless|before|without))\\b")
	// gate introduces required checks as a heading or a label.
	gate = phrase.MustCompile(`(?i)\b(before (you|every|each|any|the end|commit|finish|submit|push|merg|hand|declar|report|open|mark)\w*|definition of done|acceptance criteria|done when|required checks?|quality gates?|must (pass|run|be run|be green|hold|succeed)|pre-?(commit|merge|push|submit)\w* check(s|list)?|completion (criteria|checklist)|checklist|vor dem abschluss|abnahmekriterien|avant de|critères d'acceptation|antes de|criterios de aceptación)\b|完成前|提交前|验收标准`)
	// softGate introduces a list in which only what shall pass is required: a list
	// of requirements may name packages, too.
	softGate = phrase.MustCompile(`(?i)\b(requirements?|criteria|constraints|rules|verification|anforderungen|exigences|requisitos)\b|要求`)
	tag      = phrase.MustCompile(`^<[\w-]+>$`)
	// passes says that a command shall be green.
	passes = phrase.MustCompile(`(?i)\b(pass(es)?|succeeds?|green|clean|run|runs|exits? (with )?0|without errors|no errors|grün|verde|vert)\b|通过`)
	// thing makes the command before it an object of the work.
	thing = phrase.MustCompile(`(?i)^\s*(target|script|command|step|job|task|recipe|alias|rule)\b`)
	// glossary explains what a command does.
	glossary = phrase.MustCompile("^([-*+•|]|\\d+[.)])?\\s*`[^`]+`\\s*([:–—|]|- )")
	bareItem = phrase.MustCompile("^(?:[-*+•]|\\d+[.)])\\s*(?:\\[[ x]\\]\\s*)?([^`]{3,80}?)(?:\\s+(?:passes|pass|succeeds|is (?:green|clean)))?\\s*[.]?$")
	listMark = phrase.MustCompile(`^([-*+•|]|\d+[.)])\s?`)
)

func isItem(line string) bool { return listMark.MatchString(line) }

// isLabel reports a heading or a line that introduces what follows.
func isLabel(line string) bool {
	return strings.HasPrefix(line, "#") || tag.MatchString(line) || !isItem(line) && (strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") || strings.HasSuffix(line, ":**")) ||
		strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**")
}

// settled drops the times of ending and double negations, which would look
// like conditions.
func settled(s string) string {
	s = endings.ReplaceAllString(s, "finally")
	s = accepted.ReplaceAllString(s, "must")
	return notBefore.ReplaceAllString(s, "until")
}

// demanded reports that a sentence demands something without a condition.
func demanded(s string) bool {
	around := outsideCode(settled(s))
	return demand.MatchString(around) && !condition.MatchString(around) && !told.MatchString(around) && !purpose.MatchString(s)
}

// sentences cuts a line at full stops that end a sentence; code spans stay
// whole. Questions are left out: they demand an answer.
func sentences(line string) []string {
	var out []string
	start, code := 0, false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '`':
			code = !code
		case '.', '!', '?', ';':
			if !code && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\n') {
				if line[i] != '?' {
					out = append(out, line[start:i])
				}
				start = i + 1
			}
		}
	}
	return append(out, line[start:])
}

func outsideCode(s string) string {
	parts := strings.Split(s, "`")
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		b.WriteString(parts[i])
		b.WriteByte(' ')
	}
	return b.String()
}

func codeSpans(s string) (out []string) {
	parts := strings.Split(s, "`")
	for i := 1; i < len(parts); i += 2 {
		if strings.TrimSpace(parts[i]) != "" {
			out = append(out, parts[i])
		}
	}
	return out
}

// commandsIn yields the code spans of a sentence that its own clause does not
// call into doubt, and, without any span, the commands in plain words.
func commandsIn(s string) []string {
	parts := strings.Split(s, "`")
	if len(parts) < 3 {
		return bareCommands(s)
	}
	var out []string
	for i := 1; i < len(parts); i += 2 {
		after := ""
		if i+1 < len(parts) {
			after = parts[i+1]
		}
		clause := lastClause(parts[i-1]) + " ` " + firstClause(after)
		if strings.TrimSpace(parts[i]) == "" || doubt.MatchString(clause) || thing.MatchString(after) && !runs.MatchString(clause) {
			continue
		}
		out = append(out, parts[i])
	}
	return out
}

var clauseEnd = phrase.MustCompile(`(?i)[,;:，；：]|\s(and|then|so|but|und|y|et)\s`)

func lastClause(s string) string {
	if all := clauseEnd.FindAllStringIndex(s, -1); len(all) > 0 {
		return s[all[len(all)-1][1]:]
	}
	return s
}

func firstClause(s string) string {
	if at := clauseEnd.FindStringIndex(s); at != nil {
		return s[:at[0]]
	}
	return s
}

var (
	runs     = phrase.MustCompile(`(?i)\b(run|execute)\b`)
	afterRun = phrase.MustCompile(`(?i)\b(?:run|execute)\s+(.{3,200})`)
	with     = phrase.MustCompile(`(?i)\b(?:check|verify|validate|confirm|test)(?: (?:it|this|that|them|your \w+))? (?:with|using|by running) (.{3,100})`)
	inParens = phrase.MustCompile(`\(([^()]{3,60})\)`)
	toPass   = phrase.MustCompile(`(?i)\b(?:make sure|ensure|verify|check|confirm)(?:\s+that)?\s+(.{3,80}?)\s+(?:still\s+)?(?:pass(?:es)?|succeeds?|is (?:green|clean)|are (?:green|clean))\b`)
	andSplit = phrase.MustCompile(`(?i)\s+(?:and then|and|before|after|to|until|so|then|in order|on|with no|must|once|finally)\s+|,\s*`)
)

// bareCommands are the commands after "run", or those that shall pass.
func bareCommands(s string) (out []string) {
	if doubt.MatchString(s) {
		return nil
	}
	for _, re := range []*phrase.Pattern{afterRun, toPass, with, inParens} {
		m := re.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		for _, part := range andSplit.Split(m[1], -1) {
			if part = strings.Trim(strings.TrimSpace(part), `"'.,:`); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}
