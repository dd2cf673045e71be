package gentrace

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"
)

// session is one session under way.
type session struct {
	r      *rand.Rand
	text   *text
	id     string
	parent string // uuid of the line before
	at     time.Time
	msg    string // id of the response under way
	files  []string
	n      int
	buf    []byte
	body   []byte
	out    io.Writer
	wrote  int64
	err    error
}

func newSession(seed uint64) *session {
	r := rand.New(rand.NewPCG(seed, 2))
	s := &session{r: r, text: newText(r), at: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(seed>>20) * time.Minute)}
	s.id = s.uuid()
	for range 24 {
		s.files = append(s.files, "/srv/app/"+s.text.word()+"/"+s.text.word()+"_"+s.text.word()+".go")
	}
	return s
}

// write goes on with requests until size bytes were written.
func (s *session) write(w io.Writer, size int64) (int64, error) {
	s.out = w
	for s.err == nil && s.wrote < size {
		s.episode(size)
	}
	return s.wrote, s.err
}

// episode is a request, the work on it and a claim.
func (s *session) episode(size int64) {
	s.snapshot()
	s.request()
	for range 4 + s.r.IntN(30) {
		if s.wrote >= size {
			break
		}
		s.turn()
	}
	s.respond()
	s.say("Done. The " + s.text.word() + " is fixed and all tests pass.")
}

// length draws the bytes of a text: half are below 150, one in a hundred is
// above 28,000.
func (s *session) length() int {
	return int(min(math.Exp(math.Log(150)+2.25*s.r.NormFloat64()), maxText))
}

// maxText bounds one text, as harnesses do.
const maxText = 300 << 10

func (s *session) uuid() string {
	a, b := s.r.Uint64(), s.r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0x3fff|0x8000, b&0xffffffffffff)
}

func (s *session) file() string { return s.files[s.r.IntN(len(s.files))] }

// line writes one line with the members that every line has. Body is what is
// particular to it and ends in a comma.
func (s *session) line(kind string, body []byte) {
	s.at = s.at.Add(time.Duration(200+s.r.IntN(9000)) * time.Millisecond)
	parent := "null"
	if s.parent != "" {
		parent = `"` + s.parent + `"`
	}
	s.parent = s.uuid()
	s.buf = fmt.Appendf(s.buf[:0], `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/srv/app","sessionId":"%s","version":"2.1.14","gitBranch":"main","slug":"quiet-%s-river",`,
		parent, s.id, s.id[:4])
	s.buf = append(s.buf, body...)
	s.buf = fmt.Appendf(s.buf, `"type":"%s","uuid":"%s","timestamp":"%s"}`+"\n", kind, s.parent, s.at.Format("2006-01-02T15:04:05.000Z"))
	s.flush()
}

func (s *session) flush() {
	if s.err != nil {
		return
	}
	n, err := s.out.Write(s.buf)
	s.wrote, s.err = s.wrote+int64(n), err
}
