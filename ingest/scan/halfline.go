package scan

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest/decode"
)

// cut leaves a half-written last line out of a file of lines that is followed:
// it counts when it is whole. text says that the format is made of slices of the
// file; its lines are told by the head otherwise.
func (s *scanner) cut(in *decode.Input, src *source, head []byte, text bool) (waits bool, err error) {
	if s.o.Growing == nil || in.ReaderAt != src || in.Size == 0 || !ofLines(head, text) {
		return false, nil
	}
	from, err := lastLine(src, in.Size)
	if err != nil || from == in.Size || in.Size-from <= decode.MaxUnit && isValue(io.NewSectionReader(src, from, in.Size-from)) {
		return false, err
	}
	s.result.Waiting = append(s.result.Waiting, in.Path)
	in.Size, src.state = from, "" // what is remembered is whole
	return true, nil
}

var jsonOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// ofLines reports that a file is lines: of values, if its first line is one or
// there is no other yet, or of text.
func ofLines(head []byte, text bool) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return text
	}
	first, _, more := bytes.Cut(head, []byte("\n"))
	return !more || jsontext.Value(first).IsValid(jsonOptions...)
}

// isValue reports that a line is a whole object or list.
func isValue(r io.Reader) bool {
	line, err := io.ReadAll(r)
	line = bytes.TrimLeft(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), " \t")
	return err == nil && len(line) > 0 && (line[0] == '{' || line[0] == '[') && jsontext.Value(line).IsValid(jsonOptions...)
}

// lastLine returns where the last line of a file begins: at its end when it ends
// with a newline.
func lastLine(r io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for end := size; end > 0; {
		from := max(0, end-int64(len(buf)))
		n, err := r.ReadAt(buf[:end-from], from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		end = from
	}
	return 0, nil
}
