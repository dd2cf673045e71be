package rules

import (
	"strings"

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

// lastEntries are the results of a record's checks: of each check the last,
// because a check that was run again tells no more what it told before.
func lastEntries(c *record.Completion) []record.Check {
	at := map[string]int{}
	var out []record.Check
	for _, check := range c.Checks {
		key := check.Name + "\x00" + check.Split
		if check.Name == "" {
			key = strings.Join(check.Argv, "\x00")
		}
		i, known := at[key]
		switch {
		case !known:
			at[key] = len(out)
			out = append(out, check)
		case check.Finished.IsZero() || !check.Finished.Before(out[i].Finished):
			out[i] = check
		}
	}
	return out
}

// hasResult reports that an entry of a record tells what a check showed.
func hasResult(c record.Check) bool {
	if c.ExitCode != nil {
		return true
	}
	switch c.Status {
	case "", "missing", "not_run", "pending", "skipped":
		return false
	}
	return true
}
