package classify

import (
	"cmp"
	"slices"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
)

// View is one run of a thread as a rule sees it. It is read-only.
type View struct {
	*Thread
	Run      *ingest.Run
	Episodes []*Episode
	Grader   Grader
	Own      Facts // of the view; Facts are the thread's

	base        int
	rejected    []config.Rejection // that govern the run
	completions map[int][]*Record  // by index of the episode that they judge
}

func newView(th *Thread, r *ingest.Run, hideGrader bool) *View {
	v := &View{Thread: th, Run: r, base: th.base[r]}
	if !hideGrader {
		v.Grader = readGrader(r)
	}
	v.readEpisodes()
	return v
}

// Start and End are the positions of the run's first and last event.
func (v *View) Start() int { return v.base }

// End is the position of the run's last event.
func (v *View) End() int { return v.base + len(v.Run.Events) - 1 }

// Judged yields the episodes that may get findings: an unfinished tail gets
// none.
func (v *View) Judged() []*Episode {
	eps := v.Episodes
	if n := len(eps); n > 0 && eps[n-1].Open {
		eps = eps[:n-1]
	}
	return eps
}

// Has reports that the run's sources can record the evidence.
func (v *View) Has(e ingest.Evidence) bool { return v.Run.Grade&e == e }

// ActionsIn returns the actions called after one point and before another.
func (v *View) ActionsIn(after, before int) []*Action { return between(v.Actions, after, before) }

// EpisodeActions returns the actions of an episode, sub-agents' included.
func (v *View) EpisodeActions(e *Episode) []*Action { return v.ActionsIn(e.Begin-1, e.Last+1) }

// EpisodeAt returns the episode that holds a position, or nil.
func (v *View) EpisodeAt(pos int) *Episode {
	i, _ := slices.BinarySearchFunc(v.Episodes, pos, func(e *Episode, p int) int { return cmp.Compare(e.Last, p) })
	if i < len(v.Episodes) && pos >= v.Episodes[i].Begin {
		return v.Episodes[i]
	}
	return nil
}

// uncapped names the rules whose inferred evidence is not text or habit alone:
// in a trial a success claim rests on the grader's record.
func (v *View) uncapped(rule string) bool {
	return rule == "acceptance/false-success" && v.Grader.Present
}

// Owns reports that the action belongs to this run.
func (v *View) Owns(a *Action) bool {
	return a.Run == v.Run || a.Sub && a.Pos >= v.Start() && a.Pos <= v.End()
}

// PosOf is the position of the i-th event of a main run of the thread.
func (v *View) PosOf(r *ingest.Run, i int) int { return v.Thread.base[r] + i }

// LimitReached reports that the run's record states that a time limit ended it.
func (v *View) LimitReached() bool {
	for i := range v.Run.Events {
		e := &v.Run.Events[i]
		if e.Reason == ingest.TimedOut && (e.Kind == ingest.Error || e.Kind == ingest.Limit) && e.Actor == ingest.Harness {
			return true
		}
	}
	return false
}
