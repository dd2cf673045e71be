package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

var lostState = classify.Rule{
	Name:    "handoff/lost-state",
	Highest: classify.High,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "Open items, results or the first goal were lost over a boundary",
		Text:     "What stood before the boundary is gone after it: open items are missing from the first list that is written, neither done nor spoken of; a file of results is written anew without the earlier ones; the summary gives a follow-up as the initial request.",
		Fires:    "Three items are open before compaction; the first list after it has one of them, and the others never come.",
		NearMiss: "Closed items leave the list; an item is worded anew or split; results are written together with the earlier ones; the user changed the goal.",
		Occasion: "a boundary after which the run goes on",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Carry the goal, the list and the results over a boundary as they are, outside the summary.",
		Metric:   "open items and results from before a boundary that are missing after it",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		all := handover.Find(v)
		lostItems(v, p, all)
		for _, h := range all {
			lostGoal(v, p, h)
		}
		lostResults(v, p, all)
	},
}

// lostItems compares what was left before each hand-over with the first list
// that is written anew after it.
func lostItems(v *classify.View, p *classify.Pass, all []*handover.Handover) {
	changes := v.TodoChanges()
	if len(changes) == 0 {
		return
	}
	walk, sought := v.Todos(), 0
	for _, h := range all {
		i, _ := slices.BinarySearchFunc(changes, h.Begin, func(c classify.TodoChange, pos int) int { return c.Pos - pos })
		if i == len(changes) || i == 0 || changes[i].Pos >= h.Until() || !v.Owns(changes[i].Action) {
			continue
		}
		first := changes[i].Action
		walk.To(first.Pos)
		before := walk.Left()
		walk.To(first.Pos + 1)
		if v.AskedAnew(changes[i-1].Pos, first.Pos) || len(before) == 0 || first.Sub {
			continue
		}
		var lost []classify.TodoChange
		for _, c := range before {
			if c.Pos >= h.Begin || sought == mostLost || carried(c, walk.Left()) {
				continue
			}
			if sought++; !carried(c, changes[i:]) && !doneOrSaid(v, c, h) {
				lost = append(lost, c)
			}
		}
		reportLostItems(v, p, h, first, lost)
	}
}

// mostLost bounds how many missing items of one run are sought in all that
// follows.
const mostLost = 200

// carried reports that an item stands among others, as it was, done, worded
// anew or split.
func carried(c classify.TodoChange, among []classify.TodoChange) bool {
	words := handover.Words(c.Text)
	return slices.ContainsFunc(among, func(d classify.TodoChange) bool { return !d.Gone && alikeItems(words, d.Text) })
}

// alikeItems reports that a text has half of the words or more.
func alikeItems(words []string, text string) bool {
	have, n := handover.Words(text), 0
	for _, w := range words {
		if slices.Contains(have, w) {
			n++
		}
	}
	return 2*n >= len(words)
}

// doneOrSaid reports that what an item is about was worked on after it was last
// listed, or is spoken of after the boundary: a file that has one of its words in
// its name, a text that has its rarer ones.
func doneOrSaid(v *classify.View, c classify.TodoChange, h *handover.Handover) bool {
	words := handover.Words(c.Text)
	long := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) < 4 })
	for base, last := range changedNames(v) {
		if last > c.Pos && slices.ContainsFunc(long, func(w string) bool {
			return strings.Contains(base, w) || strings.Contains(base, strings.TrimSuffix(w, "s"))
		}) {
			return true
		}
	}
	if saidAlike(v, words, h.End, v.End()) {
		return true
	}
	return slices.ContainsFunc(h.Items(), func(l handover.Listed) bool { return alikeWords(words, l.Words) && l.State == "done" })
}

// changedNames are the names of the files that the thread changed, in lower
// case, each with the position of its last change.
func changedNames(v *classify.View) map[string]int {
	return classify.Once(&v.Facts, "names of changed files", func() map[string]int {
		out := map[string]int{}
		for _, ch := range v.Changes {
			base := strings.ToLower(path.Base(ch.Path))
			out[base] = max(out[base], ch.Action.Pos)
		}
		return out
	})
}

func alikeWords(words, have []string) bool {
	n := 0
	for _, w := range words {
		if slices.Contains(have, w) {
			n++
		}
	}
	return len(words) > 0 && 2*n >= len(words)
}

func reportLostItems(v *classify.View, p *classify.Pass, h *handover.Handover, first *classify.Action, lost []classify.TodoChange) {
	e := v.EpisodeAt(first.Pos)
	if len(lost) == 0 || e == nil || e.Open {
		return
	}
	cites := []classify.Cite{first.Cite(), h.Boundary.Cite}
	for _, c := range lost[:min(len(lost), 3)] {
		cites = append(cites, c.Action.Cite())
	}
	p.Report(classify.Hit{
		Severity: classify.High, Grade: classify.Observed, Episode: e.Index, At: first.Pos, Cite: cites,
		Message:   fmt.Sprintf("%d open items from before %s are missing from the first list after it and never come (%q)", len(lost), boundaryWords(h.Boundary), classify.Clip(lost[0].Text, 60)),
		Structure: []string{h.Boundary.Kind, "items", first.Tool},
	})
}

// initialLabel matches a summary's label for what was asked first; a language is
// added by adding words.
var initialLabel = phrase.MustCompile(`(?im)(?:^|[.;!?]\s+|\n)[#*>\s\d.-]*(?:(?:the )?(?:user'?s? |overall )*(?:initial|original|first|very first)\s+(?:user\s+)?(?:request|goal|task|ask|objective|prompt|question|instruction)s?(?: (?:of|from|by) the user)?|(?:ursprüngliche|erste)s?\s+(?:anfrage|aufgabe|ziel|auftrag)|(?:petición|solicitud|objetivo|tarea)\s+(?:inicial|original)|(?:demande|objectif|tâche)\s+(?:initiale?|d'origine)|pedido\s+(?:inicial|original)|richiesta\s+(?:iniziale|originale)|最初のリクエスト|最初の依頼|初始请求|原始请求|исходный запрос|первоначальный запрос)\**\s*[::]\**\s*([^\n]{8,600})`)

// changesGoal matches a request that takes back what was asked before.
var changesGoal = phrase.MustCompile(`(?i)(\b(forget|instead|no longer|never mind|nevermind|drop|stop|cancel|skip|scrap|rather|only|vergiss|stattdessen|nicht mehr|nur noch|olvida|en lugar|ya no|oublie|plutôt|ne plus|esquece|em vez|dimentica|invece)\b|忘了|不要|改为|代わりに|やめ|забудь|вместо)`)

// lostGoal reports a summary that calls a later request the initial one, and
// has nothing of what was asked first.
func lostGoal(v *classify.View, p *classify.Pass, h *handover.Handover) {
	for _, t := range h.Texts {
		m := initialLabel.FindStringSubmatch(t.Text)
		if m == nil || h.Next() < 0 {
			continue
		}
		first, later := requestsBefore(v, h.Begin)
		if first == "" || len(later) == 0 {
			continue
		}
		sentence, _, _ := strings.Cut(m[1], ". ")
		stated := handover.Words(sentence)
		goal := withoutWords(handover.Words(first), later)
		if len(goal) < 3 || share(goal, handover.Words(t.Text)) > 0.2 || slices.ContainsFunc(later, changesGoal.MatchString) {
			continue
		}
		if !slices.ContainsFunc(later, func(l string) bool { return share(stated, handover.Words(l)) >= 0.5 }) {
			continue
		}
		e := v.EpisodeAt(h.Next())
		if e == nil || e.Open {
			continue
		}
		p.Report(classify.Hit{
			Severity: classify.High, Grade: t.Grade(), Episode: e.Index, At: t.Pos,
			Cite:      []classify.Cite{t.Cite, v.Event(firstAsked(v)), h.Boundary.Cite},
			Message:   "the summary gives a later request as the initial one, and nothing of what was asked first is left in it",
			Structure: []string{h.Boundary.Kind, "goal"},
		})
	}
}

// requestsBefore are the first request of the thread and the later ones before
// a position.
func requestsBefore(v *classify.View, pos int) (first string, later []string) {
	at := firstAsked(v)
	if at < 0 {
		return "", nil
	}
	c := v.Event(at)
	first = c.Run.Text(c.Event)
	for _, q := range v.Asked() {
		if q > at && q < pos && len(later) < 50 {
			c := v.Event(q)
			later = append(later, c.Run.Text(c.Event))
		}
	}
	return first, later
}

// firstAsked is the position of the thread's first message of the user, -1 when
// there is none.
func firstAsked(v *classify.View) int {
	if said := v.UserSpoke(); len(said) > 0 {
		return said[0]
	}
	return -1
}

// withoutWords drops words that any of the texts has.
func withoutWords(words []string, texts []string) []string {
	for _, t := range texts {
		have := handover.Words(t)
		words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 4 || slices.Contains(have, w) })
	}
	return words
}

// share is the part of the words that a text has.
func share(words, have []string) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, w := range words {
		if slices.Contains(have, w) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}
