package ingest

// Evidence is a source's completeness grade: the set of kinds of evidence that
// it can record at all. A rule whose evidence is outside the set abstains.
type Evidence uint16

// The kinds of evidence.
const (
	HasResults   Evidence = 1 << iota // results of tool calls
	HasExitCodes                      // exit statuses, as field or as text
	HasErrors                         // a flag or envelope that marks a failed call
	HasApprovals                      // approvals and denials
	HasUsage                          // token counts
	HasTimes                          // times of events
	HasEnds                           // how a run or turn ended
	HasChecks                         // checks run by the harness
	HasSnapshots                      // the identity of the tested state
	HasRequests                       // requests as they left the harness
	HasGrader                         // an independent grader's result
	HasTools                          // tool calls with their arguments
)

var evidenceNames = []string{
	"results", "exit_codes", "errors", "approvals", "usage", "times",
	"ends", "checks", "snapshots", "requests", "grader", "tools",
}

// Names lists the set in a fixed order, in the words of the JSON output.
func (v Evidence) Names() []string {
	var names []string
	for i, name := range evidenceNames {
		if v&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Parse adds the named kinds; names that it does not know are ignored, because
// a newer writer may know more.
func (v Evidence) Parse(names []string) Evidence {
	for _, name := range names {
		for i, known := range evidenceNames {
			if name == known {
				v |= 1 << i
			}
		}
	}
	return v
}
