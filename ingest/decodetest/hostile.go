package decodetest

import (
	"bytes"
	"io/fs"
	"iter"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// replacements are values of every type, some of them out of any range.
var replacements = []string{`null`, `true`, `-1`, `1e400`, `"x"`, `""`, `[]`, `{}`, `[1,"x",null,[],{}]`, `{"type":[{}]}`}

// Mutations yields the document with each of its values in turn replaced by
// values of other types.
func Mutations(doc []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, s := range values(doc) {
			for _, r := range replacements {
				if !yield(slices.Concat(doc[:s[0]], []byte(r), doc[s[1]:])) {
					return
				}
			}
		}
	}
}

// values finds where each value of a valid document stands.
func values(doc []byte) (all [][2]int) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(doc))
	var open []int
	for {
		kind := dec.PeekKind()
		off := int(dec.InputOffset())
		start := len(doc) - len(bytes.TrimLeft(doc[off:], " \t\r\n,:"))
		in, n := dec.StackIndex(dec.StackDepth())
		isName := in == '{' && n%2 == 0
		if _, err := dec.ReadToken(); err != nil {
			return all
		}
		switch {
		case kind == '{' || kind == '[':
			open = append(open, start)
		case kind == '}' || kind == ']':
			all = append(all, [2]int{open[len(open)-1], int(dec.InputOffset())})
			open = open[:len(open)-1]
		case !isName:
			all = append(all, [2]int{start, int(dec.InputOffset())})
		}
	}
}

// Survives decodes any bytes as the format and checks what must hold for them.
func Survives(t testing.TB, f decode.Format, data []byte) *ingest.Receipt {
	t.Helper()
	f.Detect(data[:min(len(data), decode.HeadSize)])
	b := New()
	r := b.Again(t, f, "hostile", data)
	for _, id := range r.Runs {
		run := b.Load(t, id)
		run.Executions()
		run.Episodes()
		run.Usage()
		ingest.NewThread([]*ingest.Run{run})
	}
	return r
}

// SurvivesTrial does the same with a trial's folder; it need not be claimed.
func SurvivesTrial(t testing.TB, f decode.Folder, dir fs.FS) {
	t.Helper()
	b := New()
	_, receipts := b.Trial(t, f, dir)
	for _, r := range receipts {
		for _, id := range r.Runs {
			b.Load(t, id).Episodes()
		}
	}
}
