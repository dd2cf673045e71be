package receive

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// room is a part of the budget. It is taken as the bytes of a body arrive, so
// that clients that stall hold little more than what they sent.
type room struct {
	s    *Server
	size int64
}

// firstRoom is what a body takes before it shows its size.
const firstRoom = 4 << 10

func (s *Server) reserve() *room { return &room{s: s} }

// grow waits a moment for more.
func (r *room) grow(ctx context.Context, size int64) error {
	if size <= r.size {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, retryAfter)
	defer cancel()
	if err := r.s.budget.Acquire(ctx, size-r.size); err != nil {
		return errBusy
	}
	r.size = size
	return nil
}

// shrink gives back what a body does not need.
func (r *room) shrink(size int64) {
	if size < r.size {
		r.s.budget.Release(r.size - size)
		r.size = size
	}
}

func (r *room) release() { r.shrink(0) }

// How many times the bytes that came a body takes next, where its size is stated
// and where not: then the rest may stay empty.
const (
	growthStated = 4
	growth       = 2
)

// readBody reads and unpacks a body of at most limit bytes. Stated is how many it
// is said to have, negative when nobody says.
func readBody(ctx context.Context, from io.Reader, encoding string, room *room, stated, limit int64) ([]byte, error) {
	if err := room.grow(ctx, min(firstRoom, limit)); err != nil {
		return nil, err
	}
	switch strings.ToLower(encoding) {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(io.LimitReader(from, limit+1))
		if err != nil {
			return nil, fmt.Errorf("unpack the request: %w", err)
		}
		from, stated = z, -1
	default:
		return nil, errEncoding
	}
	body := make([]byte, 0, firstRoom)
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, fmt.Errorf("%w: %d bytes", errTooLarge, limit)
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, fmt.Errorf("read the request: %w", err)
		case len(body) == cap(body):
			size := growth * int64(cap(body))
			if stated > int64(len(body)) {
				size = min(growthStated*int64(cap(body)), stated+1) // one more to find the end
			}
			size = min(size, limit+1)
			if err := room.grow(ctx, min(size, limit)); err != nil {
				return nil, err
			}
			body = append(room.s.spares.take(int(size)), body...)
		}
	}
}
