package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/handover"
)

// deniedRecord compares what a Handoff record says of commands and checks with
// their last run before it was written.
func deniedRecord(v *classify.View, p *classify.Pass, h *handover.Handover) {
	if h.Record == nil {
		return
	}
	r := h.Record.Handoff
	report := func(c *classify.Check, said string) {
		denied{h.Record.Cite, c.Event, classify.Recorded, fmt.Sprintf("the handoff record gives %q as %s, but its last run before it was not", c.Title(), said), "record check"}.report(v, p, h, h.Begin)
	}
	if argv := r.LastCommand.Argv; len(argv) > 0 && r.LastCommand.ExitCode != nil {
		c := lastRunBefore(v, h, strings.Join(argv, " "))
		if c != nil && (c.Status == classify.Red && *r.LastCommand.ExitCode == 0 || c.Status == classify.Green && *r.LastCommand.ExitCode != 0) && !retested(v, h, c) {
			report(c, fmt.Sprintf("ended with %d", *r.LastCommand.ExitCode))
			return
		}
	}
	for _, s := range r.Claims {
		if s.Kind != "check" || !saysGreen(s.State) {
			continue
		}
		if c := lastRunBefore(v, h, s.Target); c != nil && c.Status == classify.Red && !retested(v, h, c) {
			report(c, "green")
			return
		}
	}
}

// greenWords are states of a check that is green, as records give them.
var greenWords = wordSet("green pass passed passing ok success succeeded successful clean 0 exit0")

func saysGreen(state string) bool {
	return greenWords[strings.ToLower(strings.ReplaceAll(strings.TrimSpace(state), " ", ""))] || state != "" && strings.HasPrefix(strings.ToLower(state), "green")
}

// lastRunBefore is the last run of a check with a result before the record was
// written, found by its words or name.
func lastRunBefore(v *classify.View, h *handover.Handover, target string) *classify.Check {
	at := h.Record.Handoff.At
	for _, c := range slices.Backward(v.ChecksIn(-1, h.Begin)) {
		if !at.IsZero() && c.Event.Event.At.After(at) || c.Status != classify.Red && c.Status != classify.Green {
			continue
		}
		if strings.Join(c.Argv, " ") == target || c.Name == target || c.Runner == target && target != "" {
			return c
		}
	}
	return nil
}
