package scan_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/decodetest"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

func deep(open, end string, n int) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }

// TestBadInput: whatever lies in a folder, each file gets one receipt that
// adds up, and the good file beside it is whole.
func TestBadInput(t *testing.T) {
	a, b := line("s-1", "u-1", "one"), says("s-1", "u-2", "m-1", 1)
	atif := `{"schema_version":"ATIF-v1.4","session_id":"t-1","agent":{"name":"a","version":"1"},"steps":[{"step_id":1,"source":"user","message":"x"},{"step_id":2,"source":"agent","message":"done"}]}`
	for name, tc := range map[string]struct {
		data, format string
		want         [4]int // stored, duplicates, skipped, quarantined
		reason       string
	}{
		"plain text":            {"Just a note.\n", "unknown", [4]int{0, 0, 1, 0}, "unknown-format"},
		"binary":                {"\x7fELF\x00\x01\x02\x00{\"a\"", "unknown", [4]int{0, 0, 1, 0}, "unknown-format"},
		"foreign JSON":          {`{"name":"app","version":"1.0.0","scripts":{}}`, "unknown", [4]int{0, 0, 1, 0}, "unknown-format"},
		"a bare number":         {"42", "unknown", [4]int{0, 0, 1, 0}, "unknown-format"},
		"empty":                 {"", "unknown", [4]int{}, ""},
		"white space":           {"\n\n \t\n", "unknown", [4]int{0, 0, 1, 0}, "unknown-format"},
		"truncated mid-line":    {a + "\n" + b[:len(b)/2], "claude-code-jsonl", [4]int{1, 0, 0, 1}, "truncated"},
		"truncated document":    {atif[:len(atif)-20], "atif", [4]int{1, 0, 0, 1}, "truncated"},
		"half a sequence":       {lines(strings.Replace(a, "one", "on\xe2\x82", 1), b), "claude-code-jsonl", [4]int{2}, ""},
		"half at the end":       {a + "\n" + b[:len(b)-5] + "\xe2\x82", "claude-code-jsonl", [4]int{1, 0, 0, 1}, "invalid-json"},
		"byte order mark":       {"\ufeff" + lines(a, b), "claude-code-jsonl", [4]int{2}, ""},
		"mark and document":     {"\ufeff" + atif, "atif", [4]int{2}, ""},
		"CRLF":                  {a + "\r\n\r\n" + b + "\r\n", "claude-code-jsonl", [4]int{2}, ""},
		"deep unit":             {lines(a, deep("[", "]", 10_001), deep(`{"a":`, "}", 20_000), b), "claude-code-jsonl", [4]int{2, 0, 0, 2}, "invalid-json"},
		"deep document":         {deep(`{"steps":[`, "]}", 10_000), "unknown", [4]int{0, 0, 1, 0}, "unknown-format"},
		"deep below a document": {strings.Replace(atif, `"done"`, deep(`{"a":`, "}", 20_000), 1), "atif", [4]int{1, 0, 0, 1}, "invalid-json"},
		"deep arguments": {lines(event, `{"faultline":"event/v1","run_id":"r-1","kind":"tool_call","tool":"t","arguments":`+deep("[", "]", 9_990)+`}`,
			`{"faultline":"event/v1","run_id":"r-1","kind":"tool_call","tool":"t","arguments":`+deep("[", "]", 10_001)+`}`), "event/v1", [4]int{2, 0, 0, 1}, "invalid-json"},
		"first line broken":  {lines(event[:40], event), "event/v1", [4]int{1, 0, 0, 1}, "truncated"},
		"middle line broken": {lines("", event, event[:40], strings.Replace(event, "e-1", "e-2", 1)), "event/v1", [4]int{2, 0, 0, 1}, "truncated"},
		"NUL bytes":          {lines(a, "\x00\x00\x00", b), "claude-code-jsonl", [4]int{2, 0, 0, 1}, "invalid-json"},
	} {
		t.Run(name, func(t *testing.T) {
			f, s, _ := fresh(t, files{"a/good.jsonl": good(), "bad": tc.data, "z.jsonl": strings.ReplaceAll(good(), "s-good", "s-z")})
			require.Len(t, f.receipts, 3)
			assert.Equal(t, [4]int{2}, account(f.at["a/good.jsonl"]))
			assert.Equal(t, [4]int{2}, account(f.at["z.jsonl"]))
			bad := f.at["bad"]
			assert.Equal(t, tc.format, bad.Format)
			assert.EqualValues(t, len(tc.data), bad.Bytes)
			assert.Equal(t, tc.want, account(bad), "%+v", bad)
			if tc.reason == "" {
				assert.Empty(t, bad.Reasons)
			} else {
				assert.Equal(t, tc.reason, bad.Reasons[0].Kind)
			}
			for _, id := range f.Runs {
				_, err := ingest.Load(s, id, nil)
				assert.NoError(t, err)
			}
		})
	}
}

// TestWrongTypes puts values of every type into every member of a line of each
// format.
func TestWrongTypes(t *testing.T) {
	all := files{"good.jsonl": good()}
	for format, doc := range map[string]string{
		"claude": says("s-1", "u-1", "m-1", 1),
		"native": `{"faultline":"event/v1","run_id":"r","id":"e","kind":"tool_result","at":"2026-03-01T10:00:00Z","time_quality":"exact","actor":"tool","text":"x","call_id":"c","tool":"t","arguments":{"a":1},"outcome":"ok","exit_code":0,"usage":{"output":1},"run":{"links":["l"],"grade":["usage"],"part":1}}`,
		"chat":   `{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"y"}]}`,
		"atif":   `{"schema_version":"ATIF-v1.4","session_id":"t","agent":{"name":"a"},"steps":[{"step_id":1,"source":"agent","timestamp":"2026-03-01T10:00:00Z","message":"m","tool_calls":[{"tool_call_id":"c","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"c","content":"z"}]},"metrics":{"prompt_tokens":1,"completion_tokens":2}}]}`,
		"record": `{"faultline":"operation/v1","id":"o","run_id":"r","tool":"t","arguments":{},"dispatches":[{"at":"2026-03-01T10:00:00Z","outcome":"ok"}],"key":{"value":"k"}}`,
	} {
		i := 0
		for bad := range decodetest.Mutations([]byte(doc)) {
			all[fmt.Sprintf("%s/%05d.json", format, i)] = string(bad)
			i++
		}
		require.Greater(t, i, 50)
	}
	f, s, _ := fresh(t, all)
	assert.Len(t, f.receipts, len(all))
	assert.Equal(t, [4]int{2}, account(f.at["good.jsonl"]))
	for _, id := range f.Runs {
		run, err := ingest.Load(s, id, nil)
		require.NoError(t, err)
		run.Episodes()
		run.Executions()
		run.Usage()
		for i := range run.Events {
			run.Text(&run.Events[i])
		}
	}
}

// TestLongLine: a line of 100 MB is skipped with its place, and is never held.
func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	part := bytes.Repeat([]byte("x"), 1<<20)
	for name, around := range map[string][3]string{
		"session":  {line("s-1", "u-1", "one") + "\n" + `{"type":"user","sessionId":"s-1","uuid":"u-2","x":"`, `"}` + "\n" + line("s-1", "u-3", "three"), "claude-code-jsonl"},
		"native":   {event + "\n" + `{"faultline":"event/v1","run_id":"r-1","text":"`, `"}` + "\n" + strings.Replace(event, "e-1", "e-2", 1), "event/v1"},
		"document": {`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"`, `"}]}`, "chat-messages"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			out, err := os.Create(filepath.Join(dir, "long.jsonl"))
			require.NoError(t, err)
			_, err = out.WriteString(around[0])
			for range 100 {
				_, _ = out.Write(part)
			}
			require.NoError(t, err)
			_, err = out.WriteString(around[1])
			require.NoError(t, err)
			require.NoError(t, out.Close())
			peak := peakHeap(t)
			f := scanInto(t, memstore.New(), dir, dir)
			grown := peak()
			r := f.receipts[0]
			assert.Equal(t, around[2], r.Format)
			assert.Equal(t, 1, r.Skipped)
			assert.Equal(t, "oversized", r.Reasons[0].Kind)
			assert.Positive(t, r.Reasons[0].First.Offset)
			if name != "document" {
				assert.Equal(t, 2, r.Stored)
				assert.Equal(t, 2, r.Reasons[0].First.Line)
			}
			limit := int64(100)
			if name == "document" { // the JSON library doubles its buffer, in each of two passes
				limit = 300
			}
			assert.Less(t, grown>>20, limit, "MB of memory")
		})
	}
}

// peakHeap samples the heap and returns how far it grew at most, in bytes.
func peakHeap(t *testing.T) func() int64 {
	t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base, peak := int64(m.HeapAlloc), int64(0)
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak = max(peak, int64(m.HeapAlloc)-base)
			}
		}
	}()
	return func() int64 {
		close(stop)
		<-done
		return peak
	}
}

// TestManyFiles: noise between traces costs a receipt each and nothing else.
func TestManyFiles(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1_000
	}
	all := files{}
	for i := range n {
		if i%2 == 0 {
			all[fmt.Sprintf("%02d/%05d.txt", i%40, i)] = "noise " + fmt.Sprint(i)
		} else {
			all[fmt.Sprintf("%02d/%05d.jsonl", i%40, i)] = line(fmt.Sprint("s-", i), fmt.Sprint("u-", i), "x") + "\n"
		}
	}
	f, s, dir := fresh(t, all)
	assert.Len(t, f.receipts, n)
	assert.Len(t, f.Runs, n/2)
	again := scanInto(t, s, dir, dir)
	assert.Empty(t, again.Fresh)
	assert.Equal(t, f.Runs, again.Runs)
	for _, r := range again.receipts {
		assert.Zero(t, r.Stored)
	}
}

func TestMissingPath(t *testing.T) {
	dir := files{"a.jsonl": good()}.write(t)
	_, err := scan.Run(context.Background(), []string{dir, filepath.Join(dir, "none")}, scan.Options{
		Store: memstore.New(), Redactor: redact.New(redact.Key{}),
		Receipt: func(*ingest.Receipt) error { t.Error("something was read"); return nil },
	})
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "none")
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := scan.Run(ctx, []string{files{"a.jsonl": good()}.write(t)}, scan.Options{Store: memstore.New(), Redactor: redact.New(redact.Key{})})
	assert.ErrorIs(t, err, context.Canceled)
}

// TestOrder: receipts come in the order of whole paths, not of names.
func TestOrder(t *testing.T) {
	f, _, dir := fresh(t, files{"a/x": "1", "a/b/y": "2", "a.jsonl": good(), "a-b/x": "3", "a0": "4", "faultline.yaml": "checks: []\n"})
	var got []string
	for _, r := range f.receipts {
		rel, _ := filepath.Rel(dir, r.Source)
		got = append(got, filepath.ToSlash(rel))
	}
	assert.Equal(t, []string{"a-b/x", "a.jsonl", "a/b/y", "a/x", "a0", "faultline.yaml"}, got)
	assert.Equal(t, []string{filepath.Join(dir, "faultline.yaml")}, f.Configs)
}

// TestOverlappingPaths: a path below another is taken once, whatever the
// order and the way in which they are named.
func TestOverlappingPaths(t *testing.T) {
	dir := files{"a/x.jsonl": good(), "a/trial/result.json": harborResult("tr-1"), "a/trial/agent/trajectory.json": trajectory}.write(t)
	t.Chdir(dir)
	a, x, main := filepath.Join(dir, "a"), filepath.Join(dir, "a", "x.jsonl"), filepath.Join(dir, "a", "trial", "agent", "trajectory.json")
	for _, paths := range [][]string{{a}, {x, a}, {a, x}, {main, a}, {a, a}, {a, "./a", "a/x.jsonl"}, {dir + "/a/../a/"}} {
		f := scanInto(t, memstore.New(), dir, paths...)
		assert.Len(t, f.receipts, 3, paths)
		assert.Len(t, f.Runs, 2, paths)
	}
	f := scanInto(t, memstore.New(), dir, x, main)
	assert.Len(t, f.receipts, 2, "files alone are files")
}

// TestKnownContent: with the store on disk a second scan has lists, too.
func TestKnownContent(t *testing.T) {
	dir := files{"a.jsonl": good(), "b.jsonl": good(), "empty.jsonl": "", "bad.jsonl": good() + "{"}.write(t)
	s, err := badgerstore.Open(t.TempDir(), badgerstore.Options{})
	require.NoError(t, err)
	defer s.Close()
	first := scanInto(t, s, dir, dir)
	again := scanInto(t, s, dir, dir)
	assert.Equal(t, [4]int{2}, account(first.at["a.jsonl"]))
	assert.Equal(t, [4]int{0, 2}, account(first.at["b.jsonl"]))
	assert.Equal(t, [4]int{0, 2}, account(again.at["a.jsonl"]))
	assert.Equal(t, [4]int{0, 2, 0, 1}, account(again.at["bad.jsonl"]))
	assert.Equal(t, first.Runs, again.Runs)
	assert.Equal(t, first.Paths, again.Paths)
	assert.Empty(t, again.Fresh)
}
