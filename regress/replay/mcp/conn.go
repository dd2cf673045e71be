package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxMessage bounds one message, in bytes.
const maxMessage = 16 << 20

// errClosed ends a connection on purpose.
var errClosed = errors.New("connection closed on purpose")

// ServeConn serves newline-delimited JSON-RPC until the other side ends, the
// context does, or an answer closes the connection. The caller closes rw.
func (s *Server) ServeConn(ctx context.Context, rw io.ReadWriter) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &conn{server: s, w: rw, end: cancel, calls: map[string]context.CancelFunc{}}
	lines := bufio.NewScanner(rw)
	lines.Buffer(make([]byte, 0, 64<<10), maxMessage)
	read := make(chan error, 1)
	go func() {
		for lines.Scan() {
			if line := append([]byte(nil), lines.Bytes()...); len(line) > 0 {
				c.take(ctx, line)
			}
		}
		read <- lines.Err()
	}()
	select {
	case err := <-read:
		c.pending.Wait()
		if err != nil {
			return fmt.Errorf("read from the client of MCP server %s: %w", s.Name, err)
		}
		return nil
	case <-ctx.Done():
		if errors.Is(context.Cause(ctx), errClosed) {
			return nil
		}
		return ctx.Err()
	}
}

type conn struct {
	server  *Server
	mu      sync.Mutex // of w and calls
	w       io.Writer
	end     context.CancelCauseFunc
	calls   map[string]context.CancelFunc
	pending sync.WaitGroup
}

// take starts on one line. Requests are served side by side.
func (c *conn) take(ctx context.Context, line []byte) {
	m, bad := parse(line)
	switch {
	case bad != nil:
		c.send(message{Version: "2.0", ID: jsontext.Value("null"), Error: bad})
	case m.Method == "notifications/cancelled":
		c.cancel(m.Params)
	case m.asks():
		c.mu.Lock()
		one, stop := context.WithCancel(ctx)
		c.calls[string(m.ID)] = stop
		c.mu.Unlock()
		c.pending.Go(func() {
			defer stop()
			c.serve(one, m)
		})
	}
}

func (c *conn) serve(ctx context.Context, m message) {
	out := c.server.handle(ctx, m)
	a := out.answer
	switch {
	case a.Close:
		c.end(errClosed)
		return
	case a.Lost:
		return
	case !wait(ctx, a.Delay):
		return // nobody waits for it any more
	}
	c.send(out.reply)
	if a.Twice {
		c.send(out.reply)
	}
	if a.After != nil {
		a.After()
	}
}

// wait reports that the delay passed.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// cancel ends the wait for an answer. The tool is not told: its effect may have
// happened.
func (c *conn) cancel(params jsontext.Value) {
	var p struct {
		ID jsontext.Value `json:"requestId"`
	}
	if json.Unmarshal(params, &p, jsontext.AllowDuplicateNames(true)) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if stop := c.calls[string(p.ID)]; stop != nil {
		stop()
	}
}

func (c *conn) send(m message) {
	data, err := encode(m)
	if err != nil {
		return // everything that is sent was made here
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.w.Write(append(data, '\n')); err != nil {
		c.end(err)
	}
}
