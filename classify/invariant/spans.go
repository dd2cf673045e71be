package invariant

import (
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest/span"
)

// spans asks of an accepted run whether what had to be measured was, and was
// within its limit.
func (c *checker) spans() {
	var last *classify.Episode
	for _, e := range c.v.Judged() {
		if e.Accepted {
			last = e
		}
	}
	if last == nil {
		return
	}
	cite := []classify.Cite{last.At}
	n, limit := 0, c.inv.LongestFor()
	for unit := range c.v.Run.Units() {
		name, took, ok := span.Measured(unit)
		if !ok || !config.Wild(c.inv.Spans, name) {
			continue
		}
		n++
		if limit > 0 && took > limit {
			c.report(last, last.AtPos, cite, "span %q took %v, more than %v", classify.Clip(name, 60), took.Round(time.Millisecond), limit)
			return
		}
	}
	if n < max(c.inv.AtLeast, 1) {
		c.report(last, last.AtPos, cite, "%d of %d spans %q were measured", n, max(c.inv.AtLeast, 1), c.inv.Spans)
	}
}
