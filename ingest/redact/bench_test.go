//go:build unix

package redact

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// traceLines makes JSON lines like those of an agent's log: tool calls with
// code and shell text in nested strings, results, usage; no secrets.
func traceLines(size int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	plain := strings.Fields(`the a of to and in is that for this with it on as be not from are by at or an was will
		file test error function return value path line code import class def self data request response message
		if else for range nil err := == != ( ) { } [ ] 0 1 42 3.14 "ok" 'x' // # -> true false main.go:42 /usr/lib/x
		const var type struct string int assert run build install update check output input result found using`)
	rare := strings.Fields(`key token tokens password secret https://pkg.example/doc self.token "key": keys= --token
		node_modules/x@1.2.3 @app.route cookie authorization bearer x-u risk- task- -----BEGIN`)
	var b bytes.Buffer
	text := func(n int) string {
		var t bytes.Buffer
		for range n {
			words := plain
			if rnd.IntN(25) == 0 {
				words = rare
			}
			t.WriteString(words[rnd.IntN(len(words))])
			t.WriteByte(" \n"[rnd.IntN(20)/19])
		}
		return t.String()
	}
	for i := 0; b.Len() < size; i++ {
		quoted, _ := jsontext.AppendQuote(nil, text(20+rnd.IntN(400)))
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"%08x-0d0a-4a6b-9c6d-%012x","timestamp":"2026-01-02T03:04:05.678Z",`+
			`"message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%016x","name":"Bash","input":{"command":%s}}],`+
			`"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}},"isSidechain":false}`+"\n",
			rnd.Uint32(), rnd.Uint64()>>16, rnd.Uint64(), quoted, i, rnd.IntN(1e5), rnd.IntN(1e3))
	}
	return b.Bytes()
}

// BenchmarkUnit compares redaction, unit by unit, with the two floors of any
// ingest: finding the line ends, and walking over the JSON tokens. MB/cpu-s is
// what counts: it does not depend on what else runs on the machine.
func BenchmarkUnit(b *testing.B) {
	data := traceLines(8 << 20)
	lines := bytes.SplitAfter(data, []byte("\n"))
	r := New(keyA)
	walk := 0.0
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			start := cpuSeconds()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
			speed := float64(len(data)) / 1e6 * float64(b.N) / (cpuSeconds() - start)
			b.ReportMetric(speed, "MB/cpu-s")
			if name == "jsontext" {
				walk = speed
			} else if walk > 0 {
				b.ReportMetric(speed/walk, "x-jsontext")
			}
		})
	}
	run("jsontext", func() error {
		d := jsontext.NewDecoder(bytes.NewReader(data))
		for {
			if err := d.SkipValue(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	run("newlines", func() error {
		bytes.Count(data, []byte("\n"))
		return nil
	})
	run("redact", func() error {
		for _, line := range lines {
			if _, hits := r.Unit(nil, line); len(hits) > 0 {
				return fmt.Errorf("the data holds no secret: %s", line)
			}
		}
		return nil
	})
}

// cpuSeconds returns the user and system time of this process.
func cpuSeconds() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
