package rules

import (
	"fmt"
	"slices"

	"github.com/faultline-dev/faultline/classify"
)

var prefixBreak = classify.Rule{
	Name:    "context/prefix-break",
	Highest: classify.High,
	Doc: classify.Doc{
		Title:    "A request does not begin with the one before",
		Text:     "Within one lineage of captured requests something before the end changed without a compaction, so what the provider had cached was sent and paid again.",
		Fires:    "The third request carries the same tools in another order; its cached tokens fall to nothing.",
		NearMiss: "Title and topic requests, sub-agents, moved cache marks, a compaction or declared context editing, a turn that the user took back.",
		Occasion: "two captured requests of one lineage",
		Needs:    "Request records",
		Owner:    classify.Context,
		Change:   "Keep system text, tools and history byte-equal and append only; put what changes at the end.",
		Metric:   "cached tokens lost per run",
	},
	Occasion: func(v *classify.View) bool { return len(requests(v)) > 1 },
	Check: func(v *classify.View, p *classify.Pass) {
		for _, l := range lineages(v) {
			if len(l.breaks) > 0 {
				l.report(v, p)
			}
		}
	},
}

// requests are the captured requests of the run in their order.
func requests(v *classify.View) []classify.Record {
	return classify.Once(&v.Own, "requests", func() []classify.Record {
		var out []classify.Record
		for _, r := range v.Records {
			if q := r.Request; q != nil && len(q.PrefixSHA256) > 0 && q.SystemSHA256 != "" && (q.RunID == v.Run.ID || q.RunID == v.Run.Meta.Native) {
				out = append(out, r)
			}
		}
		slices.SortStableFunc(out, func(a, b classify.Record) int { return a.Request.Seq - b.Request.Seq })
		return out
	})
}

// lineage is what one agent sent: requests with one system text to one model.
// A system text may serve several conversations side by side; each goes on from
// one of the heads.
type lineage struct {
	heads  []classify.Record // the latest request of each conversation, newest last
	breaks [][2]classify.Record
}

// mostHeads bounds how many conversations of a lineage are open at a time.
const mostHeads = 32

func lineages(v *classify.View) []*lineage {
	type key struct{ system, model string }
	known := map[key]*lineage{}
	var out []*lineage
	for _, r := range requests(v) {
		k := key{r.Request.SystemSHA256, r.Request.Model}
		if known[k] == nil {
			known[k] = &lineage{}
			out = append(out, known[k])
		}
		known[k].add(v, r)
	}
	return out
}

// add lets a request go on from the conversation that it begins with, else
// breaks the one that it is nearest to, else opens another.
func (l *lineage) add(v *classify.View, r classify.Record) {
	nearest, most := -1, 0
	for i := len(l.heads) - 1; i >= 0; i-- {
		n := shared(l.heads[i], r)
		if n == len(l.heads[i].Request.PrefixSHA256) {
			l.replace(i, r)
			return
		}
		if nearest < 0 || n > most {
			nearest, most = i, n
		}
	}
	if nearest >= 0 && !opens(l.heads[nearest], r, most) {
		if from := l.heads[nearest]; !timesOf(v).declared(from, r) {
			l.breaks = append(l.breaks, [2]classify.Record{from, r})
		}
		l.replace(nearest, r)
		return
	}
	if l.heads = append(l.heads, r); len(l.heads) > mostHeads {
		l.heads = slices.Delete(l.heads, 0, 1)
	}
}

func (l *lineage) replace(i int, r classify.Record) {
	l.heads = append(slices.Delete(l.heads, i, i+1), r)
}

// shared counts the parts that a request has in common with another, from the
// start.
func shared(a, b classify.Record) int {
	x, y := a.Request.PrefixSHA256, b.Request.PrefixSHA256
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// opens reports that a request begins another conversation: no longer than the
// one before, with nothing but the system part in common.
func opens(from, r classify.Record, common int) bool {
	return common < 2 && len(r.Request.PrefixSHA256) <= len(from.Request.PrefixSHA256)
}

func (l *lineage) report(v *classify.View, p *classify.Pass) {
	first := l.breaks[0]
	e, at := episodeOf(v, v.End()), v.End()
	if pos, ok := timesOf(v).place(v, first[1].Request.At); ok {
		e, at = episodeOf(v, pos), pos
	}
	if e.Open {
		return
	}
	cites := []classify.Cite{first[1].Cite, first[0].Cite}
	for _, b := range l.breaks[1:min(len(l.breaks), 4)] {
		cites = append(cites, b[1].Cite)
	}
	p.Report(classify.Hit{
		Severity: e.Neighbour(false), Grade: classify.Recorded, Episode: e.Index, At: at,
		Cite:      cites,
		Message:   fmt.Sprintf("%s not begin with the one before%s", howMany(len(l.breaks)), l.lost(timesOf(v))),
		Structure: []string{"prefix", changedIn(first)},
	})
}

func howMany(breaks int) string {
	if breaks == 1 {
		return "a request does"
	}
	return fmt.Sprintf("%d requests of one lineage do", breaks)
}

// lost says how many cached tokens the breaks cost, as far as usage tells.
func (l *lineage) lost(t *times) string {
	var sum int64
	for _, b := range l.breaks {
		sum += t.lost(b[1].Request.At)
	}
	if sum == 0 {
		return ""
	}
	return fmt.Sprintf("; %d cached tokens were lost", sum)
}

// changedIn names the part in which a break lies.
func changedIn(b [2]classify.Record) string {
	switch {
	case b[0].Request.ToolsSHA256 != b[1].Request.ToolsSHA256:
		return "tools"
	case shared(b[0], b[1]) < 2:
		return "start"
	}
	return "history"
}
