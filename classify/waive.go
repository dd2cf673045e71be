package classify

import (
	"slices"
	"time"

	"github.com/faultline-dev/faultline/classify/config"
)

// Waived is a finding that the owner knows and accepts for a time. It is shown
// and counted, and decides nothing.
type Waived struct {
	Finding
	Reason  string `json:"reason"`
	By      string `json:"by,omitzero"`
	Expires string `json:"expires"` // the first day on which it is no longer waived
}

// waive takes the findings out that a waiver holds for. Expiry is judged at the
// run's last event, so that the same trace always gives the same verdict.
func (out *Verdict) waive(v *View) {
	waivers := v.config.Waivers
	if len(waivers) == 0 {
		return
	}
	at := v.lastTime()
	out.Findings = slices.DeleteFunc(out.Findings, func(f Finding) bool {
		k := slices.IndexFunc(waivers, func(w config.Waiver) bool {
			return w.Rule == f.Rule && (w.Fingerprint == "" || w.Fingerprint == f.Fingerprint) &&
				(w.Run == "" || namesRun(w.Run, v.Run)) && w.Holds(at)
		})
		if k >= 0 {
			w := waivers[k]
			out.Waived = append(out.Waived, Waived{f, w.Reason, w.By, w.Expires})
		}
		return k >= 0
	})
}

// lastTime is the latest time of the run's events.
func (v *View) lastTime() (last time.Time) {
	for i := range v.Run.Events {
		if at := v.Run.Events[i].At; at.After(last) {
			last = at
		}
	}
	return last
}
