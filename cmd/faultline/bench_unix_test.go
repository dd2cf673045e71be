//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/gentrace"
)

// BenchmarkMemory reports the peak memory of the program in MB (10^6 bytes),
// mapped files included: for ingest, for the triage of what was ingested, for
// a first triage, and for one file that holds a third of the corpus.
func BenchmarkMemory(b *testing.B) {
	program := build(b)
	dir, _, _ := gentrace.BenchCorpus(b)
	large := largeFile(b)
	for b.Loop() {
		store := filepath.Join(b.TempDir(), "store")
		b.ReportMetric(child(b, program, "ingest", "--store", store, dir).peak, "ingest-MB")
		b.ReportMetric(child(b, program, "triage", "--store", store, dir).peak, "triage-MB")
		b.ReportMetric(child(b, program, "triage", "--store", filepath.Join(b.TempDir(), "store"), dir).peak, "first-triage-MB")
		store = filepath.Join(b.TempDir(), "store")
		b.ReportMetric(child(b, program, "ingest", "--store", store, large).peak, "large-file-ingest-MB")
		b.ReportMetric(child(b, program, "triage", "--store", store, large).peak, "large-file-triage-MB")
	}
}

// BenchmarkRetriage compares the first triage of a folder with a second one,
// when nothing has changed. x-cheaper is how much less processor time it takes.
func BenchmarkRetriage(b *testing.B) {
	program := build(b)
	dir, _, _ := gentrace.BenchCorpus(b)
	for b.Loop() {
		store := filepath.Join(b.TempDir(), "store")
		first := child(b, program, "triage", "--store", store, dir)
		second := child(b, program, "triage", "--store", store, dir)
		b.ReportMetric(first.cpu/second.cpu, "x-cheaper")
		b.ReportMetric(first.cpu, "first-cpu-s")
		b.ReportMetric(second.cpu, "second-cpu-s")
	}
}

// BenchmarkJudge compares judging a stored folder with reading it in: x-of-ingest
// is the processor time of the one in that of the other (the bar is 1 or less),
// and events/cpu-min what is judged in a minute of it (1,000,000 or more).
func BenchmarkJudge(b *testing.B) {
	program := build(b)
	dir, _, _ := gentrace.BenchCorpus(b)
	for b.Loop() {
		store := filepath.Join(b.TempDir(), "store")
		read := child(b, program, "ingest", "--store", store, dir)
		judged := child(b, program, "classify", "--store", store)
		b.ReportMetric(judged.cpu/read.cpu, "x-of-ingest")
		b.ReportMetric(float64(stored(b, store))/judged.cpu*60, "events/cpu-min")
	}
}

// stored counts the events of a store.
func stored(b *testing.B, dir string) (events int) {
	s, err := badgerstore.Open(dir, badgerstore.Options{ReadOnly: true})
	require.NoError(b, err)
	defer s.Close()
	for r, err := range s.Receipts() {
		require.NoError(b, err)
		events += r.Events
	}
	return events
}

// BenchmarkLongTrace reports the peak memory of ingest for one trace in one
// file: a session of as many lines, and a trace of as many spans, as stand in
// 340,000 at 1000 MB.
func BenchmarkLongTrace(b *testing.B) {
	program := build(b)
	size := gentrace.BenchMB(b)
	session := generated(b, func(w io.Writer) error { return gentrace.Session(w, 9, size*1_030_000) })
	spans := generated(b, func(w io.Writer) error { return gentrace.Spans(w, 9, int(size*340)) })
	for b.Loop() {
		b.ReportMetric(child(b, program, "ingest", "--store", filepath.Join(b.TempDir(), "store"), session).peak, "session-MB")
		b.ReportMetric(child(b, program, "ingest", "--store", filepath.Join(b.TempDir(), "store"), spans).peak, "spans-MB")
	}
}

// BenchmarkRescan reports what a second ingest of an unchanged folder takes,
// also when it is told to read all (reread). With CCUSAGE, the path of that
// program (20.0.24), x-cheaper is how much less processor time it takes than
// ccusage takes to read the same tree once.
func BenchmarkRescan(b *testing.B) {
	program := build(b)
	dir, home := b.TempDir(), b.TempDir()
	require.NoError(b, gentrace.Corpus(filepath.Join(dir, "projects"), 42, gentrace.BenchMB(b)*1e6, 1e6))
	time.Sleep(4 * time.Second) // what was just written is not remembered
	for b.Loop() {
		args := []string{"ingest", "--store", filepath.Join(b.TempDir(), "store"), dir}
		child(b, program, args...)
		second := child(b, program, args...).cpu
		b.ReportMetric(second, "cpu-s")
		b.ReportMetric(child(b, program, append(args, "--reread")...).cpu, "reread-cpu-s")
		if other := os.Getenv("CCUSAGE"); other != "" {
			b.Setenv("HOME", home)
			b.Setenv("CLAUDE_CONFIG_DIR", dir)
			reading := child(b, other, "daily", "--offline", "--json").cpu
			b.ReportMetric(reading, "ccusage-cpu-s")
			b.ReportMetric(reading/second, "x-cheaper")
		}
	}
}

// build compiles the program as users have it.
func build(b testing.TB) string {
	program := filepath.Join(b.TempDir(), "faultline")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(b, err, "%s", out)
	return program
}

// spent is what a process took: seconds of user and system time, and MB.
type spent struct{ cpu, peak float64 }

// child runs the program to its end. Findings are no failure.
func child(b testing.TB, program string, args ...string) spent {
	return childTo(b, io.Discard, program, args...)
}

// childTo is child with what the program prints.
func childTo(b testing.TB, out io.Writer, program string, args ...string) spent {
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitFound) {
		b.Fatal(err)
	}
	u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	unit := 1024.0 // of Maxrss, in bytes
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return spent{float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, float64(u.Maxrss) * unit / 1e6}
}

func largeFile(b *testing.B) string {
	return generated(b, func(w io.Writer) error { return gentrace.Session(w, 9, gentrace.BenchMB(b)*1e6*3/10) })
}

// generated is a file of what f writes.
func generated(b *testing.B, write func(io.Writer) error) string {
	path := filepath.Join(b.TempDir(), "large.jsonl")
	f, err := os.Create(path)
	require.NoError(b, err)
	w := bufio.NewWriter(f)
	require.NoError(b, write(w))
	require.NoError(b, w.Flush())
	require.NoError(b, f.Close())
	return path
}
