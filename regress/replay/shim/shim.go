package shim

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// ErrUsage is wrapped by errors of the words.
var ErrUsage = errors.New("malformed words of a shim")

// Failed is the exit code of a shim that could not reach the world: commands
// of their own rarely use it.
const Failed = 125

// maxInput bounds what a command is given on standard input, in bytes.
const maxInput = 4 << 20

// Process is what a shim has of the process that it runs in.
type Process struct {
	Dir            string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// header is the first line of a connection.
type header struct {
	Kind   string   `json:"kind"` // mcp, command or git
	Server string   `json:"server,omitzero"`
	Argv   []string `json:"argv,omitzero"`
	Dir    string   `json:"dir,omitzero"`
	Stdin  []byte   `json:"stdin,omitzero"`
	Repo   string   `json:"repo,omitzero"`
	Refs   []string `json:"refs,omitzero"` // OLD NEW NAME
}

// reply answers a command or a hook.
type reply struct {
	Stdout []byte `json:"stdout"`
	Stderr []byte `json:"stderr"`
	Exit   int    `json:"exit"`
}

// Run does what the words behind --control SOCKET say and returns the exit
// code.
func Run(ctx context.Context, control string, words []string, p Process) (int, error) {
	if len(words) < 2 {
		return Failed, fmt.Errorf("%w: %q", ErrUsage, words)
	}
	var dial net.Dialer
	conn, err := dial.DialContext(ctx, "unix", control)
	if err != nil {
		return Failed, fmt.Errorf("reach the world of the replay: %w", err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	switch kind, name, rest := words[0], words[1], words[2:]; kind {
	case "mcp":
		return 0, carry(conn, header{Kind: kind, Server: name}, p)
	case "command":
		if len(rest) > 0 && rest[0] == "--" {
			rest = rest[1:]
		}
		h := header{Kind: kind, Argv: slices.Concat([]string{name}, rest), Dir: p.Dir, Stdin: input(p.Stdin, quiet)}
		return ask(conn, h, p)
	case "git":
		in := input(p.Stdin, time.Minute) // git closes it
		return ask(conn, header{Kind: kind, Repo: name, Refs: strings.Split(strings.TrimSpace(string(in)), "\n")}, p)
	}
	return Failed, fmt.Errorf("%w: %q", ErrUsage, words[0])
}

// quiet is how long a command waits for the first byte of its standard input.
// A harness that gives its commands an open pipe and writes nothing to it would
// not be noticed by the real command, which does not read.
const quiet = 300 * time.Millisecond

// input reads all of r, or nothing where nothing comes.
func input(r io.Reader, wait time.Duration) []byte {
	first, all := make(chan struct{}), make(chan []byte, 1)
	go func() {
		b := bufio.NewReader(io.LimitReader(r, maxInput))
		if _, err := b.Peek(1); err == nil {
			close(first)
		}
		data, _ := io.ReadAll(b) // what could be read
		all <- data
	}()
	select {
	case data := <-all:
		return data
	case <-first:
		return <-all
	case <-time.After(wait):
		return nil
	}
}

func open(conn net.Conn, h header) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = conn.Write(append(line, '\n'))
	return err
}

// carry joins the process and the connection until either ends: a client that
// closes its end, or a world that drops the connection, as a server that dies.
func carry(conn net.Conn, h header, p Process) error {
	if err := open(conn, h); err != nil {
		return fmt.Errorf("speak to the world of the replay: %w", err)
	}
	go func() {
		io.Copy(conn, p.Stdin)
		if c, ok := conn.(*net.UnixConn); ok {
			c.CloseWrite()
		}
	}()
	_, err := io.Copy(p.Stdout, conn)
	return err
}

// ask sends one question and gives the answer out.
func ask(conn net.Conn, h header, p Process) (int, error) {
	if err := open(conn, h); err != nil {
		return Failed, fmt.Errorf("speak to the world of the replay: %w", err)
	}
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	var r reply
	if err == nil || errors.Is(err, io.EOF) && len(line) > 0 {
		err = json.Unmarshal(line, &r)
	}
	if err != nil {
		return Failed, fmt.Errorf("hear from the world of the replay: %w", err)
	}
	p.Stdout.Write(r.Stdout) // a reader that went away is the caller's affair
	p.Stderr.Write(r.Stderr)
	return r.Exit, nil
}
