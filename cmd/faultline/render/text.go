package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// Style is how text is laid out.
type Style struct {
	Width int // columns; 0 is 100
	Color bool
	// Flags is what a hint must add so that the command it shows judges the
	// same, such as "--store DIR --records R"; empty for the defaults.
	Flags string
}

const defaultWidth = 100 // columns

// Text writes one report for a person. Errors of writing are kept and
// returned by Flush. It is not safe for concurrent use.
type Text struct {
	w     *bufio.Writer
	mask  *redact.Masker
	style Style
}

// NewText returns a Text that writes one output to w.
func NewText(w io.Writer, s Style) *Text {
	if s.Width <= 0 {
		s.Width = defaultWidth
	}
	return &Text{bufio.NewWriter(w), redact.NewMasker(), s}
}

// Flush writes what is buffered and returns the first error.
func (t *Text) Flush() error {
	if err := t.w.Flush(); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// safe is the gate for everything that may come from a trace.
func (t *Text) safe(s string) string { return Clean(t.mask.Mask(s)) }

// line writes text that is safe already.
func (t *Text) line(format string, args ...any) {
	t.w.WriteString(noCommand(fmt.Sprintf(format, args...)))
	t.w.WriteByte('\n')
}

// block writes text that is safe already, wrapped: first before its first
// line, and as many spaces before the others.
func (t *Text) block(first, text string) {
	t.styled(first, columns(first), text)
}

// styled is block for a first part with colour, which takes width columns.
func (t *Text) styled(first string, width int, text string) {
	for i, l := range wrap(text, max(t.style.Width-width, 20)) {
		if i > 0 {
			first = strings.Repeat(" ", width)
		}
		t.line("%s%s", first, l)
	}
}

// title starts a section.
func (t *Text) title(format string, args ...any) {
	t.line("")
	t.line(format, args...)
}

// severity writes the word in its colour, padded to six columns.
func (t *Text) severity(s classify.Severity) string {
	word := pad(string(s), 6)
	if !t.style.Color {
		return word
	}
	switch s {
	case classify.High:
		return "\x1b[1;31m" + word + "\x1b[0m"
	case classify.Medium:
		return "\x1b[33m" + word + "\x1b[0m"
	}
	return "\x1b[2m" + word + "\x1b[0m"
}

// short is the part of an id that people type.
func short(id string) string { return id[:min(len(id), 12)] }

// plural counts things: 1 run, 2 runs.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// Quote makes a word safe to paste into a shell.
func Quote(s string) string {
	plain := func(r rune) bool {
		return r > 0x7f || strings.ContainsRune("._-/:@+,=%", r) ||
			r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
