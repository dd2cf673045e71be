package regress

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// seen is what a judgement can read of an event.
type seen struct {
	Header           ingest.Event
	Role             int
	Text, Args, Data string
}

func allSeen(r *ingest.Run) []seen {
	var out []seen
	mask := redact.NewMasker()
	canonical := func(b []byte) string {
		v := value(b).Clone()
		if len(v) > 0 && v.Canonicalize() == nil {
			return mask.Mask(string(v))
		}
		return mask.Mask(string(v))
	}
	for _, e := range r.Events {
		s := seen{Header: e, Role: r.Sources[e.Source].Role, Text: mask.Mask(r.Text(&e)), Args: canonical(r.Args(&e)), Data: canonical(r.Detail(&e))}
		h := &s.Header
		h.ID, h.Model, h.Text.Off, h.Args.Off, h.Detail.Off, h.Text.Len, h.Args.Len, h.Detail.Len = "", "", 0, 0, 0, min(1, h.Text.Len), min(1, h.Args.Len), min(1, h.Detail.Len)
		h.Source, h.Seq, h.Unit = 0, 0, 0
		h.Said = 0 // it served to sort out the history that spans repeat
		h.Parent, h.Call, h.Message, h.Agent, h.Task, h.Name = mask.Mask(h.Parent), mask.Mask(h.Call), mask.Mask(h.Message), mask.Mask(h.Agent), mask.Mask(h.Task), mask.Mask(h.Name)
		out = append(out, s)
	}
	return out
}

// TestCorpus exports every real run and reads it again, and makes a case of
// every cluster.
func TestCorpus(t *testing.T) {
	root := os.Getenv("FAULTLINE_CORPUS")
	if root == "" {
		t.Skip("FAULTLINE_CORPUS is not set")
	}
	in, verdicts := triage(t, root, redact.Key{})
	runs, events := 0, 0
	for _, v := range verdicts {
		m, err := in.Material(context.Background(), v.Run)
		require.NoError(t, err)
		for _, r := range append(m.Threads[0].Runs, m.Threads[0].Subs...) {
			if r.ID != v.Run || len(r.Events) == 0 { // a trace of plain spans has none
				continue
			}
			data, err := Export(r)
			require.NoError(t, err)
			store, ids, err := take(traceFile, data)
			require.NoError(t, err, r.File())
			require.Len(t, ids, 1, r.File())
			again, err := ingest.Load(store, ids[0], nil)
			require.NoError(t, err)
			if d := cmp.Diff(allSeen(r), allSeen(again)); d != "" {
				t.Errorf("%s: %.1500s", r.File(), d)
			}
			require.Equal(t, r.Grade, again.Grade, r.File())
			runs, events = runs+1, events+len(r.Events)
		}
		if t0 := m.Threads[0]; len(t0.Runs)+len(t0.Subs) == 1 && len(m.Records) == 0 && len(t0.Runs[0].Events) > 0 {
			assert.Equal(t, essence(v), essence(reread(t, in, t0.Runs[0], m.Config)), v.Source)
		}
	}
	clusters := Clusters(verdicts)
	kept := 0
	for _, c := range clusters {
		made, err := FromCluster(context.Background(), in, verdicts, c.Fingerprint, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.Rule, err)
			continue
		}
		kept++
		t.Logf("%s: %d runs, %d bytes, %+v", made.Name(), len(c.Runs), len(made.Bytes()), *made.Reduced)
	}
	t.Logf("%d runs, %d events, %d clusters, %d cases", runs, events, len(clusters), kept)
}
