package receive

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// Options of a Server. The zero values of sizes and times stand for the
// defaults.
type Options struct {
	// Open opens the store, which is closed again when nothing waits, or after two
	// seconds. An error that wraps ingest.ErrLocked is waited out; any other fails
	// the batch.
	Open func() (ingest.Store, *redact.Redactor, error)
	// Stored is told of each batch, in order, by one goroutine, when the store is
	// closed again.
	Stored func(*Batch)
	// Failed is told why a batch was not stored.
	Failed func(error)
	// Token, when not empty, is what clients must send as a bearer token.
	Token string
	// MaxRequest is how many bytes the body of a request may have, unpacked.
	MaxRequest int64
	// Budget is how many bytes of bodies are held at any time.
	Budget int64
	// ReadTimeout is how long a client may take to send one body.
	ReadTimeout time.Duration
	// Patience is how long a batch waits for a store that is locked.
	Patience time.Duration
}

// The defaults of Options.
const (
	DefaultMaxRequest  = 16 << 20
	DefaultBudget      = 64 << 20
	DefaultReadTimeout = 10 * time.Second
	DefaultPatience    = 8 * time.Second // exporters give up after 10 s
)

// Batch is what was stored together.
type Batch struct {
	Receipt  *ingest.Receipt
	Requests int
	// Ended lists the runs whose root span has ended in this batch.
	Ended []string
}

// Server takes requests from its handler to the store. New makes one.
type Server struct {
	o      Options
	budget *semaphore.Weighted
	memory decode.Memory // of run, from batch to batch
	spares spares

	mu     sync.Mutex
	queue  []*export
	wake   chan struct{} // holds a value when the queue may have grown
	closed bool
	done   chan struct{}
}

// export is one request on its way: its body, and where the answer goes.
type export struct {
	body   []byte
	json   bool
	room   *room // given back when the body is no longer held
	result chan result
}

// result is what became of an export: how many of its spans were refused, and
// why; or the error that it failed with.
type result struct {
	rejected int
	cause    string
	err      error
}

// errClosed refuses what comes after Close.
var errClosed = errors.New("the receiver is closing")

// New starts a server. Close ends it.
func New(o Options) *Server {
	o.MaxRequest = orDefault(o.MaxRequest, DefaultMaxRequest)
	o.Budget = max(orDefault(o.Budget, DefaultBudget), o.MaxRequest)
	o.ReadTimeout = orDefault(o.ReadTimeout, DefaultReadTimeout)
	o.Patience = orDefault(o.Patience, DefaultPatience)
	s := &Server{o: o, budget: semaphore.NewWeighted(o.Budget), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go s.run()
	return s
}

func orDefault[T int64 | time.Duration](v, otherwise T) T {
	if v <= 0 {
		return otherwise
	}
	return v
}

// Close stores what waits, answers it and ends the server. Requests that come
// later are refused as retryable.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.nudge()
	<-s.done
	return nil
}

// export queues a body and waits for its answer. The body and its room belong
// to the server from then on: a client that goes away does not take its
// request back.
func (s *Server) export(ctx context.Context, body []byte, json bool, room *room) (result, error) {
	room.shrink(int64(len(body)))
	e := &export{body: body, json: json, room: room, result: make(chan result, 1)}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		room.release()
		return result{}, retryable{errClosed}
	}
	s.queue = append(s.queue, e)
	s.mu.Unlock()
	s.nudge()
	select {
	case r := <-e.result:
		return r, r.err
	case <-ctx.Done():
		return result{}, retryable{fmt.Errorf("store the request: %w", ctx.Err())}
	}
}

func (s *Server) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// retryable marks an error after which the same request may succeed.
type retryable struct{ error }

func (e retryable) Unwrap() error { return e.error }
