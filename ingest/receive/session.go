package receive

import (
	"errors"
	"fmt"
	"time"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// How long the store stays open.
const (
	// hold bounds a session, however much waits.
	hold = 2 * time.Second
	// turn is how long the store is left to others after a session, longTurn after
	// one that reached its bound.
	turn     = 25 * time.Millisecond
	longTurn = 150 * time.Millisecond
	// linger is how long a session waits for more where one came right behind the
	// other.
	linger = 20 * time.Millisecond
)

// run stores what waits, session by session, until the server is closed and
// nothing is left.
func (s *Server) run() {
	defer close(s.done)
	busy := false
	for {
		batch, closed := s.take()
		switch {
		case len(batch) > 0:
			pause := s.session(batch, busy)
			time.Sleep(pause)
			busy = s.waiting()
		case closed:
			return
		default:
			<-s.wake
		}
	}
}

// session opens the store, stores the batch and those that come meanwhile, and
// closes the store again. The last batch is answered only then, so that who sent it
// finds the store free; but where busy, at once. It returns how long the store is
// to be left to others.
func (s *Server) session(batch []*export, busy bool) time.Duration {
	store, redactor, err := s.open()
	if err != nil {
		s.answer(batch, s.fail(make([]result, len(batch)), err))
		return turn
	}
	s.memory.Reopened()
	began := time.Now()
	var stored []*Batch
	var results []result
	for {
		results = make([]result, len(batch))
		b, err := s.write(batch, results, store, redactor)
		if b != nil {
			stored = append(stored, b)
		}
		if err != nil {
			s.fail(results, err)
			break
		}
		next := s.more(began, busy, func() {
			s.answer(batch, results)
			batch = nil
		})
		if len(next) == 0 {
			break
		}
		s.answer(batch, results)
		batch = next
	}
	held := time.Since(began)
	if err := store.Close(); err != nil {
		s.fail(results, fmt.Errorf("close the store: %w", err))
	}
	s.answer(batch, results)
	for _, b := range stored {
		if s.o.Stored != nil {
			s.o.Stored(b)
		}
	}
	if held >= hold {
		return longTurn
	}
	return turn
}

// more returns the next batch of a session, nil when it is over. Idle is called
// before waiting for one.
func (s *Server) more(began time.Time, busy bool, idle func()) []*export {
	left := hold - time.Since(began)
	if left <= 0 {
		return nil
	}
	next, closed := s.take()
	if len(next) > 0 || closed || !busy {
		return next
	}
	idle()
	timer := time.NewTimer(min(linger, left))
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return nil
		case <-s.wake:
			if next, closed = s.take(); len(next) > 0 || closed {
				return next
			}
		}
	}
}

// open waits for a store that another process holds, up to Patience.
func (s *Server) open() (ingest.Store, *redact.Redactor, error) {
	const pause = 50 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		store, redactor, err := s.o.Open()
		if err == nil || !errors.Is(err, ingest.ErrLocked) || waited >= s.o.Patience {
			return store, redactor, err
		}
		time.Sleep(pause)
	}
}

// fail makes the results of a batch that could not be stored, and tells why.
func (s *Server) fail(results []result, err error) []result {
	for i := range results {
		if results[i].err == nil {
			results[i] = result{err: retryable{err}}
		}
	}
	if s.o.Failed != nil {
		s.o.Failed(err)
	}
	return results
}

// answer gives a batch its results, and its room back.
func (s *Server) answer(batch []*export, results []result) {
	for i, e := range batch {
		s.spares.give(e.body)
		e.body = nil
		e.room.release()
		e.result <- results[i]
	}
}
