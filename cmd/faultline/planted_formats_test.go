package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"golang.org/x/tools/txtar"
	_ "modernc.org/sqlite"

	"github.com/faultline-dev/faultline/ingest/redact/redacttest"
)

// TestPlantedFormats plants secrets into every text of the formats' fixtures.
func TestPlantedFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many commands")
	}
	p := &planter{t: t, Planter: redacttest.New(16)}
	dir := filepath.Join(t.TempDir(), "formats")
	fixtures, err := filepath.Glob("../../fixtures/formats/*.txtar")
	require.NoError(t, err)
	for _, fixture := range fixtures {
		a, err := txtar.ParseFile(fixture)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(fixture), ".txtar")
		for _, f := range a.Files {
			if f.Name != "want" {
				p.write(dir, name+"/"+f.Name, string(p.plant(f.Data, f.Name)))
			}
		}
	}
	p.everywhere(dir)
	require.Greater(t, p.n, 100)
}

// TestPlantedSpans plants every kind of secret in every part of a span, in each
// container: what is text there, bytes, or quarantined, and what stands under a
// telling name.
func TestPlantedSpans(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many commands")
	}
	p := &planter{t: t, Planter: redacttest.New(14)}
	secrets := append(append(p.Shapes(), p.Named()...), p.Personal()...)
	td := ptrace.NewTraces()
	flat := &strings.Builder{}
	for i, s := range secrets {
		p.n += 12
		rs := td.ResourceSpans().AppendEmpty()
		rs.Resource().Attributes().PutStr("process.command_line", s.Text)
		rs.Resource().Attributes().PutEmptySlice("process.command_args").AppendEmpty().SetStr(s.Text)
		ss := rs.ScopeSpans().AppendEmpty()
		ss.Scope().SetName("scope " + s.Text)
		for k, faulty := range []bool{false, true} {
			sp := ss.Spans().AppendEmpty()
			if !faulty {
				sp.SetTraceID(pcommon.TraceID{15: 1})
			}
			sp.SetSpanID(pcommon.SpanID{5: byte(k), 6: byte(i >> 8), 7: byte(i + 1)})
			sp.SetName("execute_tool " + s.Text)
			sp.SetStartTimestamp(1_770_000_000_000_000_000)
			sp.SetEndTimestamp(1_770_000_001_000_000_000)
			sp.TraceState().FromRaw("v=" + s.Text)
			sp.Status().SetCode(ptrace.StatusCodeError)
			sp.Status().SetMessage("failed: " + s.Text)
			at := sp.Attributes()
			at.PutStr("gen_ai.operation.name", "execute_tool")
			at.PutStr("gen_ai.tool.name", "t")
			at.PutStr("gen_ai.tool.call.arguments", `{"command":`+redacttest.Quote(s.Text)+`}`)
			at.PutStr("gen_ai.tool.call.result", `{"content":[{"text":`+redacttest.Quote(s.Text))
			at.PutStr("input.value", s.Text)
			at.PutStr(s.Text, "name")
			at.PutEmptyMap("nested").PutEmptySlice("list").AppendEmpty().SetStr(s.Text)
			at.PutEmptyBytes("bytes").FromRaw([]byte(s.Text))
			at.PutEmptyBytes("no.text").FromRaw([]byte("\x0a\x80\x00" + s.Text + "\xff"))
			e := sp.Events().AppendEmpty()
			e.SetName("exception")
			e.Attributes().PutStr("exception.message", s.Text)
			l := sp.Links().AppendEmpty()
			l.Attributes().PutStr("why", s.Text)
		}
		fmt.Fprintf(flat, `{"trace_id":"t","span_id":"s%d","name":"t","attributes":{"openinference.span.kind":"TOOL","tool.name":"t","input.value":%s,"metadata":%s,"llm":{"x":%s}},"status_message":%s,"tags":[{"key":"k","value":%[2]s}]}`+"\n",
			i, redacttest.Quote(s.Text), redacttest.Quote(`{"a":`+redacttest.Quote(s.Text)+`}`), redacttest.Quote(s.Text), redacttest.Quote(s.Text))
	}
	opaque := p.Shapes()[0].Text[len("sk-ant-api03-"):]
	for i, name := range []string{"db.password", "http.request.header.authorization", "api_key", "session.token", "client_secret", "http.request.header.cookie"} {
		value := opaque
		if strings.HasSuffix(name, "cookie") {
			value = "sid=" + opaque
		}
		sp := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().AppendEmpty()
		sp.SetTraceID(pcommon.TraceID{15: 1})
		if i%2 == 0 {
			sp.SetSpanID(pcommon.SpanID{4: 1, 7: byte(i)})
		}
		sp.Attributes().PutStr(name, value)
		sp.Events().AppendEmpty().Attributes().PutEmptySlice(name).AppendEmpty().SetStr(value)
		sp.Events().AppendEmpty().Attributes().PutStr(name, value)
		td.ResourceSpans().At(0).Resource().Attributes().PutStr(name, value)
		fmt.Fprintf(flat, `{"trace_id":"t","span_id":"n%d","name":"t","attributes":{%q:%q},"tags":[{"key":%[2]q,"type":"string","value":%[3]q}]}`+"\n", i, name, value)
		fmt.Fprintf(flat, `{"trace_id":"","span_id":"s","name":"t","attributes":{%q:%q},"tags":[{"key":%[1]q,"type":"string","value":%[2]q}]}`+"\n", name, value)
	}
	dir := filepath.Join(t.TempDir(), "spans")
	asJSON, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	require.NoError(t, err)
	asProto, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(td)
	require.NoError(t, err)
	p.write(dir, "a.json", string(asJSON))
	p.write(dir, "b.pb", string(asProto))
	p.write(dir, "cut.json", string(asJSON[:bytes.LastIndex(asJSON, []byte("exception.message"))]))
	p.write(dir, "cut.pb", string(asProto[:len(asProto)*2/3]))
	p.write(dir, "broken.pb", string(bytes.Replace(asProto, []byte("gen_ai.tool.call.result"), []byte("\xff\xff\xff\xff.tool.call.result"), 3)))
	p.write(dir, "c.jsonl", flat.String())
	p.everywhere(dir, "--redact", "pii")
}

// TestPlantedRows plants every kind of secret into the rows of a database.
func TestPlantedRows(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many commands")
	}
	p := &planter{t: t, Planter: redacttest.New(15)}
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "opencode.db"))
	require.NoError(t, err)
	exec := func(query string, args ...any) {
		_, err := db.Exec(query, args...)
		require.NoError(t, err)
	}
	exec(`CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)`)
	secrets := append(append(p.Shapes(), p.Named()...), p.Personal()...)
	for i, s := range secrets {
		p.n += 4
		session, id := fmt.Sprintf("ses_%d", i%6), fmt.Sprint(i)
		exec(`INSERT OR REPLACE INTO session VALUES (?, 'global', NULL, ?, ?, ?, ?, 1769940000000, 1769940001000)`, session, "/srv/app "+s.Text, s.Text, s.Text, s.Text)
		exec(`INSERT INTO message VALUES (?, ?, 1769940000000, 1769940000000, ?)`, "msg_"+id, session, `{"role":"assistant","error":{"name":"E","data":{"message":`+redacttest.Quote(s.Text)+`}}}`)
		exec(`INSERT INTO part VALUES (?, ?, ?, 1769940000000, 1769940000000, ?)`, "prt_1"+id, "msg_"+id, session, `{"type":"text","text":`+redacttest.Quote(s.Text)+`}`)
		exec(`INSERT INTO part VALUES (?, ?, ?, 1769940000000, 1769940000000, ?)`, "prt_2"+id, "msg_"+id, session, `{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":`+redacttest.Quote(s.Text)+`},"output":`+redacttest.Quote(s.Text)+`}}`)
		exec(`INSERT INTO part VALUES (?, ?, ?, 1769940000000, 1769940000000, ?)`, "prt_3"+id, "msg_"+id, session, "no JSON: "+s.Text)
		exec(`INSERT INTO part VALUES (?, ?, ?, 1769940000000, 1769940000000, ?)`, "prt_4"+id, "msg_"+id, session, []byte("\xff\x00 "+s.Text))
	}
	require.NoError(t, db.Close())
	whole, err := os.ReadFile(filepath.Join(dir, "opencode.db"))
	require.NoError(t, err)
	p.write(dir, "cut.db", string(whole[:len(whole)/2]))
	p.everywhere(dir, "--redact", "pii")
}
