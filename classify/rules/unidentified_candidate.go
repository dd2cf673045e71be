package rules

import (
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/record"
)

var unidentifiedCandidate = classify.Rule{
	Name:    "acceptance/unidentified-candidate",
	Highest: classify.Medium,
	Doc: classify.Doc{
		Title:    "A record accepts a state that nobody can identify",
		Text:     "A Completion record accepts work and names no snapshot, or names one that leaves out a part of the tree: what was not committed, or files that are not tracked. Nobody can say what was tested and what was accepted.",
		Fires:    "The digest covers tracked files only, the tree is dirty, and the record says accepted.",
		NearMiss: "A clean commit; a digest or manifest that includes untracked files; a record that leaves the work open or rejects it.",
		Occasion: "a Completion record that accepts the work or calls it eligible",
		Needs:    "the record",
		Owner:    classify.Acceptance,
		Change:   "Refuse to accept a dirty tree, or take a manifest of all files, untracked ones included.",
		Metric:   "accepted records without a complete snapshot",
	},
	Occasion: hasRecordedAcceptance,
	Check: func(v *classify.View, p *classify.Pass) {
		for _, e := range recordedAcceptances(v) {
			why, message := unidentified(e.Record.Completion.Candidate)
			switch {
			case message != "":
				reportOfRecord(p, e, classify.Medium, message, why)
			case why != "":
				p.Abstain(why)
			}
		}
	},
}

// unidentified says why a snapshot does not name a whole state, and in which
// words. Without a message the record does not tell, and why is what is missing.
func unidentified(s record.Snapshot) (why, message string) {
	dirty := s.Clean != nil && !*s.Clean
	switch {
	case strings.TrimSpace(s.ID) == "":
		return "no snapshot", "the record accepts work without naming a snapshot of it"
	case s.UntrackedIncluded != nil && *s.UntrackedIncluded, s.Clean != nil && *s.Clean:
		return "", ""
	case s.UntrackedIncluded != nil && dirty:
		return "untracked files", "the record accepts a dirty tree, and untracked files are not in its snapshot"
	case dirty && s.Kind == "commit":
		return "dirty commit", "the record accepts a dirty tree and names a commit, which does not hold what was not committed"
	case dirty, s.UntrackedIncluded != nil && s.Kind != "commit":
		return "whether the snapshot of a dirty tree holds untracked files", ""
	}
	return "", ""
}

// reportOfRecord reports what the record that decided an episode says itself.
func reportOfRecord(p *classify.Pass, e *classify.Episode, s classify.Severity, message string, structure ...string) {
	p.Report(classify.Hit{
		Severity: s, Grade: classify.Recorded, Episode: e.Index, At: e.AtPos,
		Cite: []classify.Cite{e.Record.Cite}, Message: message, Structure: structure,
	})
}
