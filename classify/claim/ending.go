package claim

// tail is how many sentences at the end say where a text leads.
const tail = 3

// askTable holds requests without a question mark.
var askTable = newTable(rows[bool]{{true, []string{
	"please ?could ?you confirm|provide|specify|clarify|choose|select|advise|share|tell|reply|answer|approve|enter", "let me know which|what|whether|how|when|your|the", "let me know if you|you'd ?would|want|prefer|approve ?like|to ?to|me", "waiting for|on your|you|approval|confirmation|input", "awaiting ?your approval|confirmation|input|response|reply|decision",
	"say|tell me which|how|what|whether", "i|i'll ?also|still need ?both ?to ?know your|both|the|following", "once you have ?it", "provide|share|send me|your|the", "yes/no", "y/n", "reply yes|no|with", "could you ~ confirm|provide|tell|share|specify",
	"bitte bestätigen|angeben|wählen", "bestätigen sie", "por favor ~ confirme|confirma|indique|proporcione", "veuillez confirmer|préciser|indiquer|fournir", "请 确 认", "请 提 供", "请 告 诉"}}})

// courtesyTable holds offers that end a dialogue and ask nothing.
var courtesyTable = newTable(rows[bool]{{true, []string{
	"anything else", "something else", "further assistance|help|questions|questions", "any ?other ?more ?further questions|concerns|issues", "need ?any ?more ?further help|assistance|anything", "feel free to", "happy to help", "have a great|nice|good|wonderful|safe", "you're welcome", "how ?else can|may i ?best ?help|assist",
	"noch etwas", "algo más", "autre chose", "其 他"}}})

// announceTable opens a sentence that tells the next step.
var announceTable = newTable(rows[bool]{{true, []string{
	"^ ?now|first|next|then|so|okay|ok|great|perfect|good ?, ?now|first|next ?, let me|us", "^ ?now|first|next ?, let's", "^ ?now|first|next|then|so ?, i'll", "^ ?now|first|next|then|so ?, i will", "^ now|first|next|then ?, will", "^ ?now|first|next|then|so ?, i ?now|still need to", "^ next , ",
	"now ?, let me", "now ?, i'll", "let me ?also|now|first|quickly <step>", "i'll ?now|also|first|then|quickly <step>", "i will ?now|also|first|then <step>", "i'm|i ?am ?now going to", "next step is", "now ?, ?that we|i can|should|will|need ?now ?to <step>", "i'll|i ?will ?now <code>", "let me|us ?now <code>", "^ let's", "please hold", "going to <step> ?now",
	"lass mich", "als nächstes", "jetzt ?werde ich", "ich werde ?jetzt ?nun", "voy a", "ahora voy|vamos", "déjame|permíteme", "je vais", "laissez-moi", "maintenant je", "让 我", "接 下 来", "现 在 我", "我 将"}}})

// notAnnounced are futures that promise no step of this run.
var notAnnounced = newTable(rows[bool]{{true, []string{
	"let me know", "i'll ?also|then|gladly be|wait|need|await|assist|help|leave", "i will ?also|then be|wait|need|assist|help|leave", "i'd ?be happy|glad|able", "so i can|could"}}})

// last returns the sentences that decide how a text ends: the last ones that
// are no list items, and the items between them.
func last(all []sentence) []sentence {
	plain, i := 0, len(all)
	for i > 0 && plain < tail {
		i--
		if !all[i].item {
			plain++
		}
	}
	return all[i:]
}

func (t *table[T]) in(s *sentence) bool {
	hit := false
	for i := range s.tokens {
		t.each(s.tokens, i, func(T, int) { hit = true })
		if hit {
			return true
		}
	}
	return false
}

// asks reports a question or request among the last sentences that is more
// than a courtesy.
func asks(all []sentence) bool {
	for _, s := range last(all) {
		if s.heading || courtesyTable.in(&s) && !requestTable.in(&s) {
			continue
		}
		if s.question || askTable.in(&s) {
			return true
		}
	}
	return false
}

// requestTable: what offers or awaits a definite act is no mere courtesy.
var requestTable = newTable(rows[bool]{{true, []string{"would you like me", "should i", "shall i", "do you want", "want me to", "like to proceed|continue|go", "like me to", "you'd ?like me", "please provide|confirm"}}})

// announces reports a next step among the last sentences with no result after
// it.
func announces(all []sentence) bool {
	found := false
	for _, s := range last(all) {
		switch {
		case s.question:
		case announceTable.in(&s) && !notAnnounced.in(&s) && !opensCondition(&s):
			found = true
		case len(claimsOf(&s)) > 0:
			found = false
		}
	}
	return found
}

func opensCondition(s *sentence) bool {
	w := s.tokens[0].word
	return conditions[w] && w != "before" || w == "please"
}
