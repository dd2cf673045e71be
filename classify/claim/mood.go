package claim

import "strings"

// mood says from which token on a sentence is not a statement of fact.
type mood struct {
	// unreal is true when the whole sentence is a question, a condition, a
	// plan or an instruction.
	unreal bool
	// instruct: the sentence tells the reader what to do.
	instruct bool
	// modal[i] is true when the clause of token i has a modal word before it.
	modal []bool
}

var (
	// conditions open a sentence that states no fact.
	conditions = words("if once when whenever unless until before after assuming should suppose " +
		"wenn falls sobald bevor si cuando antes quand lorsque avant 如 若 当 如果")
	// modals make what follows in their clause a wish, a plan or an ability.
	modals = words("will would should shall could can may might must going want wants wanted plan planning planned need needs expect expected expects " +
		"i'll we'll you'll it'll they'll i'd we'd you'd let let's lets to try trying attempt please ensure ensures ensuring verifies asserts requires if unless until whether " +
		"would-be hopefully probably likely suggests suggest seems seem appears appear since because while whereas " +
		"werde wird werden soll sollte sollten würde würden könnte voy vamos debería deberían debe puede vais devrait devraient peut 应 会 将 要 让")
	// orders open an instruction.
	orders = words("run use try set open start restart install add make check see verify ensure execute call type visit click go navigate replace remove " +
		"delete create update note remember consider confirm please to you")
)

func moodOf(s *sentence) mood {
	s.survey()
	m := mood{modal: make([]bool, len(s.tokens))}
	i := 0
	for i < len(s.tokens) && notWord(s.tokens[i].word) {
		i++
	}
	if s.question || i == len(s.tokens) {
		m.unreal = s.question
		return m
	}
	first := s.tokens[i].word
	second := ""
	if i+1 < len(s.tokens) {
		second = s.tokens[i+1].word
	}
	m.unreal = conditions[first] && !recounts(first, second) || first == "to" || first == "let" || first == "let's" || first == "how" ||
		(first == "here's" || first == "here") && s.explains
	m.instruct = orders[first] && !(first == "type" && strings.HasPrefix(second, "check"))
	seen := false
	for j := range s.tokens {
		w := s.tokens[j].word
		if w == pause || w == "but" || w == "then" || w == "aber" || w == "pero" || w == "mais" || w == "and" && !planned(s.tokens, j) {
			seen = seen && w == pause && j+1 < len(s.tokens) && strings.HasSuffix(s.tokens[j+1].word, "ing")
		}
		m.modal[j] = seen
		if modals[w] && !(w == "to" && factual(s.tokens, j)) {
			seen = true
		}
	}
	return m
}

// recounts: "after fixing …", "when I ran …" tell what happened.
func recounts(first, second string) bool {
	switch first {
	case "after", "before", "once", "when":
		return strings.HasSuffix(second, "ing") || second == "i" || second == "we" || second == "that" || second == "this"
	}
	return false
}

// planned: "I will build and test it" is one plan.
func planned(tokens []token, and int) bool {
	for j := and - 1; j >= 0 && j > and-12 && tokens[j].word != pause; j-- {
		if w := tokens[j].word; w != "to" && modals[w] {
			return true
		}
	}
	return false
}

// factual: "to" is a preposition unless a plain verb follows; after a
// participle it leads to a place ("pushed to main").
func factual(tokens []token, i int) bool {
	if i+1 >= len(tokens) {
		return true
	}
	next := tokens[i+1]
	return next.code || isPath(next.raw) || next.word == "the" || next.word == "your" || next.word == "a" || next.word == "an" ||
		i > 0 && (strings.HasSuffix(tokens[i-1].word, "ed") || tokens[i-1].word == "sent")
}

func notWord(w string) bool { return w == pause || w == okMark || w == badMark }

// real reports whether a match of tokens [i,end) is stated as fact.
func (s *sentence) real(i, end int) bool {
	if s.mood.unreal {
		return false
	}
	for j := i; j < end && j < len(s.mood.modal); j++ {
		if s.mood.modal[j] {
			return false
		}
	}
	return true
}

var fileWords = words("file files script archivo datei fichier 文")

var periods = words("week month year night sprint release monday tuesday wednesday thursday friday")

// survey notes once what several decisions ask of the whole sentence.
func (s *sentence) survey() {
	s.paths = s.files()
	for i, t := range s.tokens {
		s.ofFiles = s.ofFiles || fileWords[t.word]
		s.past = s.past || t.word == "ago" || t.word == "yesterday" || t.word == "last" && i+1 < len(s.tokens) && periods[s.tokens[i+1].word]
		s.explains = s.explains || t.word == "how"
	}
}
