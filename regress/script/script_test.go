package script

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// example is the script of the package's documentation.
func example(t testing.TB) string {
	t.Helper()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(doc), "fails.\n//\n")
	text, _, ok := strings.Cut(rest, "\n//\n// # Turns")
	require.True(t, ok)
	return regexp.MustCompile(`(?m)^//`).ReplaceAllString(text, "")
}

func TestParseExample(t *testing.T) {
	s, err := Parse("script.json", []byte(example(t)))
	require.NoError(t, err)
	require.Len(t, s.Turns, 2)
	require.Equal(t, CommittedNotReplied, s.Fault.Point)
	back, err := Parse("script.json", s.Bytes())
	require.NoError(t, err)
	require.Equal(t, string(s.Bytes()), string(back.Bytes()))
}

// TestBytes: the same script in another order of members is the same bytes, and
// no number changes.
func TestBytes(t *testing.T) {
	a, err := Parse("a", []byte(`{"version":1,"prompt":"p","tools":[{"name":"f","via":"builtin"}],"turns":[{"id":"t","calls":[{"tool":"f","args":{"b":12345678901234567890,"a":1.50}}]}],"expect":[]}`))
	require.NoError(t, err)
	b, err := Parse("b", []byte(`{"expect":[],"turns":[{"calls":[{"args":{"a":1.50,"b":12345678901234567890},"tool":"f"}],"id":"t"}],"tools":[{"via":"builtin","name":"f"}],"prompt":"p","version":1}`))
	require.NoError(t, err)
	require.Equal(t, string(a.Bytes()), string(b.Bytes()))
	require.Contains(t, string(a.Bytes()), "12345678901234567890")
	require.Contains(t, string(a.Bytes()), "1.50")
}

// TestRefused: every error names the line and the member that a person edits.
func TestRefused(t *testing.T) {
	const head = "{\"version\":1,\n\"prompt\":\"p\",\n"
	for _, tc := range []struct{ in, line, want string }{
		{"", ":1:", "EOF"},
		{"{\"version\":1,\n\"prompt\":\"p\",,}", ":2:", "invalid character"},
		{"{\"version\":1,\n\"prompt\":7}", ":2:", "prompt: is no string"},
		{"{\"version\":1,\n\"version\":1}", ":2:", "duplicate"},
		{head + `"wish":1}`, ":3:", "wish"},
		{`{"version":2}`, ":1:", "version: 2 is not known"},
		{`{"version":1}`, ":1:", "prompt: is missing"},
		{head + `"turns":[]}`, ":3:", "turns: a script needs one"},
		{head + `"turns":[{"id":"a b","say":"x"}]}`, ":3:", `turns[0].id: "a b" is no name`},
		{head + "\"turns\":[{\"id\":\"a\",\"say\":\"x\"},\n{\"id\":\"a\",\"say\":\"x\"}]}", ":4:", `turns[1].id: "a" stands here twice`},
		{head + `"turns":[{"id":"a"}]}`, ":3:", "turns[0]: says nothing"},
		{head + `"turns":[{"id":"a","say":"x","need":"soon"}]}`, ":3:", "turns[0].need"},
		{head + `"turns":[{"id":"a","say":"x","stop":"no"}]}`, ":3:", "turns[0].stop"},
		{head + `"turns":[{"id":"a","say":"x","unless":[""]}]}`, ":3:", "turns[0].unless"},
		{head + `"turns":[{"id":"a","calls":[{"tool":"f","args":{}}]}]}`, ":3:", `turns[0].calls[0].tool: no tool is called "f"`},
		{head + "\"turns\":[{\"id\":\"a\",\"calls\":[{\"tool\":\"f\",\n\"args\":[]}]}],\"tools\":[{\"name\":\"f\",\"via\":\"builtin\"}]}", ":4:", "turns[0].calls[0].args: is no object"},
	} {
		_, err := Parse("s.json", []byte(tc.in))
		require.ErrorIs(t, err, ErrScript, tc.in)
		require.ErrorContains(t, err, "s.json"+tc.line, tc.in)
		require.ErrorContains(t, err, tc.want, tc.in)
	}
	_, err := Parse("s.json", bytes.Repeat([]byte(" "), maxBytes+1))
	require.ErrorContains(t, err, "at most")
}

// with is a script with one more member.
func with(member string) []byte {
	return []byte("{\"version\":1,\"prompt\":\"p\",\"turns\":[{\"id\":\"a\",\"say\":\"x\"}],\n" + member + ",\"expect\":[]}")
}

func TestRefusedParts(t *testing.T) {
	for in, want := range map[string]string{
		`"tools":[{"name":"f","via":"post"}]`:                                                        "tools[0].via",
		`"tools":[{"name":"f","via":"mcp"}]`:                                                         "tools[0].server: is missing",
		`"tools":[{"name":"f","via":"http","server":"s","method":"GET","path":"x"}]`:                 "tools[0].path",
		`"tools":[{"name":"f","via":"http","server":"s","method":"BREW","path":"/"}]`:                "tools[0].method",
		`"tools":[{"name":"f","via":"mcp","server":"s","path":"/"}]`:                                 "tools[0].via: method and path",
		`"tools":[{"name":"f","via":"mcp","server":"s","words":["a"]}]`:                              "tools[0].words",
		`"tools":[{"name":"f","via":"mcp","server":"s","effect":"make","resource":"r"}]`:             "tools[0].effect",
		`"tools":[{"name":"f","via":"mcp","server":"s","effect":"create"}]`:                          "tools[0].resource",
		`"tools":[{"name":"f","via":"mcp","server":"s","resource":"r"}]`:                             "tools[0].resource",
		`"tools":[{"name":"f","via":"mcp","server":"s","key":"k"}]`:                                  "tools[0].key",
		`"tools":[{"name":"f","via":"builtin","reply":1}]`:                                           "tools[0].via",
		`"tools":[{"name":"f","via":"builtin","task":true}]`:                                         "tools[0].task",
		`"tools":[{"name":"f","via":"builtin"},{"name":"f","via":"builtin"}]`:                        "tools[1].name",
		`"tools":[{"name":"f","via":"builtin","schema":[]}]`:                                         "tools[0].schema",
		`"tools":[{"name":"f","via":"mcp","server":"s","reply":1,"effect":"create","resource":"r"}]`: "tools[0].reply",
		`"fault":{"point":"meteor"}`:                                                                 "fault.point",
		`"fault":{"point":"reply-late","tool":"f"}`:                                                  "fault.tool",
		`"fault":{"point":"reply-late","turn":"a"}`:                                                  "fault.turn: reply-late is against a call",
		`"fault":{"point":"provider-stop","turn":"b"}`:                                               "fault.turn: no turn",
		`"fault":{"point":"provider-stop","nth":-1}`:                                                 "fault.nth",
		`"files":{"../x":""}`:                                     "files.../x",
		`"files":{"/etc/passwd":""}`:                              "inside the workspace",
		`"files":{"a/../../x":""}`:                                "inside the workspace",
		`"files":{"a\\b":""}`:                                     "character",
		`"files":{"C:x":""}`:                                      "character",
		`"files":{"a/.GIT/hooks/pre-commit":""}`:                  "may not write",
		`"files":{"a":"","a/b":""}`:                               "is a file",
		`"files":{"":""}`:                                         "is no path",
		`"resume":"x","expect":[{"invariant":"once"}],"files":{}`: "",
	} {
		_, err := Parse("s.json", with(in))
		require.ErrorIs(t, err, ErrScript, in)
		require.ErrorContains(t, err, want, in)
		if want != "" {
			require.ErrorContains(t, err, "s.json:2:", in)
		}
	}
	_, err := Parse("s.json", []byte("{\"version\":1,\"prompt\":\"p\",\"turns\":[{\"id\":\"a\",\"say\":\"x\"}],\n\n\"expect\":[{\"invariant\":\"once\"}]}"))
	require.ErrorContains(t, err, "s.json:3: expect[0]: malformed expectation: once is no invariant")
}

// BenchmarkDeep refuses a script of 4 MB that nests as deep as JSON may, at its
// last member.
func BenchmarkDeep(b *testing.B) {
	nested := strings.Repeat(strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+",", 200)
	data := []byte(`{"version":1,"prompt":"p","tools":[{"name":"f","via":"builtin","schema":{"a":[` + strings.TrimSuffix(nested, ",") + `]}}],"turns":[{"id":"a"}],"expect":[]}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		_, err := Parse("deep", data)
		require.ErrorContains(b, err, "turns[0]: says nothing")
	}
}

func TestFind(t *testing.T) {
	s := &Script{Tools: []Tool{{Name: "new", Server: "a"}, {Name: "new", Server: "b"}, {Name: "own"}}}
	_, err := s.Find("new")
	require.ErrorContains(t, err, "write SERVER/NAME")
	got, err := s.Find("b/new")
	require.NoError(t, err)
	require.Equal(t, "b", got.Server)
	_, err = s.Find("own")
	require.NoError(t, err)
}

// FuzzParse: what is read is written and read again as the same script.
func FuzzParse(f *testing.F) {
	f.Add([]byte(example(f)))
	f.Add(with(`"files":{"a/b":"x\ny"}`))
	f.Add(with(`"fault":{"point":"provider-stop","turn":"a","kill":true}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f", data)
		if err != nil {
			require.ErrorIs(t, err, ErrScript)
			return
		}
		once := s.Bytes()
		back, err := Parse("f", once)
		require.NoError(t, err, string(once))
		require.Equal(t, string(once), string(back.Bytes()))
	})
}
