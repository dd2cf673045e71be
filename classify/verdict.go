package classify

import (
	"slices"
	"time"

	"github.com/faultline-dev/faultline/ingest"
)

// Verdict is what is said of one run.
type Verdict struct {
	Run         string           `json:"run"`
	Source      string           `json:"source"`
	Layer       Layer            `json:"layer"`
	Owner       Layer            `json:"owner"`
	Format      string           `json:"format"`
	Thread      string           `json:"thread"`
	Task        string           `json:"task,omitzero"`
	Episodes    []EpisodeVerdict `json:"episodes"`
	Findings    []Finding        `json:"findings"`
	Waived      []Waived         `json:"waived,omitempty"`
	Rejected    []Rejected       `json:"rejected,omitempty"`
	Abstentions []Abstention     `json:"abstentions"`
	// What the run says of itself: when its first and last dated events were,
	// the harness with its version, and the models that answered, sorted.
	Began   time.Time `json:"began,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	Harness string    `json:"harness,omitzero"`
	Version string    `json:"version,omitzero"`
	Models  []string  `json:"models,omitempty"`
}

// describe takes over what the run says of itself.
func (out *Verdict) describe(r *ingest.Run) {
	out.Began, out.Ended, out.Harness, out.Version = r.Start(), r.End(), r.Meta.Harness, r.Meta.Version
	for i := range r.Events {
		if m := r.Events[i].Model; m != "" && !slices.Contains(out.Models, m) {
			out.Models = append(out.Models, m)
		}
	}
	if len(out.Models) == 0 && r.Meta.Model != "" {
		out.Models = []string{r.Meta.Model}
	}
	slices.Sort(out.Models)
}

// EpisodeVerdict is what is said of one episode. Index counts from 1. First and Last are sequence
// numbers of the main source.
type EpisodeVerdict struct {
	Index    int    `json:"index"`
	First    int    `json:"first"`
	Last     int    `json:"last"`
	Layer    Layer  `json:"layer"`
	Owner    Layer  `json:"owner"`
	Accepted string `json:"accepted"` // recorded, observed, inferred, or "no"
	Open     bool   `json:"unfinished,omitzero"`
}

// primary picks the layer and owner of a set of findings. Findings of one
// severity compete by position; where a neighbour cites an event that one of
// the three layers cites too, the latter comes first.
func primary(fs []Finding, abstained []Abstention) (Layer, Layer) {
	for _, severity := range []Severity{High, Medium} {
		var best *Finding
		for i := range fs {
			if f := &fs[i]; f.Severity == severity && (best == nil || f.before(best)) {
				best = f
			}
		}
		if best != nil {
			return best.Layer, best.owner
		}
	}
	for _, a := range abstained {
		if a.couldBeHigh {
			return CannotTell, CannotTell
		}
	}
	return None, None
}

func (f *Finding) before(g *Finding) bool {
	if f.Layer.Core() != g.Layer.Core() && sharesRef(f, g) {
		return f.Layer.Core()
	}
	if f.pos != g.pos {
		return f.pos < g.pos
	}
	if f.Layer.Core() != g.Layer.Core() {
		return f.Layer.Core()
	}
	return f.Rule < g.Rule
}

func sharesRef(f, g *Finding) bool {
	for _, a := range f.Refs {
		for _, b := range g.Refs {
			if a == b {
				return true
			}
		}
	}
	return false
}
