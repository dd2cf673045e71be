package decode

import (
	"errors"
	"io"
	"iter"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// Growing is the decoding of a file that may grow. Where the decoder says that
// its file is read line by line (Writer.Settled) it pauses behind the last one,
// and goes on when there are more.
type Growing struct {
	in     *Input
	w      *Writer
	more   io.Reader
	next   func() (struct{}, bool)
	stop   func()
	err    error
	paused bool
}

// errStopped ends a decoder that is not to go on.
var errStopped = errors.New("it is not followed any more")

// Grow decodes what there is of a file. The result is put by Put; where it is
// Paused, GoOn or Stop must follow.
func (w *Writer) Grow(decode func(*Input, *Writer) error, in *Input) (*Growing, error) {
	g := &Growing{in: in, w: w}
	g.next, g.stop = iter.Pull(func(yield func(struct{}) bool) {
		in.wait = func() (io.Reader, error) {
			if !yield(struct{}{}) {
				return nil, errStopped
			}
			return g.more, nil
		}
		g.err = decode(in, w)
	})
	return g, g.advance()
}

func (g *Growing) advance() error {
	_, g.paused = g.next()
	g.more = nil
	return g.err
}

// Paused reports that the file can be read on from where it ends now.
func (g *Growing) Paused() bool { return g.paused }

// Stop ends a paused decoder.
func (g *Growing) Stop() { g.stop() }

// Units is how many units are in memory.
func (g *Growing) Units() (n int) {
	for _, st := range g.w.order {
		n += len(st.places)
	}
	return n
}

// Put stores what was read as Writer.Close does. More may follow.
func (g *Growing) Put() (*ingest.Receipt, error) {
	if !g.paused {
		return g.w.Close()
	}
	return g.w.put()
}

// Fits reports that the store still holds of the file's runs what it held when
// the file was put last, and nothing else: else it must be read as a whole.
func (g *Growing) Fits(s ingest.Store) (bool, error) {
	for _, st := range g.w.order {
		if st.stock == nil {
			continue
		}
		if same, err := g.w.mem.runs.goesOn(s, st); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// GoOn decodes what came since, behind which the file has size bytes. The store
// may have been opened anew.
func (g *Growing) GoOn(s ingest.Store, r *redact.Redactor, size int64, more io.Reader) error {
	g.w.goOn(s, r, size)
	g.in.Size, g.more = size, more
	return g.advance()
}

// Named says which digest, in hex, the content has that is put next.
func (g *Growing) Named(digest string) { g.w.target.Digest, g.w.receipt.Digest = digest, digest }

// goOn begins the account of a file that has grown to size bytes: all that was
// stored is known now.
func (w *Writer) goOn(s ingest.Store, r *redact.Redactor, size int64) {
	w.store, w.redact, w.target.Known = s, r, nil
	w.target.Size, w.receipt.Bytes = size, size
	w.receipt.Duplicates += w.receipt.Stored
	w.receipt.Stored = 0
	w.unit = Unit{Events: w.mem.events[:0]}
}

// Settled says that nothing which may still come in the file changes how what
// stands before it is read, so that a file that grew can be read on. Lines and
// TextLines then wait at its end, where it is followed.
func (w *Writer) Settled() { w.settled = true }
