package ingest

import "github.com/faultline-dev/faultline/ingest/nest"

// spans is what a matcher knows of runs that are made of spans. There, a call
// is told of by the model that proposes it, and by one or more spans of its
// dispatch, each of which has its own end.
type spans struct {
	under  map[string]string // span → the one that it stands under
	byNode map[string]int    // span of a dispatch → its execution
	inner  map[int]string    // execution → its innermost span
	byCall map[string][]int  // call id → executions
	asked  map[int]bool      // executions that a model's proposal belongs to
}

// dispatches reports that the event is the start of a span that runs a tool,
// not the word of a model that wants it run.
func (e *Event) dispatches() bool { return e.Kind == ToolCall && e.Actor == Harness && e.ID != "" }

// dispatch takes the start of a span. It belongs to the execution of its call
// id that is still a proposal, or to one with a span inside or around it.
func (m *matcher) dispatch(i int, e *Event) {
	if m.spans.byNode == nil {
		m.spans = m.run.spans()
	}
	if k, ok := m.execution(e); ok {
		m.join(k, i, e)
		return
	}
	m.begin(i, e)
	k := len(m.out) - 1
	m.out[k].Span = e.ID
	if first := m.spans.byCall[e.Call]; e.Call != "" && len(first) > 0 && e.Args.Len == 0 {
		m.out[k].Asked = m.out[first[0]].Call
	}
	m.spans.byNode[e.ID], m.spans.inner[k] = k, e.ID
	m.spans.byCall[e.Call] = append(m.spans.byCall[e.Call], k)
}

// late takes a proposal that comes behind the start of its dispatch: the model's
// span was still open, or clocks differ.
func (m *matcher) late(i int, e *Event) bool {
	for _, k := range m.spans.byCall[e.Call] {
		if m.spans.asked[k] {
			continue
		}
		m.spans.asked[k] = true
		if x := &m.out[k]; m.run.Events[x.Call].Args.Len == 0 {
			x.Call = i
		}
		return true
	}
	return false
}

func (r *Run) spans() spans {
	s := spans{under: map[string]string{}, byNode: map[string]int{}, inner: map[int]string{}, byCall: map[string][]int{}, asked: map[int]bool{}}
	for i := range r.Events {
		if e := &r.Events[i]; e.ID != "" {
			s.under[e.ID] = e.Parent
		}
	}
	return s
}

func (m *matcher) execution(e *Event) (int, bool) {
	for _, k := range m.spans.byCall[e.Call] {
		in := m.spans.inner[k]
		if m.spans.encloses(in, e.ID) || m.spans.encloses(e.ID, in) {
			return k, true
		}
	}
	k, ok := m.last[e.Call]
	return k, ok && e.Call != "" && m.spans.inner[k] == ""
}

func (s *spans) encloses(outer, inner string) bool {
	for range nest.Max {
		up, ok := s.under[inner]
		if !ok || up == "" {
			return false
		}
		if up == outer {
			return true
		}
		inner = up
	}
	return false
}

// join makes a span one more view of an execution. The innermost counts, but
// arguments are taken where they are recorded.
func (m *matcher) join(k, i int, e *Event) {
	x, in := &m.out[k], m.spans.inner[k]
	m.spans.byNode[e.ID] = k
	if in == "" {
		m.spans.asked[k] = true
		m.spans.byCall[e.Call] = append(m.spans.byCall[e.Call], k)
	} else {
		x.Repeats++
		if !m.spans.encloses(in, e.ID) {
			return
		}
	}
	m.spans.inner[k], x.Span = e.ID, e.ID
	if x.Call < 0 || e.Args.Len > 0 || m.run.Events[x.Call].Args.Len == 0 {
		x.Call = i
	}
}

// returned takes a result of a call that has a span: the span's own, that of
// one around it, or what the model was shown. The innermost span tells the
// outcome; the text is taken where it is recorded.
func (m *matcher) returned(k, i int, e *Event) {
	x := &m.out[k]
	first := x.Result < 0
	switch {
	case e.ID == m.spans.inner[k]:
		had := x.Result
		m.close(k, i, e)
		if had >= 0 && e.Text.Len == 0 {
			x.Result = had
		}
	case first:
		m.close(k, i, e)
	case m.run.Events[x.Result].Text.Len == 0:
		x.Result = i
	}
}

// spanned finds the execution of a result by the span that it ends, or by its
// call id where a span tells of the call.
func (m *matcher) spanned(e *Event) (int, bool) {
	if k, ok := m.spans.byNode[e.ID]; ok && e.ID != "" {
		return k, true
	}
	all := m.spans.byCall[e.Call]
	if e.Call == "" || len(all) == 0 {
		return 0, false
	}
	for _, k := range all {
		if m.out[k].Result < 0 {
			return k, true
		}
	}
	return all[len(all)-1], true
}
