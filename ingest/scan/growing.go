package scan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/faultline-dev/faultline/ingest/decode"
)

// Growing is what is known from scan to scan of files that grow. It serves one
// scan at a time, whose store may be closed and written to by others before the
// next. The zero Growing is ready for use; Close ends it.
type Growing struct {
	mem   decode.Memory
	files map[string]*grown // by path
	units int               // in memory
	turn  int               // counts uses
}

// grown is a file whose decoder waits for more.
type grown struct {
	*decode.Writer
	info    fs.FileInfo // when it was read
	format  string
	version int
	size    int64     // of what was read
	sum     hash.Hash // of that
	digest  string
	probe   [sha256.Size]byte // of parts of it
	units   int               // in memory
	used    int
}

// maxGrown bounds the units of waiting files: of some 150 bytes each, beside
// what a file takes.
const (
	maxGrown  = 1 << 18
	grownHead = 64 // what a file takes, in units
)

// Close lets go of all files. They can be followed again, from their beginning.
func (g *Growing) Close() {
	for path := range g.files {
		g.take(path).Stop()
	}
}

// take removes a file that is followed; nil where it is not.
func (g *Growing) take(path string) *grown {
	f := g.files[path]
	if f != nil {
		delete(g.files, path)
		g.units -= f.units
	}
	return f
}

// keep goes on following a file, where need be in the place of those that were
// not looked at for long. A single one is kept whatever it takes: it took that
// when it was read.
func (g *Growing) keep(path string, f *grown) {
	if g.files == nil {
		g.files = map[string]*grown{}
	}
	g.turn++
	f.used, f.units = g.turn, f.Units()+grownHead
	if g.units += f.units; g.units > maxGrown {
		paths := make([]string, 0, len(g.files))
		for path := range g.files {
			paths = append(paths, path)
		}
		slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(g.files[a].used, g.files[b].used) })
		for len(paths) > 0 && g.units > maxGrown/2 {
			g.take(paths[0]).Stop()
			paths = paths[1:]
		}
	}
	g.files[path] = f
}

// follow decodes a file from its beginning and waits behind it, where its format
// can be read on.
func (s *scanner) follow(in *decode.Input, src *source, f func(*decode.Input, *decode.Writer) error, w *decode.Writer, t decode.Target) error {
	sum := [sha256.Size]byte(src.sum.Sum(nil))
	err := w.Grow(f, in)
	defer func() {
		if w.Paused() && s.o.Growing.files[in.Path] == nil {
			w.Stop()
		}
	}()
	if err != nil {
		return s.failed(in, src, err)
	}
	probe, err := probeOf(in, in.Size)
	if err == nil {
		err = s.unchanged(in, src, sum)
	}
	if err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	r, err := w.Put()
	if err != nil {
		return err
	}
	if w.Paused() {
		s.o.Growing.keep(in.Path, &grown{Writer: w, info: src.info, format: t.Format, version: t.Version,
			size: in.Size, sum: src.sum, digest: t.Digest, probe: probe})
		in.ReaderAt, in.Held = nil, nil
	}
	return s.took(r)
}

// readOn reads what a file has grown by. It does nothing where the file is not
// followed, or did something else than grow.
func (s *scanner) readOn(in *decode.Input, src *source, t decode.Target) (done bool, err error) {
	if s.o.Growing == nil {
		return false, nil
	}
	g := s.o.Growing.take(in.Path)
	if g == nil {
		return false, nil
	}
	defer func() {
		if s.o.Growing.files[in.Path] == nil {
			g.Stop()
		}
	}()
	if t.Trial != "" || in.ReaderAt != src {
		return false, nil // it has become a trial's
	}
	if fits, err := s.fits(g, in, src, t); !fits || err != nil {
		return false, err
	}
	if in.Size > g.size {
		return true, s.goOn(g, in, src)
	}
	known, err := s.receipt(g.digest, in.Path)
	if known == nil || err != nil {
		return false, err
	}
	s.o.Growing.keep(in.Path, g)
	return true, s.again(known, in.Path)
}

func (s *scanner) goOn(g *grown, in *decode.Input, src *source) error {
	more := io.NewSectionReader(src, g.size, in.Size-g.size)
	if err := g.GoOn(s.o.Store, s.o.Redactor, in.Size, io.TeeReader(more, g.sum)); err != nil {
		return s.failed(in, src, err)
	}
	probe, err := probeOf(src, in.Size)
	if at, _ := more.Seek(0, io.SeekCurrent); err == nil && at != more.Size() {
		err = errChanged // it was cut off
	}
	if err != nil {
		return s.unreadable(in.Path, in.Size, err)
	}
	g.info, g.size, g.probe, g.digest = src.info, in.Size, probe, hex.EncodeToString(g.sum.Sum(nil))
	g.Named(g.digest)
	r, err := g.Put()
	if err != nil {
		return err
	}
	s.o.Growing.keep(in.Path, g)
	return s.took(r)
}

// fits reports that a file only grew since it was read, at the end of a line, and
// that nobody else brought anything of its runs into the store.
func (s *scanner) fits(g *grown, in *decode.Input, src *source, t decode.Target) (bool, error) {
	if !os.SameFile(g.info, src.info) || in.Size < g.size || g.format != t.Format || g.version != t.Version {
		return false, nil
	}
	if probe, err := probeOf(src, g.size); err != nil || probe != g.probe {
		return false, nil
	}
	if ended, err := endsLine(src, g.size, in.Size); err != nil || !ended {
		return false, nil
	}
	known, err := s.receipt(g.digest, in.Path)
	if known == nil || err != nil || known.Outdated(t.Format, t.Version) {
		return false, err
	}
	return g.Fits(s.o.Store)
}

// endsLine reports that a line ends where a file of some size ended before.
func endsLine(r io.ReaderAt, before, size int64) (bool, error) {
	b := make([]byte, min(3, size-before+1))
	if _, err := r.ReadAt(b, before-1); err != nil && err != io.EOF {
		return false, err
	}
	return b[0] == '\n' || len(b) == 1 || b[1] == '\n' || len(b) == 3 && b[1] == '\r' && b[2] == '\n', nil
}

// A file that only grew has the same beginning. Of a large one that is believed
// by parts of it, its first and last bytes among them: whoever writes a log anew
// changes these.
const (
	probes    = 8
	probeSize = 8 << 10
)

func probeOf(r io.ReaderAt, size int64) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	for i := range int64(probes) {
		from, to := size*i/probes, size*(i+1)/probes
		if i < probes-1 {
			to = min(to, from+probeSize)
		} else {
			from = max(from, to-probeSize)
		}
		if _, err := io.Copy(h, io.NewSectionReader(r, from, to-from)); err != nil {
			return sum, err
		}
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}
