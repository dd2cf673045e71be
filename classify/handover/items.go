package handover

import (
	"strings"
	"unicode"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/todo"
)

// Listed is an entry of a list in a text, with the state under which the text
// lists it.
type Listed struct {
	State todo.State // Done or Open
	Words []string   // in lower case
	Cite  classify.Cite
	Pos   int
	Grade classify.Grade
}

// label matches what introduces a list: a heading, or a few words before a
// colon at the start of a line or sentence.
var label = phrase.MustCompile(`(?m)(?:^|[.;!?。;]\s*)[ \t#*>-]*([\p{L}][^\n:.;,。:]{0,40}?)[ *]*[::]|^#+[ \t]*([^\n]{2,60})$`)

// labelWords tell the state of what stands under a label, as starts of words in
// any language that harnesses' summaries were seen in; a language is added by
// adding words. A label that has words of both says nothing.
var labelWords = map[todo.State][]string{
	todo.Done: {"done", "complete", "finished", "closed", "erledigt", "fertig", "abgeschlossen", "hecho", "terminad", "completad", "fait", "terminé", "achevé", "concluíd", "fatto", "已完成", "完了", "完成", "готово", "сделано"},
	todo.Open: {"open", "left", "remaining", "pending", "todo", "to do", "outstanding", "unfinished", "not done", "not yet", "incomplete", "offen", "ausstehend", "übrig", "pendiente", "falta", "restant", "reste", "à faire", "pendente", "rimane", "待办", "未完成", "残り", "осталось"},
}

// longestEntry is how many words an entry may have: longer ones are prose.
const longestEntry = 14

// Items are the entries that the texts list as done or as open.
func (h *Handover) Items() []Listed {
	var out []Listed
	for _, t := range h.Texts {
		marks := label.FindAllStringSubmatchIndex(t.Text, -1)
		for k, m := range marks {
			state := labelState(t.Text[m[0]:m[1]])
			end := len(t.Text)
			if k+1 < len(marks) {
				end = marks[k+1][0]
			}
			if state == "" || end < m[1] {
				continue
			}
			for _, entry := range entries(t.Text[m[1]:end]) {
				out = append(out, Listed{state, entry, t.Cite, t.Pos, t.Grade()})
			}
		}
		for line := range strings.Lines(t.Text) {
			if items, ok := todo.FromText(line); ok && len(items) == 1 && items[0].State != todo.Active {
				out = append(out, Listed{items[0].State, Words(items[0].Text), t.Cite, t.Pos, t.Grade()})
			}
		}
	}
	return out
}

func labelState(s string) todo.State {
	s = strings.ToLower(s)
	var state todo.State
	for _, st := range []todo.State{todo.Open, todo.Done} {
		for _, w := range labelWords[st] {
			if i := strings.Index(s, w); i >= 0 && (i == 0 || !unicode.IsLetter(rune(s[i-1]))) {
				if state != "" && state != st {
					return ""
				}
				state = st
			}
		}
	}
	return state
}

// entries cuts a list at lines, commas and semicolons. A text that runs on in
// sentences ends with the first of them, unless each line is an entry.
func entries(s string) [][]string {
	var out [][]string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(",;、,;", r) }) {
			part, rest, _ := strings.Cut(part+" ", ". ")
			if w := Words(part); len(w) > 0 && len(w) <= longestEntry {
				out = append(out, w)
			}
			if strings.TrimSpace(rest) != "" {
				break
			}
		}
	}
	return out
}

// Words are the words of a text in lower case, for comparison: letters and
// digits, without what is shorter than three characters.
func Words(s string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) >= 3 {
			out = append(out, w)
		}
	}
	return out
}
