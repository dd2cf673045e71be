package ingest

// Usage counts tokens of model calls in one vocabulary for all formats:
// InputUncached excludes cache reads and writes, Output includes Reasoning.
// Cost is what the source says was billed, in US dollars; 0 when it says
// nothing.
type Usage struct {
	InputUncached int64   `json:"input_uncached"`
	CacheRead     int64   `json:"cache_read"`
	CacheWrite5m  int64   `json:"cache_write_5m"`
	CacheWrite1h  int64   `json:"cache_write_1h"`
	Output        int64   `json:"output"`
	Reasoning     int64   `json:"reasoning,omitzero"`
	Cost          float64 `json:"billed_cost,omitzero"`
	// Violation is set when the source's own total is not the sum of the
	// parts, or a count cannot be one. Such usage is reported, never adjusted.
	Violation bool `json:"violation,omitzero"`
}

// Input is all input tokens, cached or not.
func (u Usage) Input() int64 {
	return u.InputUncached + u.CacheRead + u.CacheWrite5m + u.CacheWrite1h
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	u.InputUncached += v.InputUncached
	u.CacheRead += v.CacheRead
	u.CacheWrite5m += v.CacheWrite5m
	u.CacheWrite1h += v.CacheWrite1h
	u.Output += v.Output
	u.Reasoning += v.Reasoning
	u.Cost += v.Cost
	u.Violation = u.Violation || v.Violation
	return u
}

// Checked leaves out counts that no model can have, which is a violation.
func (u Usage) Checked() Usage {
	for _, n := range []*int64{&u.InputUncached, &u.CacheRead, &u.CacheWrite5m, &u.CacheWrite1h, &u.Output, &u.Reasoning} {
		if *n < 0 || *n > maxTokens {
			*n, u.Violation = 0, true
		}
	}
	if u.Cost < 0 {
		u.Cost, u.Violation = 0, true
	}
	return u
}

// maxTokens is more than a run can cost, and few enough that sums hold.
const maxTokens = 1 << 48

// Usage sums what the run owns; see Billed.
func (r *Run) Usage() Usage {
	var total Usage
	for _, i := range r.Billed() {
		total = total.Add(*r.Events[i].Usage)
	}
	return total
}

// Billed returns the indices of the events whose usage counts, one for each
// model response that the run owns. A response may span several events: per
// message id that with the largest output counts, with its other parts.
func (r *Run) Billed() []int {
	best := map[string]int{}
	order := []int{}
	for i := range r.Events {
		e := &r.Events[i]
		if e.Usage == nil || e.Copied {
			continue
		}
		if e.Message == "" {
			order = append(order, i)
			continue
		}
		j, seen := best[e.Message]
		if !seen {
			best[e.Message] = len(order)
			order = append(order, i)
			continue
		}
		if e.Usage.Output > r.Events[order[j]].Usage.Output {
			order[j] = i
		}
	}
	return order
}
