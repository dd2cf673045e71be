package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// measure is one of a hand-over, with what is found of it.
type measure struct {
	handover.Measure
	h       *handover.Handover
	sourced bool
	used    classify.Cite // the first act that repeats it
}

// mostMeasures bounds how many measures of one run are sought.
const mostMeasures = 2000

// unsourced reports measures that nothing before the hand-over shows and that
// an act after it repeats. All texts are read once for all measures.
func unsourced(v *classify.View, p *classify.Pass) {
	var all []*measure
	for _, h := range handover.Find(v) {
		for _, m := range h.Measures() {
			if len(all) < mostMeasures {
				all = append(all, &measure{Measure: m, h: h})
			}
		}
	}
	if len(all) == 0 {
		return
	}
	byText := map[string][]*measure{}
	for _, s := range all {
		byText[s.Number] = append(byText[s.Number], s)
	}
	seekSources(v, all, byText)
	seekUses(v, byText)
	for _, s := range all {
		if s.sourced || s.used.Event == nil {
			continue
		}
		denied{s.Cite, s.used, s.Grade, fmt.Sprintf("the summary states %s %s, which nothing before it shows, and it is passed on", s.Number, s.Unit), "number"}.report(v, p, s.h, s.Pos)
	}
}

// number matches a number in any text, ratio two numbers that a share can be
// made of.
var (
	number = phrase.MustCompile(`\d{1,9}(?:[.,]\d{1,9})?`)
	ratio  = phrase.MustCompile(`(\d{1,7})\s*(?:/|of|von|sur|de|out of)\s*(\d{1,7})`)
)

// seekSources marks the measures whose number something before their hand-over
// shows: as it is, rounded, as a fraction of one, or as a ratio.
func seekSources(v *classify.View, all []*measure, byText map[string][]*measure) {
	decimals := map[int]bool{}
	last := 0
	for _, s := range all {
		decimals[s.Decimals] = true
		last = max(last, s.Pos)
	}
	mark := func(x float64, pos int) {
		for d := range decimals {
			for _, scale := range []float64{1, 100, 1000, 0.001} {
				for _, s := range byText[strconv.FormatFloat(x*scale, 'f', d, 64)] {
					s.sourced = s.sourced || pos < s.Pos
				}
			}
		}
	}
	for _, r := range v.Runs {
		for i := range r.Events {
			e, pos := &r.Events[i], v.PosOf(r, i)
			if pos >= last || e.Summary {
				continue
			}
			for _, text := range []string{r.Text(e), string(r.Args(e))} {
				markAll(text, pos, mark)
			}
		}
	}
	for _, c := range v.ChecksIn(-1, last) {
		if c.Summary.Total > 0 {
			mark(100*float64(c.Summary.Passed)/float64(c.Summary.Total), c.Pos)
		}
	}
	for _, a := range v.Actions {
		if a.Sub && a.Pos < last {
			markAll(a.Output(), a.Pos, mark)
		}
	}
}

func markAll(text string, pos int, mark func(float64, int)) {
	for _, n := range number.FindAllString(text, -1) {
		if x, err := strconv.ParseFloat(strings.Replace(n, ",", ".", 1), 64); err == nil {
			mark(x, pos)
		}
	}
	for _, m := range ratio.FindAllStringSubmatch(text, -1) {
		a, _ := strconv.ParseFloat(m[1], 64)
		if b, _ := strconv.ParseFloat(m[2], 64); b > 0 {
			mark(100*a/b, pos)
		}
	}
}

// seekUses finds, for each measure, the first act after its hand-over that
// repeats it.
func seekUses(v *classify.View, byText map[string][]*measure) {
	for _, pos := range handover.Acts(v) {
		c := v.Event(pos)
		text := c.Run.Text(c.Event)
		if c.Event.Kind == ingest.ToolCall {
			text = string(c.Run.Args(c.Event))
		}
		for _, m := range handover.Measures(text) {
			for _, s := range byText[m.Number] {
				if s.used.Event == nil && s.Unit == m.Unit && pos > s.h.End && pos < s.h.Until() {
					s.used = c
				}
			}
		}
	}
}
