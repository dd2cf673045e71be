package rules

import (
	"cmp"
	"slices"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
)

// times tell what happened in a run between two captured requests, which have
// no place among its events.
type times struct {
	edits   []time.Time // of compactions, context editing, resumes
	asked   []time.Time // of the user's messages
	undated bool        // an edit has no time
	calls   []answered
	dated   []placed
}

// answered is a call of the model with what it read from and left in the cache.
type answered struct {
	at         time.Time
	read, kept int64
}

type placed struct {
	at  time.Time
	pos int
}

func timesOf(v *classify.View) *times {
	return classify.Once(&v.Own, "times", func() *times {
		t := &times{}
		for i := range v.Run.Events {
			e := &v.Run.Events[i]
			if e.Copied || e.Agent != "" {
				continue
			}
			t.take(e, v.Start()+i)
		}
		slices.SortFunc(t.edits, time.Time.Compare)
		slices.SortFunc(t.asked, time.Time.Compare)
		slices.SortStableFunc(t.calls, func(a, b answered) int { return a.at.Compare(b.at) })
		slices.SortStableFunc(t.dated, func(a, b placed) int { return cmp.Or(a.at.Compare(b.at), a.pos-b.pos) })
		return t
	})
}

func (t *times) take(e *ingest.Event, pos int) {
	edits := e.Kind == ingest.Compaction || e.Kind == ingest.Resume || e.Kind == ingest.Handoff
	switch {
	case e.At.IsZero():
		t.undated = t.undated || edits
		return
	case edits:
		t.edits = append(t.edits, e.At)
	case e.Kind == ingest.Message && e.Actor == ingest.User:
		t.asked = append(t.asked, e.At)
	}
	t.dated = append(t.dated, placed{e.At, pos})
	if u := e.Usage; u != nil {
		t.calls = append(t.calls, answered{e.At, u.CacheRead, u.CacheRead + u.CacheWrite5m + u.CacheWrite1h})
	}
}

// declared reports that the run tells of what changed between two requests: a
// compaction, context editing, a resume, or the user's taking a turn back.
// Without times any of them may be it.
func (t *times) declared(from, to classify.Record) bool {
	a, b := from.Request.At, to.Request.At
	if a.IsZero() || b.IsZero() {
		return t.undated || len(t.edits) > 0
	}
	shrunk := len(to.Request.PrefixSHA256) <= len(from.Request.PrefixSHA256)
	return t.undated || within(t.edits, a, b) || shrunk && within(t.asked, a, b)
}

func within(list []time.Time, from, to time.Time) bool {
	i, _ := slices.BinarySearchFunc(list, from, time.Time.Compare)
	return i < len(list) && !list[i].After(to)
}

// lost is how many tokens that were in the cache before a request the answer to
// it did not read from there, 0 when usage does not tell.
func (t *times) lost(request time.Time) int64 {
	i, _ := slices.BinarySearchFunc(t.calls, request, func(c answered, at time.Time) int { return c.at.Compare(at) })
	if request.IsZero() || i == 0 || i == len(t.calls) {
		return 0
	}
	return max(0, t.calls[i-1].kept-t.calls[i].read)
}

// place is the position of the last event up to a time.
func (t *times) place(v *classify.View, at time.Time) (int, bool) {
	i, _ := slices.BinarySearchFunc(t.dated, at, func(p placed, at time.Time) int {
		if p.at.After(at) {
			return 1
		}
		return -1
	})
	if at.IsZero() || i == 0 {
		return v.Start(), !at.IsZero()
	}
	return t.dated[i-1].pos, true
}
