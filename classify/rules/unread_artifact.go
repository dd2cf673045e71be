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

var unreadArtifact = classify.Rule{
	Name:    "handoff/unread-artifact",
	Highest: classify.Medium,
	Needs:   ingest.HasTools | ingest.HasResults,
	Doc: classify.Doc{
		Title:    "A hand-over file was written and never read",
		Text:     "A file that was written to hand progress on was not opened by whoever went on after the boundary, and nothing put its content into the context. What it says is lost, and the harness has a writer without a reader.",
		Fires:    "PROGRESS.md says where to stop; after compaction nobody opens it.",
		NearMiss: "Read first; shown by the harness; a result, which is for people; no run that goes on; a new request that needs no progress.",
		Occasion: "a boundary after which the run goes on",
		Needs:    "calls with arguments and results",
		Owner:    classify.Handoff,
		Change:   "Let the harness put the hand-over file into the context of the next session, or make reading it the first step.",
		Metric:   "hand-over files that no later session reads",
	},
	Occasion: func(v *classify.View) bool { return len(boundariesOf(v)) > 0 },
	Check: func(v *classify.View, p *classify.Pass) {
		all := handover.Find(v)
		for _, w := range handoffFiles(v) {
			h := firstAfter(all, w.written.Action.Pos)
			if h == nil || h.Next() < 0 || w.reported(v) {
				continue
			}
			first := h.Next()
			e := v.EpisodeAt(first)
			if e == nil || e.Open || v.AskedAnew(w.written.Action.Pos, first) || w.seen(v, h) {
				continue
			}
			p.Report(classify.Hit{
				Severity: classify.Medium, Grade: classify.Observed, Episode: e.Index, At: first,
				Cite:      []classify.Cite{w.written.Action.Cite(), h.Boundary.Cite, v.Event(first)},
				Message:   fmt.Sprintf("%s was written to hand progress on, and after %s nobody reads it", classify.Clip(w.written.Path, 60), boundaryWords(h.Boundary)),
				Structure: []string{h.Boundary.Kind, path.Ext(w.written.Path)},
			})
		}
	},
}

// handoffNames match the names by which agents leave their progress to a later
// session; a language is added by adding words. noteNames do so only where a
// request names the file or another word says for whom it is.
var (
	handoffNames = phrase.MustCompile(`(?i)(^|[^a-z])(hand[-_. ]?(off|over)|progress|continuation|resume[-_. ]?(here|point|notes?)|next[-_. ]?session|session[-_. ]?(notes?|state|summary|handoff)|übergabe|fortschritt|traspaso|progreso|relais|passation|progression|交接|进度|引き継ぎ|進捗)([^a-z]|$)`)
	noteNames    = phrase.MustCompile(`(?i)(^|[^a-z])(notes?|scratchpad|memory|context|state|status|journal|log)([^a-z]|$)`)
	noteExt      = map[string]bool{".md": true, ".txt": true, ".json": true, ".yaml": true, ".yml": true, ".org": true, ".rst": true, ".toml": true, ".jsonl": true, "": true}
)

// isHandoffFile reports that a file is meant for whoever goes on.
func isHandoffFile(v *classify.View, p string) bool {
	base := path.Base(p)
	if !noteExt[strings.ToLower(path.Ext(base))] || strings.Contains(p, "node_modules/") {
		return false
	}
	return handoffNames.MatchString(base) || noteNames.MatchString(base) && requestNames(v, base)
}

// requestNames reports that a request of the thread names a file.
func requestNames(v *classify.View, base string) bool {
	for _, pos := range v.Asked()[:min(len(v.Asked()), 20)] {
		if c := v.Event(pos); c.Event != nil && strings.Contains(c.Run.Text(c.Event), base) {
			return true
		}
	}
	g := v.Episodes
	return len(g) > 0 && strings.Contains(g[0].Prompt, base)
}

// handoffFile is a hand-over file as it was last written before a boundary.
type handoffFile struct {
	written *classify.Change
	lines   []string // some that only its content has
}

// mostHandoffFiles bounds how many hand-over files of one thread are followed.
const mostHandoffFiles = 50

// handoffFiles are the hand-over files that the thread's main runs wrote, each
// as of its last writing.
func handoffFiles(v *classify.View) []handoffFile {
	return classify.Once(&v.Facts, "handoff files", func() []handoffFile {
		last := map[string]*classify.Change{}
		var order []string
		for _, c := range v.Changes {
			if c.Action.Sub || c.Action.Outcome != ingest.OK || c.Install || !isHandoffFile(v, c.Path) {
				continue
			}
			if last[c.Path] == nil {
				order = append(order, c.Path)
			}
			if last[c.Path] == nil || !boundaryBetween(v, last[c.Path].Action.Pos, c.Action.Pos) {
				last[c.Path] = c
			}
		}
		var out []handoffFile
		for _, p := range order[:min(len(order), mostHandoffFiles)] {
			out = append(out, handoffFile{last[p], telling(last[p].Content)})
		}
		return out
	})
}

func boundaryBetween(v *classify.View, after, before int) bool {
	bounds := classify.Once(&v.Facts, "boundary positions", func() classify.Positions {
		var out classify.Positions
		for _, b := range v.Boundaries {
			out = append(out, b.Pos)
		}
		return out
	})
	return bounds.Any(after, before)
}

// telling are lines of a content by which it is known again.
func telling(content string) []string {
	var out []string
	for line := range strings.Lines(content) {
		if line = strings.TrimSpace(line); len(line) >= 16 && len(out) < 5 {
			out = append(out, line)
		}
	}
	return out
}

// firstAfter is the first hand-over of the run after a position.
func firstAfter(all []*handover.Handover, pos int) *handover.Handover {
	for _, h := range all {
		if h.Begin > pos && h.Next() >= 0 {
			return h
		}
	}
	return nil
}

// reported reports that an earlier boundary comes first: the run is not the one
// that went on from where the file was written.
func (w handoffFile) reported(v *classify.View) bool {
	pos := w.written.Action.Pos
	if pos >= v.Start() {
		return false
	}
	k := slices.Index(v.Runs, v.Run)
	return k == 0 || v.Runs[k-1] != w.written.Action.Run || boundaryBetween(v, pos, v.Start())
}

// seen reports that a call after the hand-over opens the file, or that its
// content stands in something that was shown or said after it was written.
func (w handoffFile) seen(v *classify.View, h *handover.Handover) bool {
	base := path.Base(w.written.Path)
	for _, a := range v.ActionsIn(h.Begin-1, never) {
		if !isListing(a) && (strings.Contains(a.Shell, base) || a.Shell == "" && strings.Contains(string(a.Args), base)) {
			return true
		}
		if opensAll(a) && w.within(a.Output()) {
			return true
		}
	}
	for _, r := range v.Runs {
		for i := range r.Events {
			e := &r.Events[i]
			if v.PosOf(r, i) > w.written.Action.End && speaks(e.Kind) && !e.Copied && w.within(r.Text(e)) {
				return true
			}
		}
	}
	return false
}

func (w handoffFile) within(text string) bool {
	for _, line := range w.lines {
		if strings.Contains(text, line) {
			return true
		}
	}
	return false
}

// opensAll reports a look that may show files which it does not name.
func opensAll(a *classify.Action) bool {
	return a.Kind == classify.RunsShell && a.Outcome == ingest.OK || a.Kind == classify.Looks
}

// isListing reports that a call only lists names or states.
func isListing(a *classify.Action) bool {
	if len(a.Commands) == 0 {
		return false
	}
	for _, c := range a.Commands {
		if !isSurvey(c) {
			return false
		}
		if sub, _, ok := c.Git(); ok && sub != "status" {
			return false
		}
	}
	return true
}
