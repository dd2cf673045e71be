package scan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/formats"
)

// errChanged is the cause when a file got another content while it was read.
// One that only grew is taken as it was.
var errChanged = errors.New("it was changed while it was read; scan it again")

// file takes one file that is no member of a trial.
func (s *scanner) file(path string) error {
	return s.detect(path, "unknown-format", func(decode.Format) bool { return true })
}

// detect decodes a file in the format that its content shows, if that one is
// wanted; unknown is the reason to skip a file that shows none. Configuration
// goes by its name.
func (s *scanner) detect(path, unknown string, wanted func(decode.Format) bool) error {
	return s.open(path, func(in *decode.Input, src *source) error {
		if filepath.Base(path) == ConfigName {
			return s.config(in)
		}
		head, err := in.Head()
		if err != nil {
			return s.unreadable(path, in.Size, err)
		}
		if bytes.HasPrefix(head, []byte(zstdMagic)) {
			return s.compressed(in, src, unknown, wanted)
		}
		return s.known(in, src, head, unknown, wanted)
	})
}

// compressed takes a file that holds another one. It is unpacked whole only
// when its beginning shows a format.
func (s *scanner) compressed(in *decode.Input, src *source, unknown string, wanted func(decode.Format) bool) error {
	u, err := newUnpacked(src, in.Size)
	if err != nil {
		return err
	}
	defer u.close()
	inner := &decode.Input{Path: in.Path, Size: decode.HeadSize, ReaderAt: u}
	head, err := inner.Head()
	if err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	if _, ok := formats.Detect(head); !ok {
		return s.took(plain(in.Path, "unknown", in.Size, unknown, ""))
	}
	src.key += "\x00unpacked"
	if saw, ok, err := s.recall(src); err != nil {
		return err
	} else if ok {
		inner.Size = saw.size
	} else if inner.Size, err = u.size(); err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	return s.known(inner, src, head, unknown, wanted)
}

// known decodes a file whose head shows a format.
func (s *scanner) known(in *decode.Input, src *source, head []byte, unknown string, wanted func(decode.Format) bool) error {
	f, ok := formats.Detect(head)
	if waits, err := s.cut(in, src, head, ok && !f.Derives); err != nil {
		return s.unreadable(in.Path, in.Size, err)
	} else if waits {
		if in.Size == 0 {
			return nil
		}
		f, ok = formats.Detect(head[:min(int64(len(head)), in.Size)])
	}
	switch {
	case !ok:
		if of, reason := sidecarOf(in.Path, head); of != "" {
			return s.took(plain(in.Path, of, in.Size, reason, ""))
		}
		return s.took(plain(in.Path, "unknown", in.Size, unknown, ""))
	case !wanted(f):
		return s.took(plain(in.Path, f.Name, in.Size, "second-view", ""))
	}
	context, err := s.sidecars(in.Path, f.Beside)
	if err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	return s.decode(in, src, f.Decode, decode.Target{Format: f.Name, Version: f.Version, Grade: f.Grade}, context)
}

// config remembers a file of the project's configuration.
func (s *scanner) config(in *decode.Input) error {
	s.result.Configs = append(s.result.Configs, in.Path)
	return s.took(plain(in.Path, "faultline.yaml", in.Size, "configuration", ""))
}

// open opens a regular file once per call, whatever the number of paths that
// lead to it.
func (s *scanner) open(path string, f func(*decode.Input, *source) error) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.seen[path] || !s.wanted(path) {
		return nil
	}
	s.seen[path] = true
	file, err := os.Open(path)
	if err != nil {
		return s.unreadable(path, 0, err)
	}
	defer file.Close()
	src, err := newSource(file, path, s.now())
	if err != nil {
		return s.unreadable(path, 0, err)
	}
	info := src.info
	if !info.Mode().IsRegular() || s.old(path, info) {
		return nil
	}
	return f(&decode.Input{Path: path, Size: info.Size(), ReaderAt: src}, src)
}

// decode brings one file in, unless its content is known in this context as
// this decoder would read it.
func (s *scanner) decode(in *decode.Input, src *source, f func(*decode.Input, *decode.Writer) error, t decode.Target, context string) error {
	if done, err := s.readOn(in, src, t); done || err != nil {
		return err
	}
	saw, unchanged, err := s.recall(src)
	if err != nil {
		return err
	}
	if unchanged {
		known, err := s.receipt(digestOf(saw.sum, context), in.Path)
		if err != nil {
			return err
		}
		if known != nil && !known.Outdated(t.Format, t.Version) {
			return s.again(known, in.Path)
		}
	}
	if s.content, err = src.hold(s.content); err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	if in.ReaderAt == src {
		in.Held = src.held[:min(int64(len(src.held)), in.Size):len(src.held)]
	}
	sum, err := s.hash(in, src)
	if err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	digest := digestOf(sum, context)
	known, err := s.receipt(digest, in.Path)
	if err != nil {
		return err
	}
	if known != nil && !known.Outdated(t.Format, t.Version) {
		return s.again(known, in.Path)
	}
	t.Known = known
	t.Path, t.Size, t.Digest, t.Memory = in.Path, in.Size, digest, s.mem
	w := decode.NewWriter(s.o.Store, s.o.Redactor, t)
	if s.o.Growing != nil && context == "" && in.ReaderAt == src {
		return s.follow(in, src, f, w, t)
	}
	if err := f(in, w); err != nil {
		return s.failed(in, src, err)
	}
	if err := s.unchanged(in, src, sum); err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	r, err := w.Close()
	if err != nil {
		return err
	}
	return s.took(r)
}

// failed answers for a file that could not be decoded.
func (s *scanner) failed(in *decode.Input, src *source, err error) error {
	if src.err != nil { // the file's fault, not the store's
		return s.unreadable(in.Path, in.Size, src.err)
	}
	return fmt.Errorf("decode %s: %w", in.Path, err)
}

// unchanged is an error where the file has another content than when it was
// hashed.
func (s *scanner) unchanged(in *decode.Input, src *source, sum [sha256.Size]byte) error {
	if !src.touched() {
		return nil
	}
	defer delete(s.saw, src.key)
	src.held, in.Held = nil, nil
	now, err := s.hash(in, src)
	if err == nil && now != sum {
		err = errChanged
	}
	return err
}

// receipt returns the receipt of a content that the store knows, nil when it
// does not.
func (s *scanner) receipt(digest, path string) (*ingest.Receipt, error) {
	known, err := s.o.Store.Receipt(digest)
	if errors.Is(err, ingest.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look up receipt of %s: %w", path, err)
	}
	return known, nil
}

// again answers for a content that the store knows, adding its path.
func (s *scanner) again(known *ingest.Receipt, path string) error {
	r := known.Again(path)
	if r.Reasons == nil {
		r.Reasons = []ingest.ReasonCount{}
	}
	if r.Runs == nil {
		r.Runs = []string{}
	}
	if err := s.o.Store.PutReceipt(&r, nil); err != nil {
		return fmt.Errorf("store receipt of %s: %w", path, err)
	}
	return s.took(&r)
}

// hash hashes the whole file and remembers it.
func (s *scanner) hash(in *decode.Input, src *source) (sum [sha256.Size]byte, err error) {
	if s.buf == nil {
		s.buf = make([]byte, 1<<20)
	}
	size := int64(len(in.Held))
	src.sum = sha256.New()
	if in.Held != nil {
		src.sum.Write(in.Held)
	} else if size, err = io.CopyBuffer(src.sum, in.Reader(), s.buf); err != nil {
		return sum, fmt.Errorf("read %s: %w", in.Path, err)
	}
	src.sum.Sum(sum[:0])
	s.remember(src, sight{sum, size})
	return sum, nil
}

// digestOf names a content by its hash. A member of a trial is named with what
// it is in which trial: equal small files of two trials are two contents.
func digestOf(sum [sha256.Size]byte, context string) string {
	if context != "" {
		sum = sha256.Sum256(append([]byte(context), sum[:]...))
	}
	return hex.EncodeToString(sum[:])
}
