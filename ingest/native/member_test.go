package native_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/native"
	"github.com/faultline-dev/faultline/ingest/redact"
)

func load(t *testing.T, trace string) *ingest.Run {
	t.Helper()
	store, f := memstore.New(), native.Format
	w := decode.NewWriter(store, redact.New(redact.Key{}), decode.Target{
		Format: f.Name, Version: f.Version, Grade: f.Grade, Path: "trace.jsonl", Size: int64(len(trace)), Digest: "d"})
	require.NoError(t, f.Decode(&decode.Input{Path: "trace.jsonl", Size: int64(len(trace)), ReaderAt: bytes.NewReader([]byte(trace))}, w))
	receipt, err := w.Close()
	require.NoError(t, err)
	require.Empty(t, receipt.Reasons)
	require.Len(t, receipt.Runs, 1, "the members are one run")
	r, err := ingest.Load(store, receipt.Runs[0], nil)
	require.NoError(t, err)
	return r
}

// TestMembersOfATrial: the grader's events of an exported trial come after the
// agent's, from a source of their own role, and add nothing to what the run's
// sources can record.
func TestMembersOfATrial(t *testing.T) {
	r := load(t, `{"faultline":"event/v1","run_id":"t","kind":"check","name":"test_total","outcome":"fail","at":null,"role":104}
{"faultline":"event/v1","run_id":"t","kind":"message","actor":"agent","text":"Done.","at":null,"run":{"format":"harbor","trial":true,"part":2,"grade":["tools"]}}
`)
	require.Equal(t, "harbor", r.Format)
	require.Equal(t, ingest.HasTools, r.Grade)
	require.Equal(t, 2, r.Meta.Part)
	require.True(t, r.Meta.Trial)
	require.Len(t, r.Sources, 2)
	require.Equal(t, []ingest.Kind{ingest.Message, ingest.Check}, []ingest.Kind{r.Events[0].Kind, r.Events[1].Kind})
	require.Equal(t, 104, r.Sources[r.Events[1].Source].Role)
}

// TestStatedLackOfOutcome: "none" keeps a result without outcome as it was;
// without it an exit status decides.
func TestStatedLackOfOutcome(t *testing.T) {
	r := load(t, `{"faultline":"event/v1","run_id":"t","kind":"tool_result","exit_code":1,"outcome":"none","at":null}
{"faultline":"event/v1","run_id":"t","kind":"tool_result","exit_code":1,"at":null}
`)
	require.Equal(t, ingest.Outcome(""), r.Events[0].Outcome)
	require.Equal(t, ingest.Fail, r.Events[1].Outcome)
}

// TestHostileRoles: a role that is no member's is the agent's own.
func TestHostileRoles(t *testing.T) {
	r := load(t, `{"faultline":"event/v1","run_id":"t","kind":"check","role":-3,"at":null}
{"faultline":"event/v1","run_id":"t","kind":"check","role":1e300,"at":null}
{"faultline":"event/v1","run_id":"t","kind":"check","role":"x","at":null}
`)
	require.Len(t, r.Sources, 1)
	require.Equal(t, 0, r.Sources[0].Role)
	require.Len(t, r.Events, 3)
}
