package rules

import (
	"fmt"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

// longestBackoff bounds the pause between a time-out and a retry that the
// time-out explains.
const longestBackoff = 15 * time.Second

// spacing says, for a message, that the time-out of the first of two writes
// explains when the second was sent: their distance is the time-out and a short
// pause. Then whatever sent it again stands above the tool that timed out, and
// a retry limit inside the tool would not have helped. It is "" where times do
// not tell, or tell nothing of the kind.
func spacing(first, again *classify.Effect) string {
	a, b := dispatched(first), dispatched(again)
	limit := deadline(first)
	if a.IsZero() || b.IsZero() || limit <= 0 {
		return ""
	}
	apart := b.Sub(a)
	if pause := apart - limit; pause < 0 || pause > min(longestBackoff, max(limit/2, time.Second)) {
		return ""
	}
	return fmt.Sprintf("; the two lie %s apart, the time-out of %s and a pause: what sent it again stands above the tool",
		apart.Round(time.Second), limit.Round(time.Second))
}

// deadline is how long the caller of a write waits for its reply: as its
// contract states it, else as long as it waited when it ran out of time; 0 when
// neither tells.
func deadline(x *classify.Effect) time.Duration {
	if x.Contract != nil {
		if d, err := time.ParseDuration(x.Contract.Timeout); err == nil {
			return d
		}
	}
	ended := x.Action.CiteEnd().Event.At
	if x.Action.Reason != ingest.TimedOut || x.Action.Result < 0 || ended.IsZero() {
		return 0
	}
	return ended.Sub(dispatched(x))
}
