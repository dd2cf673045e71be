package world

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay/mcp"
	"github.com/faultline-dev/faultline/regress/script"
)

// Options of a world.
type Options struct {
	Passive     bool // the model goes on after an answer that is not clear
	MaxRequests int  // to the model; 0: 200. Tools get ten times as many.
	// Kill ends the harness and returns when it is dead. It is called at the
	// fault, before the reply, or right after it where the fault says so; never
	// with a lock of the world held.
	Kill func(point script.Point)
	// Over is called once when the cap is reached: nothing that the harness does
	// from there on counts.
	Over func()
	// Late is how long a late reply waits: more than the harness waits for a
	// tool. A lost reply's connection is closed after four times as long.
	Late time.Duration
	Log  io.Writer // each entry of the ledger, as it is made
}

const maxRequests = 200

// World is one play of a script. Its methods may be called from many
// goroutines; servers run until Close.
type World struct {
	script  *script.Script
	options Options
	servers map[string]*mcp.Server

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
	budget atomic.Int64 // bytes of requests that may still be held

	mu       sync.Mutex
	closed   bool
	closers  map[io.Closer]bool
	session  int
	dead     bool // killed, and not restarted yet
	over     bool
	entries  []Entry
	failures []Failure
	asks     *asks
	store    *store
	fault    *trigger
	sent     map[string]*sending // the last dispatch of each call
	builtin  map[string]bool     // ids of calls of the harness's own tools that were seen done
	requests int
	asked    int // requests to the model that were no side requests
	calls    int
	messages int
	last     int // the turn that was answered last
	reached  map[int]bool
	called   map[*script.Tool]bool
	stopped  bool
}

// New makes a world for a script. A script that makes no sense gives an error
// that wraps script.ErrScript, a fault that cannot be caused from outside one that
// wraps ErrNotReplayable, with the reason.
func New(s *script.Script, o Options) (*World, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	fault, err := newTrigger(s, o)
	if err != nil {
		return nil, err
	}
	if o.MaxRequests <= 0 {
		o.MaxRequests = maxRequests
	}
	seed := digest(32, string(s.Bytes()))
	w := &World{
		script: s, options: o, servers: map[string]*mcp.Server{}, closers: map[io.Closer]bool{}, session: 1,
		asks: newAsks(seed), store: newStore(seed, s), fault: fault, sent: map[string]*sending{}, builtin: map[string]bool{},
		reached: map[int]bool{}, called: map[*script.Tool]bool{},
	}
	w.budget.Store(maxHeld)
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.tools()
	w.note(Entry{Kind: expect.Requested, Text: clip(s.Prompt)})
	return w, nil
}

// tools makes a server for each that the script names.
func (w *World) tools() {
	for i := range w.script.Tools {
		t := &w.script.Tools[i]
		if t.Via != script.MCP {
			continue
		}
		s := w.servers[t.Server]
		if s == nil {
			s = &mcp.Server{Name: t.Server, Call: w.callMCP}
			w.servers[t.Server] = s
		}
		s.Tools = append(s.Tools, mcp.Tool{Name: t.Name, Description: describe(t), Schema: schema(t), Task: t.Task})
	}
}

func describe(t *script.Tool) string {
	switch {
	case t.Description != "":
		return t.Description
	case t.Effect != "":
		return fmt.Sprintf("%s: %s a %s.", t.Name, t.Effect, t.Resource)
	}
	return t.Name
}

// Restarted tells that the harness begins another session.
func (w *World) Restarted() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session++
	w.dead = false
	w.note(Entry{Kind: expect.Crossed, Text: "the harness was started again"})
	prompt := w.script.Resume
	if prompt == "" {
		prompt = w.script.Prompt
	}
	w.note(Entry{Kind: expect.Requested, Text: clip(prompt)})
}

// Close ends all servers and connections. Nothing is entered into the ledger
// afterwards.
func (w *World) Close() error {
	w.mu.Lock()
	w.closed = true
	all := w.closers
	w.closers = map[io.Closer]bool{}
	w.mu.Unlock()
	w.cancel()
	for c := range all {
		c.Close()
	}
	w.wg.Wait()
	return nil
}

// start runs f until Close closes c. After a Close nothing is started.
func (w *World) start(c io.Closer, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		c.Close()
		return
	}
	w.closers[c] = true
	w.wg.Go(func() {
		defer w.drop(c)
		f()
	})
}

func (w *World) drop(c io.Closer) {
	c.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.closers, c)
}

// now is the session of the harness that runs.
func (w *World) now() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session
}

// ServeModel answers requests to the model. It returns at once.
func (w *World) ServeModel(l net.Listener) { w.serve(l, http.HandlerFunc(w.model)) }

// ServeTools answers /mcp/SERVER and /http/SERVER/…. It returns at once.
func (w *World) ServeTools(l net.Listener) { w.serve(l, http.HandlerFunc(w.tool)) }

// kill ends the harness, and nobody is answered until it is restarted; w.mu is
// not held.
func (w *World) kill() { w.options.Kill(w.fault.Point) }
