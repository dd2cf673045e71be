package main

import (
	"fmt"
	"io"

	"github.com/faultline-dev/faultline/regress/reduce"
)

// progress is a counter line on stderr. It shows only on a terminal.
type progress struct {
	w     io.Writer // nil when nobody looks
	files int
	bytes int64
}

func (a *app) newProgress() *progress {
	if !isTerminal(a.stderr) || a.env("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{w: a.stderr}
}

func (p *progress) add(bytes int64) {
	p.files++
	p.bytes += bytes
	if p.w != nil {
		fmt.Fprintf(p.w, "\rreading: %d files, %d MB", p.files, p.bytes>>20)
	}
}

// reducing tells how far a reduction is.
func (p *progress) reducing(r reduce.Progress) {
	p.files++
	if p.w != nil {
		fmt.Fprintf(p.w, "\rmaking it small: %d candidates, %d of %d events\x1b[K", r.Judged, r.Events, r.Of)
	}
}

// done removes the line, so that the report starts on a clean one.
func (p *progress) done() {
	if p.w != nil && p.files > 0 {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
