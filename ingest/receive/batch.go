package receive

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/otlp"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// batchSize bounds the bytes of the bodies that are stored together.
const batchSize = 8 << 20

// take removes the next batch from the queue.
func (s *Server) take() (batch []*export, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, size := 0, 0
	for n < len(s.queue) && (n == 0 || size+len(s.queue[n].body) <= batchSize) {
		size += len(s.queue[n].body)
		n++
	}
	batch = s.queue[:n:n]
	s.queue = s.queue[n:]
	return batch, s.closed
}

// waiting reports that there is a batch to take.
func (s *Server) waiting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue) > 0
}

// write writes a batch and syncs the store. The batch is nil when none of its
// requests is one.
func (s *Server) write(batch []*export, results []result, store ingest.Store, redactor *redact.Redactor) (*Batch, error) {
	b, err := s.decode(batch, results, store, redactor)
	if err == nil {
		err = store.Sync()
	}
	if err != nil {
		return nil, fmt.Errorf("store a batch: %w", err)
	}
	return b, nil
}

// decode writes the requests as one content, which its units name.
func (s *Server) decode(batch []*export, results []result, store ingest.Store, redactor *redact.Redactor) (*Batch, error) {
	size := int64(0)
	out := &Batch{}
	for i, e := range batch {
		if results[i].err = check(e, redactor); results[i].err == nil {
			out.Requests++
			size += int64(len(e.body))
		}
	}
	if out.Requests == 0 {
		return nil, nil
	}
	w := decode.NewWriter(store, redactor, decode.Target{
		Format: otlp.Live.Name, Version: otlp.Live.Version, Grade: otlp.Live.Grade,
		Path: "otlp:", Size: size, Memory: &s.memory,
	})
	requests := otlp.NewRequests(w)
	for i, e := range batch {
		if results[i].err != nil {
			continue
		}
		got, err := requests.Take(e.body, e.json)
		if err != nil {
			return nil, err
		}
		results[i].rejected, results[i].cause = got.Rejected, got.Cause
		out.Ended = append(out.Ended, got.Ended...)
	}
	requests.Close()
	receipt, err := w.Close()
	out.Receipt = receipt
	return out, err
}

// check refuses a body that is no request. The error, which quotes it, is free
// of secrets.
func check(e *export, redactor *redact.Redactor) error {
	err := otlp.CheckRequest(e.body, e.json)
	if err == nil {
		return nil
	}
	cause, _ := redactor.Unit(nil, []byte(err.Error()))
	return errors.New(string(bytes.ToValidUTF8(cause, []byte("\ufffd"))))
}
