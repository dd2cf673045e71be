package otlp

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/span"
)

// ErrRequest says that bytes are no export request.
var ErrRequest = errors.New("not an OTLP export request")

// CheckRequest walks the body of an export request by its lengths or brackets
// alone: a body that passes has no fault but in single spans, and Requests.Take does not
// stop half-way. The error may quote the body.
func CheckRequest(body []byte, json bool) error {
	err := walk(body, json, sink{dry: true}, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRequest, err)
	}
	return nil
}

// Taken is what became of the spans of one request.
type Taken struct {
	Spans    int
	Rejected int      // of them, for good: they were quarantined, or too large
	Cause    string   // why the first was rejected, free of secrets
	Ended    []string // runs whose root span has ended
}

// Requests keeps the spans of requests that follow each other as if they stood in
// one file, each at the offset of its number.
type Requests struct {
	w     *decode.Writer
	d     *span.Decoder
	ren   renderer
	spans int
}

// NewRequests returns a taker of requests. Close it before the Writer.
func NewRequests(w *decode.Writer) *Requests { return &Requests{w: w, d: span.NewDecoder(w)} }

// Take keeps the spans of a request that CheckRequest passed. Spans are decoded
// one by one: a small request may say that it holds millions.
func (r *Requests) Take(body []byte, json bool) (taken Taken, err error) {
	err = walk(body, json, sink{w: r.w, d: r.d, live: &taken, first: r.spans}, &r.ren)
	r.spans += taken.Spans
	var fatal fatalError
	if errors.As(err, &fatal) {
		err = fatal.error
	}
	return taken, err
}

// Close tells the receipt what was told of more than once.
func (r *Requests) Close() { r.d.Close() }

func walk(body []byte, json bool, k sink, ren *renderer) error {
	in := &decode.Input{Size: int64(len(body)), ReaderAt: bytes.NewReader(body), Held: body}
	if json {
		f := &jsonFile{in: in, sink: k, s: newScanner(in.Reader()), r: ren, strict: true}
		return f.request()
	}
	f := newProtoFile(in, k, 0, in.Size, 4<<10)
	f.ren = ren
	return f.messages(unframed)
}

// request reads the one document that a request is.
func (f *jsonFile) request() error {
	if err := f.document(0); err != nil {
		return err
	}
	if c := f.s.peek(); c != 0 {
		return fmt.Errorf("%w: %q behind the request", errShape, c)
	}
	return nil
}
