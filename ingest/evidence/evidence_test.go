package evidence_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/evidence"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/redact"
)

const (
	shaA = "0a9b8c7d6e5f40312233445566778899aabbccdd"
	shaB = "ffeeddccbbaa99887766554433221100a1b2c3d4"
)

// taken is what a folder of files gives: documents by "file:line", and what was
// told of the rest.
type taken struct {
	docs  map[string]record.Record
	cited map[string]string // the bytes that each rests on
	said  []string
}

// take writes files below a folder and takes them in. Like the command, it
// passes over what is no evidence.
func take(t testing.TB, files map[string]string, mappings ...evidence.Mapping) taken {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for name, data := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(data), 0o644))
		_, mapped := evidence.Mapped(dir, p, mappings)
		if mapped || evidence.Detect([]byte(data)) {
			paths = append(paths, p)
		}
	}
	out := taken{docs: map[string]record.Record{}, cited: map[string]string{}}
	s := memstore.New()
	rel := func(p string) string {
		r, err := filepath.Rel(dir, p)
		require.NoError(t, err)
		return filepath.ToSlash(r)
	}
	require.NoError(t, evidence.Take(context.Background(), dir, paths, evidence.Options{Store: s, Redactor: redact.New(redact.Key{}), Mappings: mappings,
		Receipt: func(r *ingest.Receipt) error {
			assert.Equal(t, r.Units, r.Stored+r.Duplicates+r.Skipped+r.Quarantined)
			for _, c := range r.Reasons {
				out.said = append(out.said, fmt.Sprintf("%s:%d %s", rel(r.Source), c.First.Line, c.Kind))
			}
			return nil
		}}))
	run, err := ingest.Load(s, ingest.RecordsRun, nil)
	if err != nil {
		require.ErrorIs(t, err, ingest.ErrNotFound)
		return out
	}
	for i := range run.Events {
		e := &run.Events[i]
		rec, err := record.Decode(run.Detail(e))
		require.NoError(t, err, "%s", run.Detail(e))
		ref := run.Ref(e)
		at := fmt.Sprintf("%s:%d", rel(ref.File), ref.Line)
		out.docs[at] = rec
		data := files[rel(ref.File)]
		out.cited[at] = data[ref.Offset : ref.Offset+ref.Length]
		if ref.Length > 0 {
			assert.Equal(t, 1+strings.Count(data[:ref.Offset], "\n"), ref.Line, at)
		}
	}
	return out
}

// checks is what the documents say, in short: "file:line" → "commit name status
// executed/failed exit".
func (o taken) checks() map[string]string {
	out := map[string]string{}
	for at, rec := range o.docs {
		if rec.Completion == nil {
			continue
		}
		c := rec.Completion.Checks[0]
		s := fmt.Sprintf("%.7s %s %s", strings.TrimPrefix(rec.RunID(), record.CommitPrefix), c.Name, c.Status)
		if c.Executed != nil {
			s += fmt.Sprintf(" %d/%d", *c.Executed, *c.Failed)
		}
		if c.ExitCode != nil {
			s += fmt.Sprintf(" exit %d", *c.ExitCode)
		}
		out[at] = s
	}
	return out
}

// TestJUnit: the dialects of runners, keyed by the path or by a property.
func TestJUnit(t *testing.T) {
	in := func(name string) string { return "ci/" + shaA[:8] + "/" + name }
	got := take(t, map[string]string{
		in("pytest.xml"): `<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="1.5" timestamp="2026-03-01T10:00:00.000000+00:00">
<testcase classname="t" name="a" time="0.1"/>
<testcase classname="t" name="b"><failure message="assert 1 == 2">def test_b():
&gt; assert</failure></testcase>
<testcase classname="t" name="c"><error message="fixture"/></testcase>
<testcase classname="t" name="d"><skipped type="pytest.skip"/></testcase>
</testsuite></testsuites>`,
		in("surefire.xml"): `<testsuite name="com.acme.CartTest" tests="2" errors="0" skipped="0" failures="0"><properties><property name="user.dir" value="/x"/></properties>` +
			`<testcase name="x"><flakyFailure message="once">t</flakyFailure><system-out><![CDATA[<testcase><failure/>` + "\x1b[31m" + `]]></system-out></testcase><testcase name="y"/></testsuite>`,
		in("gotestsum.xml"): `<testsuites tests="2" failures="0"><testsuite tests="1" name="a/b"><properties><property name="go.version" value="go1.26"/></properties><testcase name="T1"/></testsuite>` +
			`<testsuite tests="1" name="a/c"><testcase name="T2"/></testsuite></testsuites>`,
		in("nested.xml"): `<testsuites name="jest"><testsuite name="outer" tests="2" failures="1"><testsuite name="inner" tests="2" failures="1"><testcase name="p"/>` +
			"\n" + `<testcase name="q"><failure/><failure/></testcase></testsuite></testsuite></testsuites>`,
		in("counts.xml"): `<testsuite name="old" tests="9" failures="2" errors="1" skipped="3"/>`,
		in("skips.xml"):  `<testsuite name="skips" tests="1"><testcase name="a"><skipped/></testcase></testsuite>`,
		in("none.xml"):   `<testsuites name="nothing"></testsuites>`,
		in("latin.xml"):  "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><testsuite name=\"\xe9t\xe9\"><testcase name=\"a\"/></testsuite>",
		in("utf16.xml"):  utf16le("\ufeff<?xml version=\"1.0\" encoding=\"utf-16\"?>\r\n<testsuite name=\"été 🌞\"><testcase name=\"a\"/>\r\n<testcase name=\"b\"><failure/></testcase></testsuite>"),
		in("bare16.xml"): utf16le(`<testsuite name="bare"><testcase name="a"/></testsuite>`),
		in("mended.xml"): `<testsuite name="flaky"><testcase classname="t" name="a"><failure/></testcase><testcase classname="t" name="a"><failure/></testcase>` +
			"\n" + `<testcase classname="t" name="b"><error/></testcase><testcase classname="u" name="a"/><testcase classname="t" name="a"/></testsuite>`,
		in("retried.xml"): `<testsuites name="retry"><testsuite name="x"><testcase name="a"><failure/></testcase><testcase name="a"/></testsuite>` +
			`<testsuite name="y"><testcase name="b"><flakyFailure/><flakyError/></testcase><testcase name="c"><rerunFailure/></testcase></testsuite></testsuites>`,
		in("rerun.xml"): `<testsuite name="rerun"><testcase name="a"><failure/><rerunFailure/><rerunError/></testcase><testcase name="b"/><testcase name="b"/></testsuite>`,
		in("other.xml"): `<testsuites name="other"><testsuite name="x"><testcase name="a"><failure/></testcase></testsuite><testsuite name="y"><testcase name="a"/></testsuite></testsuites>`,
		"property.xml":  `<testsuite name="prop"><properties><property name="git.commit" value="` + shaB + `"/></properties><testcase name="a"/></testsuite>`,
	})
	assert.Equal(t, map[string]string{
		in("pytest.xml:4"):    "0a9b8c7 pytest tests failed 3/2",
		in("surefire.xml:1"):  "0a9b8c7 com.acme.CartTest passed 2/0",
		in("gotestsum.xml:1"): "0a9b8c7 gotestsum passed 2/0",
		in("nested.xml:2"):    "0a9b8c7 jest failed 2/1",
		in("counts.xml:1"):    "0a9b8c7 old failed 6/3",
		in("skips.xml:1"):     "0a9b8c7 skips skipped 0/0",
		in("none.xml:1"):      "0a9b8c7 nothing  0/0",
		in("latin.xml:1"):     "0a9b8c7 été passed 1/0",
		in("utf16.xml:3"):     "0a9b8c7 été 🌞 failed 2/1",
		in("bare16.xml:1"):    "0a9b8c7 bare passed 1/0",
		in("mended.xml:2"):    "0a9b8c7 flaky failed 3/1",
		in("retried.xml:1"):   "0a9b8c7 retry passed 3/0",
		in("rerun.xml:1"):     "0a9b8c7 rerun failed 3/1",
		in("other.xml:1"):     "0a9b8c7 other failed 2/1",
		"property.xml:1":      "ffeeddc prop passed 1/0",
	}, got.checks())
	c := got.docs[in("pytest.xml:4")].Completion.Checks[0]
	assert.Equal(t, "2026-03-01T10:00:00Z 2026-03-01T10:00:01.5Z", c.Started.Format("2006-01-02T15:04:05Z07:00")+" "+c.Finished.Format("2006-01-02T15:04:05.9Z07:00"))
	assert.Empty(t, got.said)
}

// utf16le is text as PowerShell writes it.
func utf16le(text string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

// TestBroken: half a report says nothing, and what has no commit is told.
func TestBroken(t *testing.T) {
	got := take(t, map[string]string{
		shaA + "/cut.xml":   `<testsuite name="x"><testcase name="a"/>`,
		shaA + "/wrong.xml": `<testsuite name="x"><testcase name="a"></testsuite>`,
		shaA + "/cut.json":  `{"results":{"tool":{"name":"jest"},"summary":{},"tests":[{"name":"a","sta`,
		"plain/junit.xml":   `<testsuite name="x"><testcase name="a"/></testsuite>`,
		"other.xml":         `<project><testsuite/></project>`,
		"data.json":         `{"name":"x","version":"1.0.0"}`,
		"notes.txt":         "nothing of interest\n",
	})
	assert.Empty(t, got.docs)
	assert.ElementsMatch(t, []string{shaA + "/cut.xml:1 invalid", shaA + "/wrong.xml:1 invalid", shaA + "/cut.json:1 invalid", "plain/junit.xml:1 no-commit"}, got.said)
}

// TestBeside: a report takes the only commit that the rest of its folder names.
func TestBeside(t *testing.T) {
	report := `<testsuite name="x"><testcase name="a"/></testsuite>`
	run := func(sha string) string {
		return `{"name":"ci","headSha":"` + sha + `","conclusion":"success","status":"completed"}`
	}
	got := take(t, map[string]string{
		"one/junit.xml": report, "one/run.json": run(shaA),
		"two/junit.xml": report, "two/a.json": run(shaA), "two/b.json": run(shaB),
	})
	assert.Equal(t, "0a9b8c7 x passed 1/0", got.checks()["one/junit.xml:1"])
	assert.Equal(t, []string{"two/junit.xml:1 no-commit"}, got.said)
}

func TestCTRF(t *testing.T) {
	got := take(t, map[string]string{"ctrf.json": `{"reportFormat":"CTRF","results":{"tool":{"name":"playwright"},
"summary":{"tests":3,"start":1772359200000,"stop":1772359209000},"tests":[{"name":"a","status":"passed"},{"name":"s","status":"skipped"},
 {"name":"b","status":"failed","message":"no"}],"environment":{"commit":"` + shaA + `","branchName":"main"}}}`})
	assert.Equal(t, map[string]string{"ctrf.json:3": "0a9b8c7 playwright failed 2/1"}, got.checks())
	assert.Equal(t, 9.0, func() float64 {
		c := got.docs["ctrf.json:3"].Completion.Checks[0]
		return c.Finished.Sub(c.Started).Seconds()
	}())
}

// TestGitHub: the shapes of the API, of the command line tool and of webhooks.
func TestGitHub(t *testing.T) {
	got := take(t, map[string]string{
		"check-runs.json": `{"total_count":2,"check_runs":[
  {"id":1,"name":"unit","head_sha":"` + shaA + `","status":"completed","conclusion":"failure","started_at":"2026-03-01T10:00:00Z","completed_at":"2026-03-01T10:05:00Z","check_suite":{"id":5}},
  {"id":2,"name":"lint","head_sha":"` + shaA + `","status":"completed","conclusion":"success","app":{"name":"GitHub Actions"}}]}`,
		"single.json": `{"id":3,"name":"build","head_sha":"` + shaA + `","status":"in_progress","conclusion":null,"started_at":"2026-03-01T10:00:00Z"}`,
		"suite.json":  `{"id":5,"head_sha":"` + shaA + `","status":"completed","conclusion":"timed_out","app":{"name":"CircleCI"}}`,
		"view.json": `{"conclusion":"failure","headSha":"` + shaB + `","workflowName":"ci","name":"ci","jobs":[
  {"name":"test (3.12)","status":"completed","conclusion":"failure","startedAt":"2026-03-01T10:00:00Z","completedAt":"2026-03-01T10:05:00Z","steps":[{"name":"x","conclusion":"failure"}]}]}`,
		"jobs.json":              `{"total_count":1,"jobs":[{"id":9,"run_id":1,"head_sha":"` + shaB + `","name":"e2e","workflow_name":"nightly","status":"completed","conclusion":"cancelled"}]}`,
		"runs.json":              `[{"name":"ci","headSha":"` + shaB + `","conclusion":"success","status":"completed"}]`,
		"hook.json":              `{"action":"completed","check_run":{"name":"deploy","head_sha":"` + shaB + `","conclusion":"skipped","check_suite":{"conclusion":"success","head_sha":"` + shaB + `"}}}`,
		"status.json":            `{"state":"failure","sha":"` + shaB + `","statuses":[{"context":"ci/jenkins","state":"error"}]}`,
		shaA + "/pr-checks.json": `[{"name":"docs","state":"SUCCESS","bucket":"pass","workflow":"pages"}]`,
	})
	assert.Equal(t, map[string]string{
		"check-runs.json:2": "0a9b8c7 unit failed", "check-runs.json:3": "0a9b8c7 lint passed",
		"single.json:1": "0a9b8c7 build pending", "suite.json:1": "0a9b8c7 CircleCI timed_out",
		"view.json:2": "ffeeddc ci / test (3.12) failed", "jobs.json:1": "ffeeddc nightly / e2e cancelled", "runs.json:1": "ffeeddc ci passed",
		"hook.json:1": "ffeeddc deploy skipped", "status.json:1": "ffeeddc ci/jenkins failed",
		shaA + "/pr-checks.json:1": "0a9b8c7 pages / docs passed",
	}, got.checks())
}

// TestLogs: each command of a job is a check of the commit that it checked out.
func TestLogs(t *testing.T) {
	z := "2026-03-01T10:00:00.1234567Z "
	got := take(t, map[string]string{
		"actions.log": z + "##[group]Run actions/checkout@v4\n" + z + "with:\n" + z + "##[endgroup]\n" +
			z + "HEAD is now at 6a261a2 Merge " + shaA + " into " + shaB + "\n" + z + "[command]/usr/bin/git log -1 --format=%H\n" + z + "6a261a2433a30adb87c2a63adc84befc43e1846b\n" +
			z + "##[group]Run npm ci\n" + z + "\x1b[36;1mnpm ci\x1b[0m\n" + z + "shell: /usr/bin/bash -e {0}\n" + z + "##[endgroup]\n" + z + "added 3 packages\n" +
			z + "##[group]Run npm test\n" + z + "##[endgroup]\n" + z + "##[error]cart.test.js:4 expected 2\n" + z + "##[error]Process completed with exit code 1.\n" +
			z + "##[group]Run echo \"always\" | cat\n" + z + "##[endgroup]\n" + z + "Post job cleanup.\n" +
			z + "##[group]Run never finished\n",
		"gh.log": "test\tUNKNOWN STEP\t\ufeff" + z + "##[group]Run pytest -q\n" + "lint\tUNKNOWN STEP\t" + z + "##[group]Run ruff check .\n" +
			"test\tUNKNOWN STEP\t" + z + "##[error]Process completed with exit code 2.\n" +
			"test\tUNKNOWN STEP\t" + z + "[command]/usr/bin/git log -1 --format=%H\ntest\tUNKNOWN STEP\t" + z + shaB + "\n" +
			"lint\tUNKNOWN STEP\t" + z + "HEAD is now at " + shaB[:7] + " x\nlint\tUNKNOWN STEP\t" + z + "##[error]The operation was canceled.\n",
		"gitlab.log": "Running with gitlab-runner 17.0.0 (abc)\n\x1b[32;1mChecking out " + shaA[:8] + " as detached HEAD (ref is main)...\x1b[0;m\n" +
			"section_start:1:step_script\r\x1b[0K\x1b[0K\x1b[36;1mExecuting\x1b[0;m\n\x1b[32;1m$ go build ./...\x1b[0;m\n\x1b[32;1m$ go test ./...\x1b[0;m\nFAIL\n" +
			"\x1b[31;1mERROR: Job failed: exit code 1\x1b[0;m\n",
		"gitlab-ok.log": "2026-10-09T00:00:00Z 00O Running with gitlab-runner 17\n2026-10-09T00:00:01Z 01O Checking out " + shaA[:8] + " as main...\n2026-10-09T00:00:02Z 01O $ make\n2026-10-09T00:00:03Z 00O Job succeeded\n",
		"jenkins.log":   "Started by user x\nChecking out Revision " + shaB + " (refs/remotes/origin/main)\n+ make check\nERROR: script returned exit code 2\nFinished: FAILURE\n",
		"other.log":     "HEAD is now at " + shaA[:9] + " work\n+ anything\nThe command \"make\" exited with 3.\nTests exited with code 3\n",
	})
	assert.Equal(t, map[string]string{
		"actions.log:7": "0a9b8c7 Run npm ci passed", "actions.log:12": "0a9b8c7 Run npm test failed exit 1", "actions.log:16": `0a9b8c7 Run echo "always" | cat passed`,
		"gh.log:1": "ffeeddc test / Run pytest -q failed exit 2", "gh.log:2": "ffeeddc lint / Run ruff check . cancelled",
		"gitlab.log:4": "0a9b8c7 go build ./... passed", "gitlab.log:5": "0a9b8c7 go test ./... failed exit 1", "gitlab-ok.log:3": "0a9b8c7 make passed",
		"jenkins.log:3": "ffeeddc make check failed exit 2", "jenkins.log:5": "ffeeddc build failed",
		"other.log:4": "0a9b8c7 Tests exited with code 3 failed exit 3",
	}, got.checks())
	assert.Equal(t, []string{"npm", "test"}, got.docs["actions.log:12"].Completion.Checks[0].Argv)
	assert.Empty(t, got.docs["actions.log:16"].Completion.Checks[0].Argv, "a pipeline is not one command")
}

// TestMappings: lines of service logs as look-ups by a key.
func TestMappings(t *testing.T) {
	files := map[string]string{
		"svc/audit.jsonl": `{"ts":"2026-03-01T10:00:00Z","req":{"headers":{"idempotency-key":"ord-1"}},"status":201}` + "\n" + `not json` + "\n" +
			`{"ts":"2026-03-01T10:00:05Z","req":{"headers":{"idempotency-key":"ord-1"}},"status":500}` + "\n" + `{"ts":"x","status":200}` + "\n",
		"svc/access.log":  `10.0.0.1 - bob [01/Mar/2026:12:00:00 +0200] "POST /orders?ref=ord-2 HTTP/1.1" 409 12 "-" "curl"` + "\n",
		"svc/app.logfmt":  `time=2026-03-01T10:00:00Z level=info key="ord 3" state=done` + "\n",
		"svc/custom.text": "[2026-03-01 10:00:00] order=ord-4 OK\n[2026-03-01 10:00:01] order=ord-4 OK\n",
		"svc/empty.text2": "nothing fits\n",
	}
	got := take(t, files,
		evidence.Mapping{Logs: "svc/audit.jsonl", Format: "json", Tool: "create_order", Time: "ts", Key: "req.headers.idempotency-key", Status: "status"},
		evidence.Mapping{Logs: "*.log", Format: "combined", Tool: "create_order", Time: "time", Key: "query.ref", Status: "status"},
		evidence.Mapping{Logs: "*.logfmt", Format: "logfmt", Tool: "create_order", Time: "time", Key: "key", Status: "state", OK: []string{"done"}},
		evidence.Mapping{Logs: "*.text", Format: "regexp", Pattern: `^\[(?P<t>[^\]]+)\] order=(?P<k>\S+)`, Tool: "create_order", Time: "t", Key: "k"},
		evidence.Mapping{Logs: "*.text2", Format: "logfmt", Tool: "t", Key: "k"})
	say := func(at string) (out string) {
		op := got.docs[at].Operation
		if op == nil {
			return "nothing"
		}
		out = op.RunID + " " + op.Tool
		for _, l := range op.Lookups {
			out += fmt.Sprintf(" %s %v %s", l.At.Format("15:04:05"), *l.Found, l.Result)
		}
		return out
	}
	assert.Equal(t, `key:ord-1 create_order 10:00:00 true {"status":"201"} 10:00:05 false {"status":"500"}`, say("svc/audit.jsonl:3"))
	assert.Equal(t, `key:ord-2 create_order 10:00:00 false {"status":"409"}`, say("svc/access.log:1"))
	assert.Equal(t, `key:ord 3 create_order 10:00:00 true {"status":"done"}`, say("svc/app.logfmt:1"))
	assert.Equal(t, `key:ord-4 create_order 10:00:00 true null 10:00:01 true null`, say("svc/custom.text:2"))
	assert.Equal(t, []string{"svc/empty.text2:1 no-match"}, got.said)
}

func TestMappingCheck(t *testing.T) {
	good := evidence.Mapping{Logs: "a", Format: "json", Tool: "t", Key: "k"}
	require.NoError(t, good.Check())
	for name, change := range map[string]func(*evidence.Mapping){
		"no logs": func(m *evidence.Mapping) { m.Logs = "" }, "no key": func(m *evidence.Mapping) { m.Key = "" }, "no tool": func(m *evidence.Mapping) { m.Tool = "" },
		"format": func(m *evidence.Mapping) { m.Format = "xml" }, "pattern": func(m *evidence.Mapping) { m.Format, m.Pattern = "regexp", "(" },
		"group": func(m *evidence.Mapping) { m.Format, m.Pattern = "regexp", "(?P<x>.)" },
	} {
		m := good
		change(&m)
		assert.ErrorIs(t, m.Check(), evidence.ErrMapping, name)
	}
}

// FuzzTake: whatever a file holds, it is read or told of.
func FuzzTake(f *testing.F) {
	f.Add([]byte(`<testsuites><testsuite name="x"><testcase name="a"><failure/></testcase></testsuite></testsuites>`))
	f.Add([]byte(`{"results":{"tool":{"name":"jest"},"summary":{},"tests":[{"name":"a","status":"failed"}]}}`))
	f.Add([]byte(`{"total_count":1,"check_runs":[{"name":"a","head_sha":"` + shaA + `","conclusion":"failure"}]}`))
	f.Add([]byte("2026-03-01T10:00:00.1Z HEAD is now at " + shaA + "\n2026-03-01T10:00:00.1Z ##[group]Run x\n2026-03-01T10:00:00.1Z ##[error]Process completed with exit code 1.\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		take(t, map[string]string{shaA + "/f": string(data)})
	})
}

// TestPlaces: what is cited is the case, test, check or line itself, byte order
// mark or not. Of a recoded report only the line is known.
func TestPlaces(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	for file, f := range map[string][2]string{
		"a.xml":    {"<testsuite name=\"u\">\n<testcase name=\"a\"/>\n<testcase\n name=\"b\"><failure/></testcase>\n</testsuite>", "<testcase\n name=\"b\"><failure/></testcase>"},
		"b.xml":    {"<?xml version=\"1.0\"?>\n<testsuite name=\"u\"><testcase name=\"a\"/></testsuite>\n", "<testsuite name=\"u\"><testcase name=\"a\"/></testsuite>"},
		"c.xml":    {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<testsuite><testcase name=\"\xe4\"><failure/></testcase></testsuite>", ""},
		"d.json":   {`{"results":{"tool":{"name":"t"},"tests":[{"name":"a","status":"passed"},` + "\n" + `{"name":"b","status":"failed"}]}}`, `{"name":"b","status":"failed"}`},
		"e.json":   {`{"check_runs":[` + "\n" + `{"head_sha":"` + shaA + `","name":"unit","status":"completed","conclusion":"failure"}]}`, `{"head_sha":"` + shaA + `","name":"unit","status":"completed","conclusion":"failure"}`},
		"job.log":  {"2026-03-01T10:00:00.0000000Z Set up.\r\n2026-03-01T10:00:01.0000000Z ##[group]Run make test\r\n2026-03-01T10:00:02.0000000Z ##[error]Process completed with exit code 2.\r\n", "2026-03-01T10:00:01.0000000Z ##[group]Run make test"},
		"job2.log": {"2026-03-01T10:00:01.0000000Z ##[group]Run make test\n2026-03-01T10:00:02.0000000Z ##[error]Process completed with exit code 2.", "2026-03-01T10:00:01.0000000Z ##[group]Run make test"},
	} {
		for _, before := range []string{"", mark} {
			got := take(t, map[string]string{shaA + "/" + file: before + f[0]})
			if assert.Len(t, got.cited, 1, "%s %v", file, got.said) {
				for at, cited := range got.cited {
					assert.Equal(t, f[1], strings.TrimPrefix(cited, mark), at)
				}
			}
		}
	}
}
