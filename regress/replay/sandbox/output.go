package sandbox

import (
	"bytes"
	"fmt"
	"sync"
)

// Kept is how many bytes of the beginning, and how many of the end, are kept of
// an output.
const Kept = 64 << 10

// Output is what a program wrote: its beginning, its end and how much it was.
// What lies between is counted and dropped as it comes.
type Output struct {
	Head, Tail []byte // at most Kept bytes each; Tail is empty while Head holds all
	Total      int64  // bytes

	mu sync.Mutex
}

// Write keeps what it may of p. It never fails and never waits.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	o.Total += int64(n)
	if room := Kept - len(o.Head); room > 0 {
		take := min(room, len(p))
		o.Head = append(o.Head, p[:take]...)
		p = p[take:]
	}
	if len(p) >= Kept {
		o.Tail, p = o.Tail[:0], p[len(p)-Kept:]
	}
	if over := len(o.Tail) + len(p) - Kept; over > 0 {
		o.Tail = o.Tail[:copy(o.Tail, o.Tail[over:])]
	}
	o.Tail = append(o.Tail, p...)
	return n, nil
}

// String is the output with the number of bytes that were dropped in its
// middle.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var b bytes.Buffer
	b.Write(o.Head)
	if lost := o.Total - int64(len(o.Head)+len(o.Tail)); lost > 0 {
		fmt.Fprintf(&b, "\n[%d bytes left out]\n", lost)
	}
	b.Write(o.Tail)
	return b.String()
}
