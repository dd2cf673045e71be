package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

// step is one event with its text, as raw JSON or plain text, and arguments.
type step struct {
	ingest.Event
	text, args string
	native     string // native id of the unit
	carries    string
}

// put stores the steps as one source of a run, a unit each.
func put(t testing.TB, s ingest.Store, m ingest.Manifest, steps ...step) {
	t.Helper()
	b := &ingest.Block{Run: m.Run}
	for i, st := range steps {
		data := []byte(st.text + st.args)
		e := st.Event
		e.Text = ingest.Span{Len: uint32(len(st.text))}
		e.Args = ingest.Span{Off: uint32(len(st.text)), Len: uint32(len(st.args))}
		u := ingest.Unit{ID: ingest.ContentUnit([]byte(fmt.Sprint(i, st))), Data: data, Events: []ingest.Event{e}}
		if st.native != "" {
			u.ID, u.Native, u.Carries = ingest.NativeUnit(st.native), true, st.carries
		}
		b.Units = append(b.Units, u)
		m.Places = append(m.Places, ingest.Place{ID: u.ID, Line: i + 1, Offset: int64(10 * i), Length: int64(len(data)), Events: 1})
	}
	if m.Digest == "" {
		m.Digest = "digest of " + m.Run
	}
	require.NoError(t, s.PutBlock(b))
	require.NoError(t, s.PutManifest(&m))
}

// runOf is a run of one source.
func runOf(t testing.TB, steps ...step) *ingest.Run {
	t.Helper()
	s := memstore.New()
	put(t, s, ingest.Manifest{Run: "r", Format: "probe"}, steps...)
	return loaded(t, s, "r")
}

func loaded(t testing.TB, s ingest.Store, id string) *ingest.Run {
	t.Helper()
	r, err := ingest.Load(s, id, nil)
	require.NoError(t, err)
	return r
}

func quoted(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// The steps of a story. Names say who acts.

func user(text string) step {
	return step{Event: ingest.Event{Kind: ingest.Message, Actor: ingest.User}, text: quoted(text)}
}

func agent(text string) step {
	return step{Event: ingest.Event{Kind: ingest.Message, Actor: ingest.Agent}, text: quoted(text)}
}

func call(id, tool, args string) step {
	return step{Event: ingest.Event{Kind: ingest.ToolCall, Actor: ingest.Agent, Call: id, Name: tool}, args: args}
}

func result(id string, outcome ingest.Outcome, text string) step {
	return step{Event: ingest.Event{Kind: ingest.ToolResult, Actor: ingest.Tool, Call: id, Outcome: outcome}, text: quoted(text)}
}

func harness(kind ingest.Kind, outcome ingest.Outcome) step {
	return step{Event: ingest.Event{Kind: kind, Actor: ingest.Harness, Outcome: outcome}}
}

// with changes the event of a step.
func (s step) with(f func(*ingest.Event)) step {
	f(&s.Event)
	return s
}

func (s step) message(id string) step { return s.with(func(e *ingest.Event) { e.Message = id }) }
func (s step) task(id string) step    { return s.with(func(e *ingest.Event) { e.Task = id }) }

func (s step) at(minute int) step {
	return s.with(func(e *ingest.Event) { e.At = time.Date(2026, 3, 1, 10, minute, 0, 0, time.UTC) })
}

func (s step) usage(u ingest.Usage) step { return s.with(func(e *ingest.Event) { e.Usage = &u }) }
func (s step) unit(native string) step   { s.native = native; return s }
