package rules

import (
	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/record"
)

// recordedAcceptances are the episodes that a Completion record accepted or
// called eligible.
func recordedAcceptances(v *classify.View) []*classify.Episode {
	var out []*classify.Episode
	for _, e := range v.Judged() {
		if e.Accepted && e.Grade == classify.Recorded && e.Record != nil {
			out = append(out, e)
		}
	}
	return out
}

func hasRecordedAcceptance(v *classify.View) bool { return len(recordedAcceptances(v)) > 0 }

// Statuses by which a record says what a check showed, and that it showed
// nothing. Any other word says nothing: what counts then is the exit status.
var (
	passWords     = wordSet("passed pass ok success succeeded green")
	failWords     = wordSet("failed fail failure error errored red")
	noResultWords = wordSet("missing not_run pending queued running skipped cancelled canceled neutral")
)

// hasResult reports that an entry of a record tells what a check showed.
func hasResult(c record.Check) bool {
	return !noResultWords[c.Status] && (c.ExitCode != nil || passWords[c.Status] || failWords[c.Status])
}

// namesEmpty reports that a record names a check that had nothing to run.
func namesEmpty(c record.Check) bool {
	return c.Executed != nil && *c.Executed == 0 && (c.Status == "skipped" || c.Status == "empty" || c.Status == "not_applicable")
}

// isGreen reports that a record says of a check that it passed.
func isGreen(c record.Check) bool {
	return !isRed(c) && hasResult(c)
}

// isRed reports that a record says of a check that it failed, by whatever
// member: one that says so is enough.
func isRed(c record.Check) bool {
	return c.ExitCode != nil && *c.ExitCode != 0 || failWords[c.Status] || c.Failed != nil && *c.Failed > 0
}
