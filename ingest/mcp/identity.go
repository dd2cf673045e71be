package mcp

import (
	"bytes"

	"github.com/faultline-dev/faultline/ingest/decode"
)

// A log that states no session is named by its first line if that has a time.
// Lines without times begin alike in all sessions of one client, so there the
// lines up to the first call's answer name the run.

// beginBy names the run of a file of lines by its head.
func beginBy(w *decode.Writer, head []byte) {
	n, settled := nameLength(head)
	w.BeginAt(w.Unit(bytes.TrimSpace(bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf"))), 1, 0))
	if settled || len(head) == decode.HeadSize {
		w.Settled()
	}
}

// nameLength is how much of a head names a run, and whether it would be as much
// of a longer one.
func nameLength(head []byte) (n int, settled bool) {
	called := false
	for line := range bytes.Lines(head) {
		if n += len(line); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if timed(line) {
			return n, true
		}
		called = called || bytes.Contains(line, []byte(`tools/call"`))
		if called && (bytes.Contains(line, []byte(`"result"`)) || bytes.Contains(line, []byte(`"error"`))) {
			return n, true
		}
	}
	return firstLine(head), false
}

func firstLine(head []byte) int {
	n := 0
	for line := range bytes.Lines(head) {
		if n += len(line); len(bytes.TrimSpace(line)) > 0 {
			break
		}
	}
	return n
}

// timed reports that a line states its time.
func timed(line []byte) bool {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
	p := readPrefix(line)
	if p.json != 0 {
		return !p.at.IsZero()
	}
	var o envelope
	var c decode.Cursor
	c.Reset(line)
	_ = o.read(&c, line) // a line that is cut off names nothing
	return !o.at.IsZero()
}

// naming collects the content ids of the elements that name a list.
type naming struct {
	ids    []string
	called bool
}

func (n *naming) look(u *decode.Unit, id string) bool {
	n.ids = append(n.ids, id)
	n.called = n.called || bytes.Contains(u.Data, []byte(`tools/call"`))
	answered := n.called && (bytes.Contains(u.Data, []byte(`"result"`)) || bytes.Contains(u.Data, []byte(`"error"`)))
	return !timed(u.Data) && !answered && len(n.ids) < 64
}

func (n *naming) parts() []string { return append([]string{"list"}, n.ids...) }
