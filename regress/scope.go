package regress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// scope is how much of its threads a case keeps.
type scope struct {
	words   string
	parts   [][]part     // by thread
	dropped map[int]bool // records that are left out, by their index
	cut     bool         // parts of it were left out on trial
	last    bool         // nothing larger is left to try
}

// part is some events of a run, by their index, in order.
type part struct {
	run    *ingest.Run
	events []int
}

func whole(r *ingest.Run) part { return stretch(r, 0, len(r.Events)-1) }

// stretch is the events from one index to another, both inclusive.
func stretch(r *ingest.Run, first, last int) part {
	p := part{run: r, events: make([]int, 0, last-first+1)}
	for i := first; i <= last; i++ {
		p.events = append(p.events, i)
	}
	return p
}

// threads lists the runs that are kept, by thread.
func (s scope) threads() [][]*ingest.Run {
	var out [][]*ingest.Run
	for _, parts := range s.parts {
		var runs []*ingest.Run
		for _, p := range parts {
			runs = append(runs, p.run)
		}
		out = append(out, runs)
	}
	return out
}

func (s scope) events() int {
	n := 0
	for _, p := range slices.Concat(s.parts...) {
		n += len(p.events)
	}
	return n
}

// runs are all runs of the threads in hand.
func (m *miner) runs() []*ingest.Run {
	var out []*ingest.Run
	for _, t := range m.material.Threads {
		out = append(append(out, t.Runs...), t.Subs...)
	}
	return out
}

func (m *miner) find(id string) *ingest.Run {
	for _, r := range m.runs() {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// scopes lists what to keep, smallest first: the episodes that the finding
// cites, the runs that it cites, their threads.
func (m *miner) scopes() []scope {
	var out []scope
	add := func(words string, keep func(*ingest.Run) part) {
		s := scope{words: words}
		for _, t := range m.material.Threads {
			var parts []part
			for _, r := range slices.Concat(t.Runs, t.Subs) {
				if p := keep(r); p.run != nil && len(r.Events) > 0 {
					parts = append(parts, p)
				}
			}
			s.parts = append(s.parts, parts)
		}
		if n := len(out); s.events() > 0 && (n == 0 || s.events() > out[n-1].events()) {
			out = append(out, s)
		} else if n > 0 && s.events() == out[n-1].events() {
			out[n-1] = s
		}
	}
	add("the episode that the finding cites", m.citedPart)
	add("what the finding cites, each run whole", func(r *ingest.Run) part {
		if slices.Contains(m.cited, r.ID) {
			return whole(r)
		}
		return part{}
	})
	add("the whole thread", whole)
	if n := len(out); n > 0 {
		out[n-1].last = true
	}
	return out
}

// everything is each run whole, by thread.
func (m *miner) everything() (out [][]part) {
	for _, t := range m.material.Threads {
		var parts []part
		for _, r := range slices.Concat(t.Runs, t.Subs) {
			if len(r.Events) > 0 {
				parts = append(parts, whole(r))
			}
		}
		out = append(out, parts)
	}
	return out
}

// citedPart spans the episodes of a run that hold events the finding cites. A
// trial is not cut: its grader judged it as a whole.
func (m *miner) citedPart(r *ingest.Run) part {
	cites := map[place]bool{}
	for _, ref := range m.finding.Refs {
		cites[placeOf(ref)] = true
	}
	if r.Meta.Trial {
		if slices.Contains(m.cited, r.ID) {
			return whole(r)
		}
		return part{}
	}
	first, last := -1, -1
	for _, ep := range r.Episodes() {
		for i := ep.First; i <= ep.Last; i++ {
			if !cites[placeOf(r.Ref(&r.Events[i]))] {
				continue
			}
			if first < 0 {
				first = ep.First
			}
			last = ep.Last
			break
		}
	}
	if first < 0 {
		return part{}
	}
	return stretch(r, first, last)
}

// comment is the prose of a case. Words of the trace never begin a line, so
// that none can pass for a file's marker.
func (m *miner) comment(d *draft) string {
	mask := redact.NewMasker()
	var b strings.Builder
	fmt.Fprintf(&b, "What failed: %s.\n", strings.TrimRight(oneLine(mask.Mask(d.found.Message)), "."))
	if title := m.title(); title != "" {
		fmt.Fprintf(&b, "Rule %s (%s): %s.\n", d.Rule, d.found.Severity, oneLine(title))
	}
	fmt.Fprintf(&b, "\nKept is %s: %d of %d events", d.keeps(), d.Reduced.Events[1], d.Reduced.Events[0])
	if n := len(m.runs()); n > 1 {
		fmt.Fprintf(&b, ", %d of %d runs", len(slices.Concat(d.scope.parts...)), n)
	}
	if src := d.Sources[0]; src.Harness != "" {
		fmt.Fprintf(&b, ", recorded by %s", oneLine(mask.Mask(strings.TrimSpace(src.Harness+" "+src.Version))))
	}
	b.WriteString(".\n")
	b.WriteString(d.Reduced.words())
	if n := strings.Count(string(d.Records), "\n"); n > 0 {
		fmt.Fprintf(&b, "The record documents that it needs are in records.jsonl (%d).\n", n)
	}
	if len(d.Config) > 0 {
		b.WriteString("Without the configuration in faultline.yaml the finding does not show.\n")
	}
	if len(d.Script) > 0 {
		b.WriteString("script.json brings it about again: `faultline replay` plays it against a harness.\n")
	} else if d.unplayed != "" {
		fmt.Fprintf(&b, "It has no script for a replay: %s.\n", oneLine(mask.Mask(d.unplayed)))
	}
	b.WriteString("\n`faultline regress run` on this folder judges these files as they stand; the rule must fire at\n" +
		"the line that `want` names. What `expect` demands of other runs holds once a reviewer approves it.\n")
	return b.String()
}

// keeps names what was kept, before anything of it was left out on trial.
func (d *draft) keeps() string {
	if d.scope.cut {
		return "a part of " + d.scope.words
	}
	return d.scope.words
}

// words are what a search may claim.
func (r *Reduction) words() string {
	candidates := fmt.Sprintf("%d candidates were judged", r.Judged)
	if r.Judged == 1 {
		candidates = "1 candidate was judged"
	}
	switch {
	case r.Judged == 0:
		return ""
	case r.Complete:
		return "It is the smallest found: nothing of it can be left out alone (" + candidates + ").\n"
	}
	return "The budget ran out: a smaller part may show it too (" + candidates + ").\n"
}

// title is the rule's own, from its documentation.
func (m *miner) title() string {
	for _, r := range m.in.Rules {
		if r.Name == m.finding.Rule {
			return strings.TrimRight(r.Doc.Title, ".")
		}
	}
	return ""
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
