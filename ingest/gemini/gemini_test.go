package gemini_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/gemini"
)

const (
	head  = `{"sessionId":"s","projectHash":"h","startTime":"2026-02-01T10:00:00Z","lastUpdated":"2026-02-01T10:00:00Z","kind":"main"}` + "\n"
	user  = `{"id":"u1","timestamp":"2026-02-01T10:00:01Z","type":"user","content":"go"}`
	asked = `{"id":"g1","timestamp":"2026-02-01T10:00:02Z","type":"gemini","content":[{"text":"on it"},{"functionCall":{"id":"c","name":"f","args":{}}}],"tokens":{"input":5,"output":1,"cached":0,"total":6},"model":"m"}`
	done  = `{"id":"g1","timestamp":"2026-02-01T10:00:02Z","type":"gemini","content":[{"text":"on it"},{"functionCall":{"id":"c","name":"f","args":{}}}],"tokens":{"input":5,"output":1,"cached":0,"total":6},"model":"m","toolCalls":[{"id":"c","name":"f","args":{},"result":"ok","status":"success","timestamp":"2026-02-01T10:00:03Z"}]}`
	later = `{"$set":{"lastUpdated":"2026-02-01T10:00:09Z"}}`
)

func kinds(run *ingest.Run) string {
	var all []string
	for i := range run.Events {
		all = append(all, string(run.Events[i].Kind))
	}
	return strings.Join(all, " ")
}

const whole = "message model_call message tool_call tool_result"

// TestGrowing: whatever states of a file were read, in whatever order, every
// message counts once and in its newest state.
func TestGrowing(t *testing.T) {
	early := head + user + "\n" + asked + "\n"
	mid := early + done + "\n"
	late := mid + later + "\n"
	old := `{"sessionId":"s","projectHash":"h","lastUpdated":"2026-02-01T10:00:00Z","messages":[` + user + ",\n " + asked + "]}"
	moved := head + user + "\n" + asked + "\n" + done + "\n" + later + "\n"
	for name, files := range map[string][]string{
		"in order": {early, mid, late}, "backwards": {late, mid, early}, "mixed": {mid, late, early},
		"older shape first": {old, moved}, "older shape last": {moved, old}, "again": {late, late},
		"without a new time": {early, mid}, "without a new time, backwards": {mid, early},
	} {
		b := decodetest.New()
		var last *ingest.Receipt
		for i, data := range files {
			last = b.Again(t, gemini.Format, string(rune('a'+i)), []byte(data))
		}
		run := b.Run(t, last)
		assert.Equal(t, whole, kinds(run), name)
		assert.EqualValues(t, 1, run.Usage().Output, name)
		x := run.Executions()
		require.Len(t, x, 1, name)
		assert.Equal(t, ingest.OK, x[0].Outcome, name)
	}
}

// TestLive: what was begun but not ended is a call without a result.
func TestLive(t *testing.T) {
	b := decodetest.New()
	run := b.Run(t, b.Again(t, gemini.Format, "f", []byte(head+user+"\n"+asked)))
	x := run.Executions()
	require.Len(t, x, 1)
	assert.Equal(t, ingest.Lost, x[0].Reason)
	eps := run.Episodes()
	assert.True(t, eps[len(eps)-1].Open)
}

// TestPast: which of a file's lines count.
func TestPast(t *testing.T) {
	line := func(id string) string { return strings.ReplaceAll(user, "u1", id) + "\n" }
	for name, tc := range map[string]struct {
		data string
		want int
	}{
		"plain":                       {line("a") + line("b"), 2},
		"equal lines":                 {line("a") + line("b") + line("a"), 2},
		"equal lines after a rewind":  {line("a") + `{"$rewindTo":"a"}` + "\n" + line("a"), 1},
		"rewound":                     {line("a") + line("b") + `{"$rewindTo":"b"}`, 1},
		"unknown id":                  {line("a") + line("b") + `{"$rewindTo":"zz"}`, 0},
		"rewind of nothing":           {`{"$rewindTo":"zz"}` + "\n" + line("a"), 1},
		"glued":                       {strings.TrimSpace(line("a")) + line("b") + line("b"), 2},
		"rewound, written again":      {line("a") + line("b") + `{"$rewindTo":"b"}` + "\n" + strings.ReplaceAll(line("b"), "go", "no"), 2},
		"context without an old one":  {line("a") + `{"$set":{"messages":[]}}` + "\n" + line("b"), 3}, // and a compaction
		"rewind behind a new context": {line("a") + `{"$set":{"messages":[` + strings.TrimSpace(line("n")) + `]}}` + "\n" + line("b") + `{"$rewindTo":"b"}`, 3},
	} {
		b := decodetest.New()
		r := b.Again(t, gemini.Format, "f", []byte(head+tc.data))
		assert.Len(t, b.Run(t, r).Events, tc.want, name)
		assert.Zero(t, r.Quarantined, name)
	}
}

// TestTokens: a total that is not the sum is reported, never adjusted; a count
// below zero is none.
func TestTokens(t *testing.T) {
	for tokens, want := range map[string]ingest.Usage{
		`{"input":10,"output":2,"cached":4,"thoughts":3,"tool":1,"total":16}`: {InputUncached: 7, CacheRead: 4, Output: 5, Reasoning: 3},
		`{"input":10,"output":2,"cached":0,"total":12}`:                       {InputUncached: 10, Output: 2},
		`{"input":10,"output":2,"cached":0,"total":99}`:                       {InputUncached: 10, Output: 2, Violation: true},
		`{"input":1,"output":2,"cached":4,"total":3}`:                         {CacheRead: 4, Output: 2, Violation: true},
		`null`: {},
	} {
		b := decodetest.New()
		run := b.Run(t, b.Again(t, gemini.Format, "f", []byte(head+`{"id":"g","type":"gemini","content":"x","tokens":`+tokens+`}`)))
		assert.Equal(t, want, run.Usage(), tokens)
	}
}

// TestBroken: a file cut off anywhere keeps what came before.
func TestBroken(t *testing.T) {
	data := head + user + "\n" + done + "\n"
	for n := range len(data) {
		r := decodetest.Survives(t, gemini.Format, []byte(data[:n]))
		assert.LessOrEqual(t, r.Quarantined, 1)
	}
	doc := `{"sessionId":"s","projectHash":"h","messages":[` + user + "," + done
	b := decodetest.New()
	r := b.Again(t, gemini.Format, "f", []byte(doc))
	assert.Equal(t, []int{2, 1}, []int{r.Stored, r.Quarantined})
	assert.Equal(t, whole, kinds(b.Run(t, r)))
	assert.Equal(t, 1, decodetest.Survives(t, gemini.Format, []byte(`{"sessionId":"s","projectHash":"h","messages":[]}`)).Skipped)
}

// TestMutations: members of any type do no harm.
func TestMutations(t *testing.T) {
	for doc := range decodetest.Mutations([]byte(done)) {
		decodetest.Survives(t, gemini.Format, []byte(head+string(doc)+"\n"))
	}
	for doc := range decodetest.Mutations([]byte(`{"$set":{"messages":[` + user + `],"lastUpdated":"x"}}`)) {
		decodetest.Survives(t, gemini.Format, []byte(head+string(doc)+"\n"))
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{head + user + "\n" + asked + "\n" + done + "\n" + later,
		`{"sessionId":"s","projectHash":"h","messages":[` + user + "," + done + "]}",
		head + user + "\n" + `{"$rewindTo":"u1"}` + "\n" + `{"$set":{"messages":[` + user + `]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		decodetest.Survives(t, gemini.Format, data[:min(len(data), decode.HeadSize)])
	})
}
