package claude_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/claude"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/memstore"
)

// TestCorpus decodes every transcript of a folder of real traces and compares
// it with counts that were made independently.
func TestCorpus(t *testing.T) {
	root := os.Getenv("FAULTLINE_CORPUS")
	if root == "" {
		t.Skip("FAULTLINE_CORPUS is not set")
	}
	index, err := os.ReadFile(filepath.Join(root, "INDEX.tsv"))
	require.NoError(t, err)
	seen := 0
	for _, row := range rows(string(index)) {
		for _, f := range []decode.Format{claude.Session, claude.Stream} {
			if row["format"] != f.Name {
				continue
			}
			seen++
			t.Run(row["file"], func(t *testing.T) { compare(t, f, root, row) })
		}
	}
	require.NotZero(t, seen)
}

func rows(index string) (out []map[string]string) {
	lines := strings.Split(strings.TrimRight(index, "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range strings.Split(line, "\t") {
			row[names[i]] = cell
		}
		out = append(out, row)
	}
	return out
}

func compare(t *testing.T, f decode.Format, root string, row map[string]string) {
	raw, err := os.ReadFile(filepath.Join(root, row["file"]))
	require.NoError(t, err)
	head := raw[:min(len(raw), decode.HeadSize)]
	assert.True(t, f.Detect(head), "detected")
	for _, other := range []decode.Format{claude.Session, claude.Stream} {
		assert.Equal(t, other.Name == f.Name, other.Detect(head), other.Name)
	}

	s := memstore.New()
	rc := decodeInto(t, s, f, raw)
	var facts map[string]any
	require.NoError(t, json.Unmarshal([]byte(row["facts"]), &facts))
	fact := func(name string) int {
		n, _ := facts[name].(float64)
		return int(n)
	}
	cell := func(name string) int {
		n, err := strconv.Atoi(row[name])
		require.NoError(t, err)
		return n
	}
	assert.Equal(t, fact("objects"), rc.Units, "objects")
	assert.Equal(t, fact("objects"), rc.Stored+rc.Duplicates, "objects kept")
	assert.Zero(t, rc.Quarantined)
	require.Len(t, rc.Runs, 1)

	run, err := ingest.Load(s, rc.Runs[0], nil)
	require.NoError(t, err)
	got := count(run)
	assert.Equal(t, cell("tool_calls"), got.calls, "tool calls")
	assert.Equal(t, cell("tool_results"), got.results, "tool results")
	assert.Equal(t, cell("orphan_calls"), got.orphanCalls, "orphan calls")
	assert.Equal(t, fact("orphan_results"), got.orphanResults, "orphan results")
	assert.Equal(t, cell("unique_message_ids"), len(got.messages), "message ids")
	assert.EqualValues(t, cell("output_tokens"), run.Usage().Output, "output tokens")
	assert.Equal(t, fact("error_results"), got.errors, "error results")
	assert.Equal(t, fact("rejected_results"), got.rejected, "rejected results")
	assert.Equal(t, fact("interruption_markers"), got.interruptions, "interruptions")
	assert.Equal(t, fact("compact_summaries"), got.summaries, "compact summaries")
	assert.Equal(t, fact("background_tasks")+fact("async_results"), got.launched-got.streamLaunched(f), "launches")
	assert.Equal(t, fact("session_ids"), 1+len(run.Meta.Links), "session ids")
	assertRefs(t, run, raw)
}

type counts struct {
	calls, results, orphanCalls, orphanResults int
	errors, rejected, interruptions, summaries int
	launched                                   int
	messages                                   map[string]bool
}

// streamLaunched is what the index does not count: launches in streams.
func (c counts) streamLaunched(f decode.Format) int {
	if f.Name == claude.Stream.Name {
		return c.launched
	}
	return 0
}

func count(run *ingest.Run) counts {
	c := counts{messages: map[string]bool{}}
	open := map[string]int{}
	for i := range run.Events {
		e := &run.Events[i]
		if e.Message != "" {
			c.messages[e.Message] = true
		}
		switch {
		case e.Kind == ingest.ToolCall:
			c.calls++
			open[e.Call]++
		case e.Kind == ingest.ToolResult:
			c.results++
			if open[e.Call]--; open[e.Call] < 0 {
				open[e.Call] = 0
				c.orphanResults++
			}
			if e.Outcome != ingest.OK && e.Outcome != ingest.Pending {
				c.errors++
			}
			if e.Reason == ingest.Denied && strings.HasPrefix(run.Text(e), "The user doesn't want to") {
				c.rejected++
			}
			if e.Reason == ingest.Launched {
				c.launched++
			}
		case e.Kind == ingest.Error && e.Actor == ingest.User:
			c.interruptions++
		case e.Summary && e.Name == "":
			c.summaries++
		}
	}
	for _, n := range open {
		c.orphanCalls += n
	}
	return c
}

var lenient = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// assertRefs cuts every cited unit out of the raw file: it must be one JSON
// value, and the event's own native id must stand in it.
func assertRefs(t *testing.T, run *ingest.Run, raw []byte) {
	for i := range run.Events {
		e := &run.Events[i]
		ref := run.Ref(e)
		unit := raw[ref.Offset : ref.Offset+ref.Length]
		if !jsontext.Value(unit).IsValid(lenient...) || unit[0] != '{' || !strings.Contains(string(unit), e.ID) {
			t.Fatalf("event %d cites %+v, which is not its unit", i, ref)
		}
		if want := 1 + strings.Count(string(raw[:ref.Offset]), "\n"); ref.Line != want {
			t.Fatalf("event %d cites line %d, stands on %d", i, ref.Line, want)
		}
	}
}

// decodeInto decodes one file's content into a store and checks the account.
func decodeInto(t testing.TB, s ingest.Store, f decode.Format, raw []byte) *ingest.Receipt {
	t.Helper()
	sum := sha256.Sum256(raw)
	w := decode.NewWriter(s, redactor, decode.Target{Format: f.Name, Version: f.Version, Grade: f.Grade,
		Path: "trace.jsonl", Size: int64(len(raw)), Digest: hex.EncodeToString(sum[:])})
	in := &decode.Input{Path: "trace.jsonl", Size: int64(len(raw)), ReaderAt: strings.NewReader(string(raw))}
	require.NoError(t, f.Decode(in, w))
	rc, err := w.Close()
	require.NoError(t, err)
	require.Equal(t, rc.Units, rc.Stored+rc.Duplicates+rc.Skipped+rc.Quarantined, "receipt adds up")
	return rc
}
