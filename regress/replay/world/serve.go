package world

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// The limits of what a harness may send.
const (
	maxBody  = 32 << 20
	maxHeld  = 256 << 20 // of all requests at once
	maxConns = 256       // of a listener; more wait
	slow     = 30 * time.Second
)

// conn is one connection.
type conn struct {
	number  int // of HTTP, from 1; 0 of another kind
	session int // of the harness, when it began
}

type connKey struct{}

// connOf is the connection of a request.
func connOf(ctx context.Context) conn {
	c, _ := ctx.Value(connKey{}).(conn)
	return c
}

// serve runs an HTTP server until the world is closed.
func (w *World) serve(l net.Listener, h http.Handler) {
	var count atomic.Int64
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: slow, ReadTimeout: 2 * slow, IdleTimeout: 10 * slow, MaxHeaderBytes: 256 << 10,
		ErrorLog: log.New(io.Discard, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, conn{int(count.Add(1)), w.now()})
		},
		BaseContext: func(net.Listener) context.Context { return w.ctx },
	}
	// A listener that fails ends the harness's requests, and that is seen there.
	w.start(server, func() { server.Serve(limited(l)) })
}

var (
	errTooBig = errors.New("the request is too big")
	errTooAll = errors.New("the requests are too big together")
)

// body reads a request's body. release gives its bytes back.
func (w *World) body(r *http.Request) (data []byte, release func(), err error) {
	held := &heldReader{w: w, r: io.LimitReader(r.Body, maxBody+1)}
	data, err = io.ReadAll(held)
	if err == nil && len(data) > maxBody {
		err = errTooBig
	}
	return data, held.release, err
}

// heldReader takes what it reads from the world's budget.
type heldReader struct {
	w    *World
	r    io.Reader
	held int64
}

func (h *heldReader) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.held += int64(n)
	if h.w.budget.Add(-int64(n)) < 0 {
		return n, errTooAll
	}
	return n, err
}

func (h *heldReader) release() { h.w.budget.Add(h.held); h.held = 0 }

// limited is a listener with at most maxConns connections.
func limited(l net.Listener) net.Listener {
	return &limit{Listener: l, free: make(chan struct{}, maxConns), done: make(chan struct{})}
}

type limit struct {
	net.Listener
	free chan struct{}
	done chan struct{}
	once sync.Once
}

func (l *limit) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &counted{Conn: c, free: l.free}, nil
}

func (l *limit) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

type counted struct {
	net.Conn
	free chan struct{}
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { <-c.free })
	return c.Conn.Close()
}
