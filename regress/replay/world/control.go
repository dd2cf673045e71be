package world

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/regress/script"

	"github.com/go-json-experiment/json"
)

// header is the first line of a control connection.
type header struct {
	Kind   string   `json:"kind"` // mcp, command or git
	Server string   `json:"server"`
	Argv   []string `json:"argv"`
	Dir    string   `json:"dir"`
	Stdin  []byte   `json:"stdin"`
	Repo   string   `json:"repo"`
	Refs   []string `json:"refs"` // OLD NEW NAME
}

// printed answers a command.
type printed struct {
	Stdout []byte `json:"stdout"`
	Stderr []byte `json:"stderr"`
	Exit   int    `json:"exit"`
}

const maxHeader = 8 << 20

// ServeControl answers the shims that stand for commands, MCP servers and the
// hook of the git remote. It returns at once.
func (w *World) ServeControl(l net.Listener) {
	l = limited(l)
	w.start(l, func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.start(c, func() { w.control(c, conn{session: w.now()}) })
		}
	})
}

// control serves one connection.
func (w *World) control(c net.Conn, from conn) {
	c.SetReadDeadline(time.Now().Add(slow))
	r := bufio.NewReader(c)
	h, err := readHeader(r)
	if err != nil {
		if !errors.Is(err, io.EOF) {
			w.unanswerable(from, "control connection: "+clip(err.Error()), "reading: it does not begin with a line of JSON")
		}
		return
	}
	c.SetReadDeadline(time.Time{})
	switch h.Kind {
	case "mcp":
		w.overPipe(c, r, h.Server, from)
	case "command":
		w.command(c, h, from)
	case "git":
		w.pushed(c, h, from)
	default:
		w.unanswerable(from, "control connection of kind "+clip(h.Kind), "kind: it is none of mcp, command, git")
	}
}

// readHeader reads the first line. What follows it in the buffer belongs to
// others.
func readHeader(r *bufio.Reader) (h header, err error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return h, json.Unmarshal(line, &h)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return h, err
		}
		if len(line) > maxHeader {
			return h, errTooBig
		}
	}
}

// overPipe speaks the Model Context Protocol.
func (w *World) overPipe(c net.Conn, r io.Reader, name string, from conn) {
	s := w.servers[name]
	if s == nil {
		w.unanswerable(from, "request to the MCP server "+clip(name), "server: the script names "+w.serverNames())
		return
	}
	both := struct {
		io.Reader
		io.Writer
	}{r, c}
	s.ServeConn(context.WithValue(w.ctx, connKey{}, from), both) // a harness that hangs up ends it
}

// command answers a program of the script.
func (w *World) command(c net.Conn, h header, from conn) {
	d, stages := w.program(h)
	if stages != nil {
		line := clip(strings.Join(h.Argv, " "))
		w.unanswerable(from, "command: "+line, stages...)
		text := fmt.Sprintf("replay: no tool answers %q: %s\n", line, strings.Join(stages, "; "))
		w.print(c, printed{Stderr: []byte(text), Exit: 127})
		return
	}
	d.conn = from
	w.finish(c, d, w.dispatch(*d))
}

// finish prints what a command prints. One whose reply is lost says so, as the
// real one would after its own time-out.
func (w *World) finish(c net.Conn, d *delivery, a answer) {
	if a.delay > 0 {
		t := time.NewTimer(a.delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-w.ctx.Done():
		}
	}
	out := printed{Stdout: []byte(a.say() + "\n")}
	switch {
	case a.dies:
		return
	case a.lost:
		out = printed{Stderr: []byte(d.tool.Server + ": timed out while waiting for the reply\n"), Exit: 1}
	case a.failed():
		out = printed{Stderr: []byte(d.tool.Server + ": " + a.text + "\n"), Exit: 1}
	}
	w.print(c, out)
	if a.after {
		c.Close()
		w.kill()
	}
}

func (w *World) print(c net.Conn, p printed) {
	line, err := json.Marshal(p)
	if err != nil {
		return
	}
	c.SetWriteDeadline(time.Now().Add(slow))
	c.Write(append(line, '\n')) // a shim that is gone hears nothing
}

// program finds the tool of a command's words: of those that fit the one with
// the most words of its own.
func (w *World) program(h header) (*delivery, []string) {
	stages := []string{}
	if len(h.Argv) == 0 {
		return nil, append(stages, "words: there are none")
	}
	name := path.Base(h.Argv[0])
	var best *delivery
	for i := range w.script.Tools {
		t := &w.script.Tools[i]
		if t.Via != script.Command {
			continue
		}
		if t.Server != name {
			stages = append(stages, t.Name+": the command is "+t.Server)
			continue
		}
		a, ok := fill(t, h.Argv[1:])
		if !ok {
			stages = append(stages, t.Name+": the words begin with "+strings.Join(t.Words, " "))
			continue
		}
		if best == nil || len(t.Words) > len(best.tool.Words) {
			best = &delivery{tool: t, args: a, command: strings.Join(append([]string{name}, h.Argv[1:]...), " ")}
		}
	}
	if best == nil {
		return nil, append(stages, "tools: no other command is known")
	}
	if len(h.Stdin) > 0 {
		best.args["stdin"] = string(h.Stdin)
	}
	return best, nil
}
