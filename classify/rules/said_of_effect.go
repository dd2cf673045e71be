package rules

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/claim"
	"github.com/faultline-dev/faultline/classify/effect"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// What a reply or a closing text says of one effect: that it happened, that it
// did not, or that nobody knows. The tables hold English first and rows of other
// languages beside it.

// effected are past forms of what a write does to the world. What a time-out
// itself does ("not completed in time", "not received") is not among them.
const effected = `(placed|created|booked|reserved|sent|charged|refunded|paid|transferred|issued|scheduled|added|submitted|updated|cancell?ed|deleted|removed|saved|deployed|published|pushed|ordered|registered|bought|purchased|made|applied|opened|closed|erstellt|gesendet|gebucht|bezahlt|creado|enviado|pagado|reservado|créée?|envoyée?|payée?)`

// notDone matches sentences that deny the effect. A bare "failed" is said of
// the call as often as of the effect.
var notDone = phrase.MustCompile(`(?i)(` + strings.Join([]string{
	`\b(not|never|nicht|nie)( \w+){0,2} ` + effected + `\b`, `n't( \w+){0,2} ` + effected + `\b`, `\b(no|kein|keine|nichts|nothing|none|nobody)\b[^.;!?\n]{0,60}\b(was|were|is|are|has been|have been|been|wurde|wurden|exists?)\b( \w+)? ?` + effected + `?`,
	`\b(no|ningún|ninguna|aucune?) [^.;!?\n]{0,40}\b` + effected + `\b`, `\bdid(n't| not) (go through|happen|take|reach|succeed|work)\b`, `(未|没有|没)(创建|发送|下单|付款|成功)`,
}, "|") + `)`)

// failedWords say of an effect that is named beside them that it failed.
var failedWords = phrase.MustCompile(`(?i)\b(failed|failure|fails|unsuccessful|went wrong|could not be|couldn't be|fehlgeschlagen|gescheitert|falló|échoué)\b`)

// leavesOpen matches words by which a text leaves open what became of something.
var leavesOpen = phrase.MustCompile(`(?i)(\b(no|not|never|neither|none|nobody|nothing|without)\b[^.;!?\n]{0,40}\b(answer|answered|reply|replied|response|responded|confirmation|confirmed|heard)\b|n't (answer|reply|respond)|\b(unknown|unclear|uncertain|unconfirmed|unsure|undetermined|indeterminate|not (sure|certain|clear|known|confirmed|verified)|(can'?t|cannot|can not|couldn't|could not|unable to|not able to|no way to) (be )?(tell|told|confirm|confirmed|verify|verified|say|determine|determined|know|check)|(don't|do not|doesn't|does not) know|may|might|perhaps|possibly|whether|unless|pending|still (open|waiting)|(please|should|will|would|you can|let me|to) (check|verify|confirm|look)|unbekannt|unklar|ungewiss|vielleicht|desconocido|quizás?|incertain|peut-être)\b|不确定|未知|可能)`)

// saysNotDone reports that a reply denies the effect.
func saysNotDone(reply string, w *classify.Effect) bool {
	head := strings.TrimSpace(reply)
	if strings.HasPrefix(head, "{") {
		return deniesInObject(jsontext.Value(head), w)
	}
	head = classify.Clip(head, 300)
	return notDone.MatchString(head) && !leavesOpen.MatchString(head)
}

// deniesInObject reports that a reply's members deny the effect: one that is
// called like it, and false, or a text that says so.
func deniesInObject(reply jsontext.Value, w *classify.Effect) bool {
	var members map[string]jsontext.Value
	if json.Unmarshal(reply, &members) != nil {
		return false
	}
	for name, v := range members {
		switch {
		case string(v) == "false" && regexpEffected.MatchString(name):
			return true
		case len(v) > 0 && v[0] == '"':
			if text := classify.Clip(ingest.TextOf(v), 300); notDone.MatchString(text) && !leavesOpen.MatchString(text) {
				return true
			}
		}
	}
	return false
}

var regexpEffected = phrase.MustCompile(`(?i)^` + effected + `$`)

// claimedAsKnown is the closing text after a write that says that it happened,
// or that it did not, although nobody knows.
func claimedAsKnown(v *classify.View, w *classify.Effect) (classify.Cite, string) {
	for _, e := range closingsAfter(v, w.Action.Pos) {
		text := closingOf(e)
		switch {
		case leftOpen(v, e):
		case saysFailed(text, w):
			return e.Closing, "and the closing text says that it did not happen"
		case claimsDone(v, text, w, e):
			return e.Closing, "and the closing text says that it is done"
		}
	}
	return classify.Cite{}, ""
}

// fewClosings is how many closing texts after an effect may speak of it.
const fewClosings = 3

// closingsAfter are the next judged episodes with a closing text after a point.
func closingsAfter(v *classify.View, pos int) []*classify.Episode {
	closed := classify.Once(&v.Own, "episodes that close", func() (out []*classify.Episode) {
		for _, e := range v.Judged() {
			if e.Closing.Event != nil {
				out = append(out, e)
			}
		}
		return out
	})
	i, _ := slices.BinarySearchFunc(closed, pos, func(e *classify.Episode, p int) int { return cmp.Compare(e.Last, p) })
	if i < len(closed) && closed[i].ClosePos <= pos {
		i++
	}
	return closed[i:min(i+fewClosings, len(closed))]
}

func closingOf(e *classify.Episode) string {
	return classify.Clip(e.Closing.Run.Text(e.Closing.Event), longestClosing)
}

// leftOpen reports that a closing text leaves open what became of something, or
// tells that no answer came.
func leftOpen(v *classify.View, e *classify.Episode) bool {
	known := classify.Once(&v.Own, "closings that leave open", func() map[*classify.Episode]bool { return map[*classify.Episode]bool{} })
	open, ok := known[e]
	if !ok {
		text := closingOf(e)
		open = leavesOpen.MatchString(text) || admitsNoAnswer(text)
		known[e] = open
	}
	return open
}

const longestClosing = 4000 // bytes of a closing text that are read

// admitsNoAnswer reports that a text tells that no answer came.
func admitsNoAnswer(text string) bool {
	for sentence := range sentences(text) {
		if classify.NoAnswer(sentence) {
			return true
		}
	}
	return false
}

// saysFailed reports a sentence that names the effect and denies it.
func saysFailed(text string, w *classify.Effect) bool {
	for sentence := range sentences(text) {
		if (notDone.MatchString(sentence) || failedWords.MatchString(sentence)) && !strings.HasSuffix(sentence, "?") && mentions(sentence, w) {
			return true
		}
	}
	return false
}

// claimsDone reports a claim that names the effect, or a plain "done" where the
// write was the last thing that the episode did.
func claimsDone(v *classify.View, text string, w *classify.Effect, e *classify.Episode) bool {
	for _, c := range e.Statement.Claims {
		if c.Negated || c.End > len(text) {
			continue
		}
		sentence := text[c.Start:c.End]
		switch c.Kind {
		case claim.EffectDone, claim.Sent, claim.Pushed, claim.PROpened, claim.Deployed, claim.Done, claim.FileWritten:
			if c.Kind == claim.FileWritten && strings.ContainsAny(c.Subject, "/.") {
				continue
			}
			if mentions(sentence, w) || c.Kind == claim.Done && len(strings.Fields(sentence)) <= shortClaim && lastAct(v, w, e) {
				return true
			}
		}
	}
	return false
}

// shortClaim is of how many words a claim is that names nothing: "Done."
const shortClaim = 3

// lastAct reports that after a write the episode only looked.
func lastAct(v *classify.View, w *classify.Effect, e *classify.Episode) bool {
	return w.Action.Pos >= e.Begin && !slices.ContainsFunc(v.ActionsIn(w.Action.Pos, e.Last+1), func(a *classify.Action) bool { return a != w.Action && !a.ReadOnly() })
}

// sentences cuts a text at full stops, question and exclamation marks, and
// lines; the mark stays.
func sentences(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range text {
			end := i + len(string(r))
			stop := strings.ContainsRune(".!?;\n。！？", r) && (end == len(text) || r == '\n' || r > 127 || text[end] == ' ' || text[end] == '\n')
			if stop {
				if s := strings.TrimSpace(text[start:end]); s != "" && !yield(s) {
					return
				}
				start = end
			}
		}
		if s := strings.TrimSpace(text[start:]); s != "" {
			yield(s)
		}
	}
}

// mentions reports that a sentence names an effect: by what it makes or works
// on, by its verb, or by a value among its arguments.
func mentions(sentence string, w *classify.Effect) bool {
	low := strings.ToLower(sentence)
	return slices.ContainsFunc(effectWords(w), func(word string) bool { return beginsWord(low, word) })
}

// beginsWord reports that a word, or a longer form of it, stands in a text.
func beginsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		if from += i; from == 0 || !alnum(text[from-1]) || word[0] > unicode.MaxASCII {
			return true
		}
		from += len(word)
	}
}

// effectWords are the ways to speak of an effect, in lower case.
func effectWords(w *classify.Effect) []string {
	var out []string
	add := func(word string) {
		if word = strings.ToLower(word); len(word) >= 3 && !emptyWords[word] && len(out) < mostWords {
			out = append(out, word)
		}
	}
	nouns := w.Resource + "-" + w.Yields
	if _, target, ok := strings.Cut(w.Resource, " "); ok && strings.HasPrefix(w.Resource, "http:") {
		path := strings.Split(target, "/")
		nouns = strings.TrimSuffix(path[len(path)-1], "s")
	}
	for _, word := range strings.FieldsFunc(nouns, func(r rune) bool { return r == '-' || r == '/' || r == '_' }) {
		add(word)
	}
	if w.Verb != effect.Create && w.Verb != effect.Update && w.Verb != effect.Set && w.Verb != effect.None {
		add(strings.TrimSuffix(string(w.Verb), "e"))
	}
	var named map[string]jsontext.Value
	if json.Unmarshal([]byte(w.Identity), &named) == nil {
		for _, name := range slices.Sorted(maps.Keys(named)) {
			if v := named[name]; len(v) > 0 && v[0] == '"' {
				add(ingest.TextOf(v))
			}
		}
	}
	return out
}

// emptyWords stand in many texts without meaning the effect.
var emptyWords = wordSet("file test data item content message type name status true false main all run start new send git ref http")
