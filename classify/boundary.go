package classify

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/ingest"
)

// Boundary is a point at which what was known before may be lost after:
// compaction, resume, a continuation in another file, or the start of a later
// run of the thread.
type Boundary struct {
	Kind string // "compaction", "resume", "continuation", "run"
	Pos  int    // of the first event after it
	Cite Cite
	Run  *ingest.Run // the run that goes on after it
}

// resumeGap is the pause after which "continue" in one file is a resume. An
// episode that was cut off needs no pause.
const resumeGap = 30 * time.Minute

func (th *Thread) readBoundaries() {
	for k, r := range th.Runs {
		if k > 0 {
			if i := firstOwn(r); i >= 0 {
				th.Boundaries = append(th.Boundaries, Boundary{"run", th.base[r] + i, Cite{r, &r.Events[i]}, r})
			}
		}
		source := -1
		for i := range r.Events {
			e := &r.Events[i]
			if e.Copied || e.Agent != "" {
				continue
			}
			if r.Sources[e.Source].Role == 0 && e.Source != source {
				if source >= 0 {
					th.Boundaries = append(th.Boundaries, Boundary{"continuation", th.base[r] + i, Cite{r, e}, r})
				}
				source = e.Source
			}
			switch {
			case e.Kind == ingest.Compaction && e.Name != "micro":
				th.Boundaries = append(th.Boundaries, Boundary{"compaction", th.base[r] + i, Cite{r, e}, r})
			case e.Kind == ingest.Resume, e.Kind == ingest.Handoff:
				th.Boundaries = append(th.Boundaries, Boundary{"resume", th.base[r] + i, Cite{r, e}, r})
			}
		}
		th.inFileResumes(r)
	}
	slices.SortStableFunc(th.Boundaries, func(a, b Boundary) int { return cmp.Compare(a.Pos, b.Pos) })
}

// firstOwn is the first event that the run owns, -1 if it only copies.
func firstOwn(r *ingest.Run) int {
	return slices.IndexFunc(r.Events, func(e ingest.Event) bool { return !e.Copied })
}

// inFileResumes finds requests to go on after an end that nothing stated, or
// after a long pause.
func (th *Thread) inFileResumes(r *ingest.Run) {
	eps := r.Episodes()
	for k := 1; k < len(eps); k++ {
		req := eps[k].Request
		if req < 0 || r.Events[req].Copied || !continues(r.Text(&r.Events[req])) {
			continue
		}
		last := lastTime(r, eps[k-1])
		gap := r.Events[req].At.Sub(last)
		if eps[k-1].End < 0 || interrupted(r, eps[k-1]) || !last.IsZero() && gap >= resumeGap {
			th.Boundaries = append(th.Boundaries, Boundary{"resume", th.base[r] + req, Cite{r, &r.Events[req]}, r})
		}
	}
}

func interrupted(r *ingest.Run, ep ingest.Episode) bool {
	return ep.End >= 0 && r.Events[ep.End].Reason == ingest.Interrupted
}

func lastTime(r *ingest.Run, ep ingest.Episode) time.Time {
	for i := ep.Last; i >= ep.First; i-- {
		if at := r.Events[i].At; !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// goOn holds ways to ask for no more than going on, English first; a language
// is added by adding rows.
var goOn = []string{
	"continue", "go on", "resume", "proceed", "keep going", "carry on", "go ahead", "pick up where", "where you left off",
	"where we left off", "try again", "weiter", "fortsetzen", "mach weiter", "continua", "continúa", "sigue", "continuez", "continue.",
	"reprends", "继续", "続けて",
}

// handedOver holds ways in which a hand-over begins that a harness puts into
// the user's place. Such a text may be of any length.
var handedOver = []string{
	"this session is being continued", "you are picking up", "you are continuing", "continuing from", "continue from",
	"picking up from", "previous conversation", "previous session", "previous agent", "handoff:", "hand-off:", "summary of the",
}

// longestGoOn bounds a request that is nothing but "go on".
const longestGoOn = 160

// continues reports that a request asks only to go on with what was asked
// before, so that what follows is not a new intent.
func continues(request string) bool {
	t := strings.ToLower(strings.TrimSpace(request))
	head := t[:min(len(t), longestGoOn)]
	for _, phrase := range handedOver {
		if strings.Contains(head, phrase) {
			return true
		}
	}
	if t == "" || len(t) > longestGoOn {
		return false
	}
	for _, phrase := range goOn {
		if strings.Contains(t, phrase) {
			return true
		}
	}
	return false
}

// AskedAnew reports that a request that is more than "go on" stands between
// two points: what follows it was asked for again.
func (th *Thread) AskedAnew(after, before int) bool { return th.Asked().Any(after, before) }

// goal is the thread's first request: a session that is started with it again
// was not asked anything new.
func (th *Thread) goal() string {
	for _, r := range th.Runs {
		for i := range r.Events {
			if e := &r.Events[i]; e.Kind == ingest.Message && e.Actor == ingest.User && e.Agent == "" {
				return strings.TrimSpace(r.Text(e))
			}
		}
	}
	return ""
}
