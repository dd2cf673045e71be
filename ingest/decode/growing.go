package decode

import (
	"errors"
	"io"
	"iter"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// growing is the decoding of a file that may grow. Where the decoder says that
// its file is read line by line (Writer.Settled) it pauses behind the last one,
// and goes on when there are more.
type growing struct {
	in     *Input
	more   io.Reader
	next   func() (struct{}, bool)
	stop   func()
	err    error
	paused bool
}

// errStopped ends a decoder that is not to go on.
var errStopped = errors.New("it is not followed any more")

// Grow decodes what there is of a file that may grow. Put follows, not Close, and
// where the writer is Paused later GoOn or Stop.
func (w *Writer) Grow(decode func(*Input, *Writer) error, in *Input) error {
	g := &growing{in: in}
	w.growing = g
	g.next, g.stop = iter.Pull(func(yield func(struct{}) bool) {
		in.wait = func() (io.Reader, error) {
			if !yield(struct{}{}) {
				return nil, errStopped
			}
			return g.more, nil
		}
		g.err = decode(in, w)
	})
	return g.advance()
}

func (g *growing) advance() error {
	_, g.paused = g.next()
	g.more = nil
	return g.err
}

// Paused reports that the file can be read on from where it ends now.
func (w *Writer) Paused() bool { return w.growing.paused }

// Stop ends a decoder that waits.
func (w *Writer) Stop() { w.growing.stop() }

// Units is how many units are in memory.
func (w *Writer) Units() (n int) {
	for _, st := range w.order {
		n += len(st.places)
	}
	return n
}

// Put stores what was read as Close does. More may follow.
func (w *Writer) Put() (*ingest.Receipt, error) {
	if !w.growing.paused {
		return w.Close()
	}
	return w.put(w.order, false)
}

// Fits reports that the store still holds of the file's runs what it held when
// the file was put last, and nothing else: else it must be read as a whole.
func (w *Writer) Fits(s ingest.Store) (bool, error) {
	for _, st := range w.order {
		if st.stock == nil {
			continue
		}
		if same, err := w.mem.runs.goesOn(s, st); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// GoOn decodes what came since, behind which the file has size bytes. The store
// may have been opened anew.
func (w *Writer) GoOn(s ingest.Store, r *redact.Redactor, size int64, more io.Reader) error {
	w.goOn(s, r, size)
	w.growing.in.Size, w.growing.more = size, more
	return w.growing.advance()
}

// Named says which digest, in hex, the content has that is put next.
func (w *Writer) Named(digest string) { w.target.Digest, w.receipt.Digest = digest, digest }

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
