package evidence

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/record"
)

// isJUnit wants testsuites or testsuite as the root element.
func isJUnit(head []byte) bool {
	if len(head) == 0 || head[0] != '<' {
		return false
	}
	dec := newXML(bytes.NewReader(head))
	for {
		tok, err := dec.RawToken()
		if err != nil {
			return false
		}
		if e, ok := tok.(xml.StartElement); ok {
			return e.Name.Local == "testsuites" || e.Name.Local == "testsuite"
		}
	}
}

// newXML reads XML as test runners write it: with control characters in what
// tests printed, and now and then in Latin-1.
func newXML(r io.Reader) *xml.Decoder {
	dec := xml.NewDecoder(&printable{r})
	dec.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be": // which it was before it got here
			return r, nil
		case "iso-8859-1", "latin1", "windows-1252":
			return &latin1{r: r}, nil
		}
		return nil, fmt.Errorf("character set %q is not known", charset)
	}
	return dec
}

// printable replaces characters that XML does not allow.
type printable struct{ r io.Reader }

func (p *printable) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	for i, c := range b[:n] {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			b[i] = '?'
		}
	}
	return n, err
}

// latin1 turns Latin-1 into UTF-8.
type latin1 struct {
	r    io.Reader
	over []byte
}

func (l *latin1) Read(b []byte) (int, error) {
	if len(l.over) == 0 {
		var in [512]byte
		n, err := l.r.Read(in[:])
		for _, c := range in[:n] {
			l.over = append(l.over, string(rune(c))...)
		}
		if n == 0 {
			return 0, err
		}
	}
	n := copy(b, l.over)
	l.over = l.over[n:]
	return n, nil
}

// suite is what a report says in all: the sum over its cases, and of its
// outermost elements where it lists none.
type suite struct {
	names       []string // of the outermost suites
	title       string   // of the document
	commit      string
	started     time.Time
	seconds     float64
	cases       counts
	stated      counts
	root, worst place // of the outermost element, of the first case that failed
	path        []string
	red         []testCase     // cases that failed, in order
	again       map[string]int // index of the last of a name in red
}

type counts struct{ tests, failed, skipped int }

// testCase is the case in hand.
type testCase struct {
	at              place
	name            string // with the suites and the class that it is in
	failed, skipped bool
	mended          bool // it passed when it was run again
}

// readJUnit adds one check for a report: nested suites repeat the counts of
// their children, so cases are counted.
func readJUnit(in *decode.Input, add func(item)) error {
	dec := newXML(in.Reader())
	recoded := false // then offsets are not those of the file
	charset := dec.CharsetReader
	dec.CharsetReader = func(name string, r io.Reader) (io.Reader, error) {
		out, err := charset(name, r)
		recoded = recoded || out != r
		return out, err
	}
	var s suite
	var c *testCase
	var open []string
	for {
		at := place{offset: dec.InputOffset()}
		at.line, _ = dec.InputPos()
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read report: %w", err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if s.root.line == 0 {
				s.root = at
			}
			if c == nil && e.Name.Local == "testcase" {
				c = &testCase{at: at, name: strings.Join(append(s.path, attr(e, "classname"), attr(e, "name")), "\x00")}
			} else if c == nil || len(open) > 0 && open[len(open)-1] == "testcase" {
				s.start(e, c, open)
			}
			open = append(open, e.Name.Local)
		case xml.EndElement:
			open = open[:max(len(open)-1, 0)]
			if c == nil && e.Name.Local == "testsuite" && len(s.path) > 0 {
				s.path = s.path[:len(s.path)-1]
			}
			if c != nil && e.Name.Local == "testcase" {
				c.at.length = dec.InputOffset() - c.at.offset
				s.count(c)
				c = nil
			}
			if len(open) == 0 {
				s.root.length = dec.InputOffset() - s.root.offset
			}
		}
	}
	if len(open) > 0 || s.root.line == 0 {
		return errors.New("read report: it breaks off")
	}
	s.worst = s.firstRed()
	for _, p := range []*place{&s.root, &s.worst} {
		if recoded {
			p.offset, p.length = 0, 0
		}
	}
	add(s.item(in))
	return nil
}

func (s *suite) start(e xml.StartElement, c *testCase, open []string) {
	switch e.Name.Local {
	case "failure", "error":
		if c != nil {
			c.failed = true
		}
	case "skipped", "disabled", "ignored":
		if c != nil {
			c.skipped = true
		}
	case "testsuites":
		s.title = attr(e, "name")
	case "testsuite":
		if c == nil {
			s.path = append(s.path, attr(e, "name"))
		}
		s.suite(e, open)
	case "property":
		if name := strings.ToLower(attr(e, "name")); s.commit == "" && namesCommit(name) {
			if v := strings.TrimSpace(attr(e, "value")); isHex(v) {
				s.commit = v
			}
		}
	}
}

// namesCommit tells properties that hold the tested commit.
func namesCommit(name string) bool {
	name = strings.NewReplacer(".", "_", "-", "_").Replace(name)
	switch name {
	case "commit", "sha", "revision", "git_commit", "git_sha", "git_revision", "commit_sha", "commit_id", "head_sha",
		"github_sha", "ci_commit_sha", "git_commit_id", "git_commit_sha", "scm_revision", "vcs_revision":
		return true
	}
	return false
}

func (s *suite) suite(e xml.StartElement, open []string) {
	if at := timeOf(attr(e, "timestamp")); !at.IsZero() && (s.started.IsZero() || at.Before(s.started)) {
		s.started = at
	}
	for _, outer := range open {
		if outer == "testsuite" {
			return
		}
	}
	s.names = append(s.names, attr(e, "name"))
	if f, err := strconv.ParseFloat(attr(e, "time"), 64); err == nil && f >= 0 && f < 1e9 {
		s.seconds += f
	}
	number := func(names ...string) int {
		for _, name := range names {
			if n, err := strconv.Atoi(attr(e, name)); err == nil && n >= 0 {
				return n
			}
		}
		return 0
	}
	s.stated.tests += number("tests", "total")
	s.stated.failed += number("failures", "failed") + number("errors")
	s.stated.skipped += number("skipped", "disabled", "ignored")
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// count counts a case. One that failed and stands there again was run again: as
// Surefire has it, it counts once, and as its last run ended. Surefire itself
// keeps the runs of a case in it: flakyFailure of one that passed in the end,
// and rerunFailure beside the failure of one that did not.
func (s *suite) count(c *testCase) {
	if i, ok := s.again[c.name]; ok && !s.red[i].mended && !c.skipped {
		if s.red[i].mended = !c.failed; !c.failed {
			s.cases.failed--
		}
		return
	}
	s.cases.tests++
	switch {
	case c.failed:
		s.cases.failed++
		if s.again == nil {
			s.again = map[string]int{}
		}
		s.again[c.name] = len(s.red)
		s.red = append(s.red, *c)
	case c.skipped:
		s.cases.skipped++
	}
}

// firstRed is the place of the first case that failed in the end.
func (s *suite) firstRed() place {
	for i := range s.red {
		if !s.red[i].mended {
			return s.red[i].at
		}
	}
	return place{}
}

func (s *suite) item(in *decode.Input) item {
	n := s.cases
	if n.tests == 0 {
		n = s.stated
	}
	name := s.title
	if name == "" && len(s.names) == 1 {
		name = s.names[0]
	}
	if name == "" {
		name = strings.TrimSuffix(path.Base(slashed(in.Path)), ".xml")
	}
	c := checkOf(name, n)
	c.Started = s.started
	if !s.started.IsZero() && s.seconds > 0 {
		c.Finished = s.started.Add(time.Duration(s.seconds * float64(time.Second)))
	}
	return item{commit: s.commit, check: c, place: cmp.Or(s.worst, s.root)}
}

// checkOf is the check that counts of tests say.
func checkOf(name string, n counts) *record.Check {
	executed, red := max(n.tests-n.skipped, 0), n.failed
	c := &record.Check{Name: name, Executed: &executed, Failed: &red}
	switch {
	case red > 0:
		c.Status = failed
	case executed > 0:
		c.Status = passed
	case n.skipped > 0:
		c.Status = skipped
	}
	return c
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }
