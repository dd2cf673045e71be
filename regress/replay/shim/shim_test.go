package shim

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// world answers one connection on a socket and tells the first line of it.
func world(t *testing.T, answer func(c net.Conn, r *bufio.Reader)) (socket string, first chan header) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "c")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	first = make(chan header, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		r := bufio.NewReader(c)
		line, _ := r.ReadBytes('\n')
		var h header
		json.Unmarshal(line, &h)
		first <- h
		answer(c, r)
	}()
	return socket, first
}

func run(t *testing.T, socket, stdin string, words ...string) (code int, out, errs string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	code, err = Run(context.Background(), socket, words, Process{Dir: "/work", Stdin: strings.NewReader(stdin), Stdout: &o, Stderr: &e})
	return code, o.String(), e.String(), err
}

func TestCommand(t *testing.T) {
	socket, first := world(t, func(c net.Conn, _ *bufio.Reader) {
		io.WriteString(c, `{"stdout":"aGk=","stderr":"bm8=","exit":3}`+"\n")
	})
	code, out, errs, err := run(t, socket, "body", "command", "gh", "--", "pr", "create", "--", "x y")
	require.NoError(t, err)
	assert.Equal(t, 3, code)
	assert.Equal(t, "hi", out)
	assert.Equal(t, "no", errs)
	assert.Equal(t, header{Kind: "command", Argv: []string{"gh", "pr", "create", "--", "x y"}, Dir: "/work", Stdin: []byte("body")}, <-first)
}

func TestGit(t *testing.T) {
	socket, first := world(t, func(c net.Conn, _ *bufio.Reader) { io.WriteString(c, `{"exit":1}`) })
	code, _, _, err := run(t, socket, "a b refs/heads/main\nc d refs/heads/x\n", "git", "origin")
	require.NoError(t, err)
	assert.Equal(t, 1, code)
	assert.Equal(t, header{Kind: "git", Repo: "origin", Refs: []string{"a b refs/heads/main", "c d refs/heads/x"}}, <-first)
}

func TestMCP(t *testing.T) {
	socket, first := world(t, func(c net.Conn, r *bufio.Reader) {
		line, _ := r.ReadString('\n')
		io.WriteString(c, "got "+line)
	})
	code, out, _, err := run(t, socket, `{"id":1}`+"\n", "mcp", "shop")
	require.NoError(t, err)
	assert.Zero(t, code)
	assert.Equal(t, "got {\"id\":1}\n", out)
	assert.Equal(t, header{Kind: "mcp", Server: "shop"}, <-first)
}

// TestLost: a world that says nothing is an error of the shim, with a code that
// no command uses for itself.
func TestLost(t *testing.T) {
	socket, _ := world(t, func(net.Conn, *bufio.Reader) {})
	code, _, _, err := run(t, socket, "", "command", "gh")
	assert.Equal(t, Failed, code)
	assert.ErrorIs(t, err, io.EOF)

	code, _, _, err = run(t, filepath.Join(t.TempDir(), "nobody"), "", "command", "gh")
	assert.Equal(t, Failed, code)
	assert.ErrorContains(t, err, "reach the world")

	socket, _ = world(t, func(net.Conn, *bufio.Reader) {})
	for _, words := range [][]string{nil, {"mcp"}, {"fly", "away"}} {
		code, _, _, err = run(t, socket, "", words...)
		assert.Equal(t, Failed, code)
		assert.ErrorIs(t, err, ErrUsage)
	}
}

// TestOpenInput: an input that nobody writes to or closes is not waited for.
func TestOpenInput(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	assert.Empty(t, input(r, time.Millisecond))
	assert.Equal(t, "all of it", string(input(strings.NewReader("all of it"), time.Minute)))
	assert.Empty(t, input(strings.NewReader(""), time.Minute))
}
