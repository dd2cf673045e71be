package receive

import "sync"

// spares are bodies that were stored: their memory is used for others. They hold
// less than a batch does, and are not part of the budget.
type spares struct {
	mu   sync.Mutex
	free [][]byte
	size int
}

// take returns an empty slice for n bytes, of not much more.
func (s *spares) take(n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.free) - 1; i >= 0; i-- {
		if b := s.free[i]; cap(b) >= n && cap(b)-n <= n/4 {
			s.size -= cap(b)
			s.free[i] = s.free[len(s.free)-1]
			s.free = s.free[:len(s.free)-1]
			return b
		}
	}
	return make([]byte, 0, n)
}

// leastSpare is from how many bytes on a body is worth keeping.
const leastSpare = 32 << 10

// give takes a body that nobody uses any more. Where there are too many, the oldest
// one goes.
func (s *spares) give(b []byte) {
	if cap(b) < leastSpare || cap(b) > batchSize {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, b[:0])
	for s.size += cap(b); s.size > batchSize; s.free = s.free[1:] {
		s.size -= cap(s.free[0])
	}
}
